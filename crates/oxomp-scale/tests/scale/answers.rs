//! Amdahl's law, the parts of the losses, the region that stops first, and noise.

use oxomp_analysis::summary::Class;
use oxomp_scale::{
    ContendedCode, Contention, Measured, MeasuredRegion, Part, RuntimeWaits, Scale, Source,
};

use crate::made::{region, run, waiting, with_team};

const MS: f64 = 1e6;

fn scale(runs: Vec<Measured>) -> Scale {
    Scale::of(runs, 8).expect("there are runs")
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1.0
}

/// The parts of a region's loss at a point, ms.
fn parts(scale: &Scale, line: u32, point: usize) -> Vec<(Part, f64)> {
    let at = scale.regions.iter().find(|at| at.construct == region(line)).expect("the region");
    at.at[point].parts.iter().map(|lost| (lost.part, (lost.wall_ns / MS).round())).collect()
}

#[test]
fn an_ideal_program_loses_nothing() {
    let runs = [1, 2, 4].map(|threads| run(threads, 0.0, &[(9, with_team(threads, 800.0, &[]))]));
    let scale = scale(runs.into());
    let last = &scale.points[2];
    assert!((last.speed_up - 4.0).abs() < 1e-9 && (last.efficiency() - 1.0).abs() < 1e-9);
    assert_eq!(scale.stop, None);
    assert!(scale.losses[2].is_empty(), "{:?}", scale.losses);
    assert!(scale.amdahl.limit.is_infinite());
    assert!(scale.verdict.headline.contains("scales: 4 threads are 4.00 times as fast as 1"));
}

#[test]
fn the_serial_part_is_measured_and_sets_amdahls_limit() {
    let runs = [1, 4].map(|threads| run(threads, 200.0, &[(9, with_team(threads, 800.0, &[]))]));
    let scale = scale(runs.into());
    assert!((scale.amdahl.share - 0.2).abs() < 1e-9 && (scale.amdahl.limit - 5.0).abs() < 1e-9);
    // 1000 / (200 + 800 / 4), which the program has exactly.
    assert!((scale.points[1].amdahl - 2.5).abs() < 1e-9);
    assert!((scale.points[1].speed_up - 2.5).abs() < 1e-9);
    // Ideal is 250 of 400.
    let [loss] = scale.losses[1].as_slice() else { panic!("{:?}", scale.losses) };
    assert!(loss.source == Source::Serial && close(loss.ns, 150.0 * MS), "{loss:?}");
    assert!(scale.verdict.headline.contains("100.0 % of what is lost is code outside of every"));
}

#[test]
fn a_region_of_one_thread_is_serial_too() {
    let regions = |threads| [(9, with_team(threads, 600.0, &[])), (20, with_team(1, 300.0, &[]))];
    let scale = scale([1, 4].map(|threads| run(threads, 100.0, &regions(threads))).into());
    assert!(
        close(scale.amdahl.single_ns, 300.0 * MS) && close(scale.amdahl.outside_ns, 100.0 * MS)
    );
    assert!((scale.amdahl.limit - 2.5).abs() < 1e-9);
}

#[test]
fn the_region_that_waits_for_a_critical_stops_first_and_names_it() {
    let runs = [waiting(1, 1000.0, 0.0), waiting(2, 1000.0, 400.0), waiting(4, 1000.0, 700.0)];
    let scale = scale(runs.into());
    let stop = scale.stop.expect("the region stops");
    // From 1000 to 900 of 500 that are possible.
    assert_eq!((stop.point, stop.blame), (1, Some(Part::Class(Class::Mutex))));
    assert!((stop.gained - 0.2).abs() < 1e-9, "{stop:?}");
    assert_eq!(parts(&scale, 9, 2), [(Part::Class(Class::Mutex), 700.0)]);
    let headline = &scale.verdict.headline;
    assert!(headline.contains("4 threads are 1.05 times as fast as 1, not 4: 100.0 % of what is lost is waiting for the critical at bins.c:12 in the region in count (bins.c:9)"), "{headline}");
    let sentences = scale.verdict.sentences.join(" ");
    assert!(sentences.contains("it gains 20.0 % of what they could give from 1 to 2 threads; to blame is waiting for the critical at bins.c:12"), "{sentences}");
}

#[test]
fn more_useful_time_for_the_same_work_is_work_inflation() {
    let of = |threads, useful| run(threads, 0.0, &[(9, with_team(threads, useful, &[]))]);
    let scale = scale(vec![of(1, 1000.0), of(4, 2000.0)]);
    // 2000 / 4 instead of 1000 / 4.
    assert_eq!(parts(&scale, 9, 1), [(Part::WorkInflation, 250.0)]);
    let headline = &scale.verdict.headline;
    assert!(headline.contains("which takes 2.00 times the time of the threads"), "{headline}");
}

#[test]
fn a_fixed_team_does_not_grow() {
    let fixed = |threads| {
        let regions = [(9, with_team(threads, 800.0, &[])), (20, with_team(2, 1000.0, &[]))];
        run(threads, 0.0, &regions)
    };
    let scale = scale([1, 2, 4].map(fixed).into());
    // 500 instead of 500 / 4.
    assert_eq!(parts(&scale, 20, 2), [(Part::SmallTeam, 375.0)]);
    assert_eq!(parts(&scale, 9, 2), []);
    let own: Vec<_> = scale.regions.iter().map(|one| one.own_team(&scale.points)).collect();
    assert_eq!(own, [Some(2), None]);
    assert_eq!(scale.stop.map(|stop| (stop.region, stop.point)), Some((0, 1)));
    let notes = scale.warnings.join(" ");
    assert!(notes.contains("(bins.c:20) has teams of 2 threads whatever the number"), "{notes}");
}

#[test]
fn a_program_that_sets_all_its_teams_is_told_of() {
    let fixed = |threads| run(threads, 0.0, &[(9, with_team(3, 900.0, &[]))]);
    let scale = scale([1, 2, 4].map(fixed).into());
    assert!(scale.verdict.headline.contains("No region follows the number of threads"));
}

#[test]
fn the_first_to_stop_is_that_of_the_fewest_threads_and_of_the_greatest_loss() {
    let imbalance = |ms| [(Class::Imbalance, ms)];
    let of = |threads: u32, at_9: f64, at_20: f64, at_30: f64| {
        let region = |lost| with_team(threads, 1000.0, &imbalance(lost));
        run(threads, 0.0, &[(9, region(at_9)), (20, region(at_20)), (30, region(at_30))])
    };
    let runs = vec![of(1, 0.0, 0.0, 0.0), of(2, 0.0, 300.0, 400.0), of(4, 900.0, 300.0, 400.0)];
    let scale = scale(runs);
    let stop = scale.stop.expect("regions stop");
    assert_eq!((stop.point, &scale.regions[stop.region].construct), (1, &region(30)));
    let stops = |line| {
        let of = scale.regions.iter().find(|one| one.construct == region(line));
        of.and_then(|one| one.stops_at)
    };
    assert_eq!((stops(9), stops(20), stops(30)), (Some(2), Some(1), Some(1)));
}

#[test]
fn a_region_whose_loss_is_nothing_of_the_run_stops_nowhere() {
    let of = |threads| {
        let small = with_team(threads, 10.0, &[(Class::ForkJoin, 5.0)]);
        run(threads, 0.0, &[(9, with_team(threads, 4000.0, &[])), (20, small)])
    };
    assert_eq!(scale([1, 2, 4].map(of).into()).stop, None);
}

#[test]
fn within_the_noise_no_region_stops() {
    // From 1000 to 760, where 750 is the limit: with a run it counts, with five that vary not.
    let of = |threads: u32, ms: f64| run(threads, 0.0, &[(9, with_team(threads, ms, &[]))]);
    let one = scale(vec![of(1, 1000.0), of(2, 2.0 * 760.0)]);
    assert_eq!(one.stop.map(|stop| stop.point), Some(1));
    let mut runs = Vec::new();
    for change in [-60.0, -30.0, 0.0, 30.0, 60.0] {
        runs.push(of(1, 1000.0 + change));
        runs.push(of(2, 2.0 * (760.0 + change)));
    }
    assert_eq!(scale(runs.clone()).stop, None);
    let slower = runs.into_iter().map(|mut run| {
        if run.threads == 2 {
            run.regions.values_mut().for_each(|region| region.work_ns += 240.0 * MS);
            run.wall_ns += 240.0 * MS;
        }
        run
    });
    assert_eq!(scale(slower.collect()).stop.map(|stop| stop.point), Some(1));
}

#[test]
fn noise_that_hides_everything_is_the_verdict() {
    let of = |threads: u32, wall: f64| {
        run(threads, 0.0, &[(9, with_team(threads, wall * f64::from(threads), &[]))])
    };
    let mut runs: Vec<Measured> = [100.0, 300.0, 220.0].map(|wall| of(1, wall)).into();
    runs.extend([90.0, 290.0, 210.0].map(|wall| of(2, wall)));
    let noisy = scale(runs);
    assert!(noisy.verdict.headline.contains("noise hides"), "{}", noisy.verdict.headline);
    // Runs that agree, and gain nothing, are not noise.
    let mut runs: Vec<Measured> = [300.0, 302.0, 298.0].map(|wall| of(1, wall)).into();
    runs.extend([300.0, 303.0, 297.0].map(|wall| of(2, wall)));
    let quiet = scale(runs);
    assert!(quiet.verdict.headline.contains("2 threads are 1.00 times"), "{:?}", quiet.verdict);
}

#[test]
fn more_threads_than_processors_are_judged_by_the_processors() {
    let taken = |threads: u32, waits: f64| {
        run(threads, 0.0, &[(9, with_team(threads, 800.0, &[(Class::Scheduler, waits)]))])
    };
    // Eight threads on two processors: 100 of work and 300 without a processor are the ideal 400.
    let runs = vec![taken(1, 0.0), taken(2, 0.0), taken(8, 300.0)];
    let scale = Scale::of(runs, 2).unwrap();
    let last = &scale.points[2];
    assert!(last.is_beyond && (last.ideal - 2.0).abs() < 1e-9, "{last:?}");
    assert!((last.efficiency() - 1.0).abs() < 1e-9);
    assert_eq!(scale.judged, 1);
    assert_eq!(parts(&scale, 9, 2), []);
    assert_eq!(scale.stop, None);
    assert!(scale.warnings.iter().any(|note| note.contains("8 threads are more than the 2")));
}

#[test]
fn growing_work_is_no_inflation() {
    let weak = |threads: u32| {
        let useful = 500.0 * f64::from(threads);
        let region = MeasuredRegion {
            iterations: u64::from(threads) * 1000,
            ..with_team(threads, useful, &[])
        };
        run(threads, 0.0, &[(9, region)])
    };
    let scale = scale([1, 2, 4].map(weak).into());
    let headline = &scale.verdict.headline;
    assert!(headline.contains("more work in the region"), "{headline}");
    assert!(headline.contains("4000 iterations instead of 1000"), "{headline}");
}

#[test]
fn parts_sum_to_what_is_lost_whatever_the_numbers() {
    let mut seed = 7_u64;
    let mut random = |below: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1_u64 << 31) as f64 * below
    };
    for _ in 0..200 {
        let mut runs = Vec::new();
        for threads in [1, 2, 5, 8, 16] {
            let mut regions = Vec::new();
            for line in [9, 20, 30] {
                if random(1.0) < 0.2 {
                    continue;
                }
                let losses: Vec<(Class, f64)> =
                    Class::ALL.into_iter().map(|class| (class, random(20.0))).collect();
                let mut region = with_team(threads, random(900.0), &losses);
                region.workers = 1.0 + random(f64::from(threads - 1));
                regions.push((line, region));
            }
            runs.push(run(threads, random(100.0), &regions));
        }
        let scale = scale(runs);
        for (index, point) in scale.points.iter().enumerate() {
            let lost: f64 = scale.losses[index].iter().map(|loss| loss.ns).sum();
            let beyond = point.wall_ns - scale.points[0].wall_ns / point.ideal;
            // Parts below half a nanosecond are left out.
            assert!((lost - beyond).abs() < 50.0, "{lost} {beyond}");
        }
    }
}

#[test]
fn without_regions_or_without_a_second_number_nothing_is_concluded() {
    let none = scale([1, 2].map(|threads| run(threads, 100.0, &[])).into());
    assert!(none.verdict.headline.contains("executes no parallel region"));
    let one = scale(vec![run(4, 10.0, &[(9, with_team(4, 100.0, &[]))])]);
    assert!(one.verdict.headline.contains("4 threads only"), "{}", one.verdict.headline);
    let single = [1, 2].map(|threads| run(threads, 0.0, &[(9, with_team(threads, 80.0, &[]))]));
    let single = Scale::of(single.into(), 1).unwrap();
    assert!(single.verdict.headline.contains("one processor"), "{}", single.verdict.headline);
    assert_eq!(Scale::of(Vec::new(), 8), None);
}

#[test]
fn what_makes_numbers_doubtful_is_said() {
    let mut runs = [1, 2].map(|threads| run(threads, 0.0, &[(9, with_team(threads, 20.0, &[]))]));
    for run in &mut runs {
        run.facts.environment = vec![
            ("OMP_THREAD_LIMIT".to_owned(), "1".to_owned()),
            ("OMP_DYNAMIC".to_owned(), "TRUE".to_owned()),
        ];
    }
    runs[1].facts.incomplete = vec!["events were lost"];
    let notes = scale(runs.into()).warnings.join("\n");
    for part in [
        "a run takes 20.00 ms with 1 thread: too short",
        "OMP_THREAD_LIMIT=1",
        "OMP_DYNAMIC=TRUE",
        "2 threads, run 1: events were lost",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
}

#[test]
fn waits_for_iterations_and_turns_have_names_of_their_own() {
    let with = |threads: u32, iterations: f64, turns: f64| {
        let waits = RuntimeWaits { iterations_ns: iterations * MS, turns_ns: turns * MS };
        run(threads, 0.0, &[(9, MeasuredRegion { waits, ..with_team(threads, 400.0, &[]) })])
    };
    let doacross = scale(vec![with(1, 0.0, 0.0), with(4, 300.0, 20.0)]);
    let expected = [(Part::Iterations, 300.0), (Part::Turns, 20.0)];
    assert_eq!(parts(&doacross, 9, 1), expected);
    assert!(close(doacross.regions[0].at[1].lost_ns, 320.0 * MS));
    let verdict = &doacross.verdict;
    assert!(
        verdict.headline.contains("waiting for other iterations (doacross) in the region in count"),
        "{}",
        verdict.headline
    );
    assert!(
        verdict.sentences[0].contains("turns in the reductions of the region in count"),
        "{verdict:?}"
    );
    assert!(!format!("{verdict:?}").contains("lock"), "{verdict:?}");
}

/// A region whose work takes thrice as long with four threads, a part of its samples at an atomic
/// update.
fn inflated(share: f64) -> Scale {
    let with = |threads: u32, useful: f64, share: f64| {
        let mut run = run(threads, 0.0, &[(9, with_team(threads, useful, &[]))]);
        let place = "bins.c:11 (lock xadd)".to_owned();
        let code = ContendedCode { share, samples: 200.0, place };
        run.contention.insert((region(9), Contention::AtomicUpdates), code);
        run
    };
    scale(vec![with(1, 400.0, 0.05), with(4, 1200.0, share)])
}

#[test]
fn work_inflation_has_the_code_in_which_threads_meet_as_its_cause() {
    let scale = inflated(0.6);
    let headline = &scale.verdict.headline;
    let expected = "60.0 % of its samples are at atomic updates, most at bins.c:11 (lock xadd)";
    assert!(headline.contains(expected), "{headline}");
    // Little of the region is there, or less than with one thread.
    for share in [0.08, 0.05] {
        let headline = &inflated(share).verdict.headline;
        assert!(headline.contains("they share memory, caches or lines of them"), "{headline}");
    }
}

#[test]
fn what_recording_took_is_said_where_it_is_much() {
    let with = |threads: u32, taken: f64| {
        let run = run(threads, 0.0, &[(9, with_team(threads, 400.0, &[]))]);
        Measured { recording_ns: Some(taken * MS), worked_ns: 400.0 * MS, ..run }
    };
    let notes = scale(vec![with(1, 4.0), with(2, 40.0)]).warnings.join("; ");
    let expected = "recording took as much as a part of the threads' work (2 threads 10.0 %)";
    assert!(notes.contains(expected), "{notes}");
    let notes = scale(vec![with(1, 4.0), with(2, 6.0)]).warnings.join("; ");
    assert!(!notes.contains("recording"), "{notes}");
}
