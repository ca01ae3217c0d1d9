//! Several recordings side by side: numbers that are known, and the text that follows from them.

use oxomp_analysis::ranks::{
    Brief, BriefRegion, Efficiency, Farthest, Job, JobTarget, MpiShare, MpiSums, MpiTimes, Useful,
};
use oxomp_analysis::report::{JobNotes, Style, job_advice, job_recording, rank_list, render_job};
use oxomp_analysis::summary::Scope;
use oxomp_analysis::summary::{Class, MpiKind, TargetKind};
use oxomp_analysis::symbols::Place;
use oxomp_trace::{MpiClass, Rank};

const MS: u64 = 1_000_000;

/// A region of one line of `job.c`, at another address in each process.
fn region(line: u32, wall_ms: u64, process: u64) -> BriefRegion {
    let place = Place {
        function: Some("relax".to_owned()),
        line: Some(("/src/job.c".to_owned(), line)),
        module: Some("job".to_owned()),
        offset: 0x1000 + process,
        behind: None,
        body: None,
    };
    BriefRegion { place: Some(place), calls: 10, wall_ns: wall_ms * MS, gain_ns: MS, nested: false }
}

/// A rank of 2 threads that lives for a second: in regions for `in_regions` ms, outside for the
/// rest. Of the samples outside, `mpi` of 100 are in `MPI_Waitall`.
fn rank(number: u32, size: u32, in_regions: u64, mpi: Option<u64>) -> Brief {
    let outside = 1000 - in_regions;
    let mut by_class = [0; Class::COUNT];
    by_class[Class::Useful as usize] = 2 * in_regions * MS;
    by_class[Class::Serial as usize] = outside * MS;
    by_class[Class::SerialIdle as usize] = outside * MS;
    let share = |in_mpi: u64| MpiShare {
        ns: outside * MS / 100 * in_mpi,
        outside_in_mpi: in_mpi,
        inside_in_mpi: 0,
        timed: None,
        by_call: [("MPI_Waitall".to_owned(), in_mpi)].into(),
    };
    Brief {
        rank: Some(Rank { number, size: Some(size), job: "a".to_owned() }),
        hostname: format!("node{}", number / 64),
        pid: 1000 + number,
        command: vec!["./job".to_owned()],
        runtime: "oxomp".to_owned(),
        started_unix_ns: u64::from(number),
        started_monotonic_ns: 0,
        wall_ns: 1000 * MS,
        recorded_ns: 1000 * MS,
        cpu_ns: Some(1500 * MS),
        threads: 2,
        max_team: 2,
        allowed_cpus: 2,
        total_ns: 2000 * MS,
        by_class,
        in_regions_ns: in_regions * MS,
        outside_ns: outside * MS,
        waited_ns: 0,
        recording_ns: Some(u64::from(number + 1) * 10 * MS),
        truncated: false,
        damaged: false,
        disagrees: false,
        first: None,
        active: true,
        mpi: mpi.map(share),
        mpi_is_timed: false,
        events: None,
        useful: Useful::default(),
        regions: vec![region(7, in_regions, number.into())],
        targets: Vec::new(),
    }
}

fn text(job: &Job) -> String {
    let commands =
        job.processes.iter().map(|one| format!("oxomp report data/{}", one.pid)).collect();
    let notes = JobNotes { commands, ..JobNotes::default() };
    render_job(job, &notes, Style::plain()).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` in: {text}");
    }
}

#[test]
fn the_slowest_rank_and_what_mpi_takes_are_told_apart() {
    // Rank 3 computes for 600 + 40 ms, the others for 200 + 80 ms: 370 in the mean.
    let mut ranks: Vec<Brief> = (0..3).map(|number| rank(number, 4, 200, Some(90))).collect();
    ranks.push(rank(3, 4, 600, Some(90)));
    let job = Job::new(ranks);
    let imbalance = job.imbalance.clone().unwrap();
    assert!(imbalance.without_mpi);
    assert_eq!((imbalance.slowest, imbalance.fastest), (3, 0));
    assert_eq!((imbalance.max_ns, imbalance.mean_ns), (640 * MS, 370 * MS));
    let farthest = Farthest { region: 0, slowest_ns: 600 * MS, mean_ns: 300 * MS };
    assert_eq!(imbalance.region, Some(farthest));
    // In MPI: 720 ms in three ranks and 360 in one, 630 in the mean.
    assert!((job.mpi_share().unwrap() - 0.63).abs() < 1e-6);
    let text = text(&job);
    assert_says(
        &text,
        &[
            "Balance between ranks 0.58: rank 3 computes longest, 640.0 ms; rank 0 shortest",
            "in MPI 63.0 % of the time",
            "MPI_Waitall 63.0 % 72.0 % rank 0",
            "1 63.0 % of the time is in MPI (MPI_Waitall 63.0 %), more than the waiting",
            "gain ≤ 360.0 ms (36.0 %)",
            "2 rank 3 computes 73.0 % longer than the mean (640.0 ms against 370.0 ms), most in \
             relax job.c:7 (600.0 ms against 300.0 ms); the others wait for it in MPI",
            "gain ≤ 270.0 ms (27.0 %)",
            "relax job.c:7 40 1.20 s 300.0 ms 600.0 ms rank 3",
        ],
    );
}

/// A rank may wait in MPI for one that has no processor, and no message is sent in MPI_Init.
#[test]
fn waiting_that_messages_do_not_cause_is_not_held_against_them() {
    let said = |change: fn(&mut Brief)| {
        let mut ranks: Vec<Brief> = (0..2).map(|number| rank(number, 2, 500, Some(90))).collect();
        ranks.iter_mut().for_each(change);
        text(&Job::new(ranks))
    };
    let advice = "of the time is in MPI (";
    assert!(said(|_| {}).contains(advice), "{}", said(|_| {}));
    let without_processors = said(|one| one.by_class[Class::Scheduler as usize] = 400 * MS);
    assert!(!without_processors.contains(advice), "{without_processors}");
    let starting = said(|one| {
        let share = one.mpi.as_mut().expect("samples");
        share.by_call = [("MPI_Init".to_owned(), 90)].into();
    });
    assert!(!starting.contains(advice), "{starting}");
    assert!(starting.contains("MPI_Init 45.0 %"), "{starting}");
}

#[test]
fn what_is_lost_inside_has_the_advice_of_the_rank_that_loses_most() {
    let mut ranks: Vec<Brief> = (0..2).map(|number| rank(number, 2, 500, Some(0))).collect();
    for (number, one) in (0..).zip(&mut ranks) {
        one.by_class[Class::Imbalance as usize] = (600 + 100 * number) * MS;
        one.first = Some(format!("parallel for at job.c:{}  schedule(dynamic,8)", 7 + number));
    }
    let firm = text(&Job::new(ranks.clone()));
    assert_says(
        &firm,
        &[
            "Try first (gains are upper bounds)",
            "most in rank 1, where to try first: parallel for at job.c:8: schedule(dynamic,8)",
            "gain ≤ 325.0 ms",
            "gain ≤ of all",
        ],
    );
    ranks[0].by_class[Class::Scheduler as usize] = 200 * MS;
    let lost = text(&Job::new(ranks));
    assert_says(
        &lost,
        &[
            "Try first (threads lacked a processor for 5.0 % of the time: these gains are not firm)",
            // Of a second, 5 %.
            "gain about 325.0 ms ± 50.00 ms (32.5 %)",
            "lost by all",
        ],
    );
    assert!(!lost.contains("gain ≤") && !lost.contains("upper bounds"), "{lost}");
}

#[test]
fn a_gain_that_is_no_bound_has_an_error() {
    let mut one = rank(0, 1, 500, Some(0));
    one.by_class[Class::Imbalance as usize] = 600 * MS;
    let firm = job_advice(&Job::new(vec![one.clone()]), &[]);
    assert_eq!((firm.doubt, firm.changes[0].error_ns), (None, None));
    one.by_class[Class::Scheduler as usize] = 60 * MS;
    one.by_class[Class::Barrier as usize] = 160 * MS;
    let doubtful = job_advice(&Job::new(vec![one]), &[]);
    assert!(doubtful.doubt.is_some());
    // 3 % of a second without a processor, and half of the barriers' 80 ms of both threads.
    assert_eq!(doubtful.changes[0].error_ns, Some(50 * MS));
}

#[test]
fn what_recording_took_is_said_of_all_and_of_the_worst() {
    let job = Job::new((0..2).map(|number| rank(number, 2, 500, Some(0))).collect());
    let expected = "About 0.8 % of the threads' time went to recording (30.00 ms), most in rank 1 \
                    (1.0 %).";
    assert_says(&text(&job), &[expected]);
    let unknown = Brief { recording_ns: None, ..rank(2, 3, 500, Some(0)) };
    let job = Job::new(vec![rank(0, 3, 500, Some(0)), unknown]);
    assert_eq!((job.recording_ns(), job_recording(&job)), (None, None));
}

/// A rank as [`rank`], whose calls of MPI were timed: all of them on its first thread, outside of
/// regions. Its threads compute for `useful` ms.
fn timed(number: u32, mpi_ms: u64, useful: [u64; 2]) -> Brief {
    let sums = MpiSums {
        kind: MpiKind(Some(MpiClass::Collective)),
        calls: 10,
        time_ns: mpi_ms * MS,
        first_thread_ns: mpi_ms * MS,
        longest_ns: u64::from(number + 1) * MS,
        bytes: 800,
    };
    let by_function = [("MPI_Allreduce".to_owned(), sums)].into();
    let times = MpiTimes { outside_ns: mpi_ms * MS, inside_ns: 0, by_function };
    Brief {
        mpi: Some(MpiShare { ns: mpi_ms * MS, timed: Some(times), ..MpiShare::default() }),
        mpi_is_timed: true,
        useful: Useful { sum_ns: (useful[0] + useful[1]) * MS, max_ns: useful[0] * MS },
        ..rank(number, 2, 500, None)
    }
}

#[test]
fn the_efficiencies_are_those_of_the_definition() {
    // Outside MPI 800 and 400 ms of 1000; the threads compute for 600, 400, 300 and 100 ms.
    let job = Job::new(vec![timed(0, 200, [600, 400]), timed(1, 600, [300, 100])]);
    let pop = job.pop.expect("all calls are timed");
    assert_eq!((pop.runtime_ns, pop.threads), (1000 * MS, 4));
    let near = |it: Efficiency, expected: [f64; 3]| {
        let numbers = [it.parallel, it.load_balance, it.communication];
        let far = numbers.iter().zip(expected).any(|(one, other)| (one - other).abs() > 1e-9);
        assert!(!far, "{numbers:?} against {expected:?}");
    };
    near(pop.mpi, [0.6, 0.6 / 0.8, 0.8]);
    near(pop.hybrid, [0.35, 0.35 / 0.6, 0.6]);
    near(pop.openmp, [0.35 / 0.6, 0.35 / 0.6 / (0.6 / 0.8), 0.6 / 0.8]);
    let text = text(&job);
    assert_says(
        &text,
        &[
            "hybrid 0.35 0.58 0.60 MPI 0.60 0.75 0.80 OpenMP 0.58 0.78 0.75",
            "MPI's calls, of the first threads' wall time",
            "MPI_Allreduce 20 2.00 ms 1.60 kB 40.0 % 60.0 % rank 1",
            "rank 0 computes longest, 800.0 ms; rank 1 shortest, 400.0 ms",
        ],
    );
    let all = job.mpi[0].sums.expect("timed");
    assert_eq!((all.calls, all.time_ns, all.bytes), (20, 800 * MS, 1600));
    // Without the times of one rank nothing is said of all.
    assert_eq!(Job::new(vec![timed(0, 200, [600, 400]), rank(1, 2, 500, Some(5))]).pop, None);
}

#[test]
fn work_is_that_in_regions_and_serial_code_without_mpi() {
    // 400 of 500 ms outside of regions are no MPI.
    assert_eq!(rank(0, 1, 500, Some(20)).work_ns(), 1400 * MS);
    assert_eq!(rank(0, 1, 500, None).work_ns(), 1000 * MS, "what is MPI is not known");
    let alone = Brief { rank: None, ..rank(0, 1, 500, None) };
    assert_eq!(alone.work_ns(), 1500 * MS, "a program without MPI");
}

/// A construct in one line of `job.c` with two kernels, and 10 MB in each direction.
fn target(line: u32, kind: TargetKind, time_ms: u64, process: u64) -> JobTarget {
    JobTarget {
        place: region(line, 0, process).place,
        kind,
        processes: 1,
        calls: 1,
        unfinished: 0,
        time_ns: time_ms * MS,
        max_ns: time_ms * MS,
        slowest: 0,
        kernels: 2,
        kernel_ns: Some(time_ms * MS / 2),
        to_bytes: 10_000_000,
        from_bytes: 10_000_000,
    }
}

#[test]
fn target_constructs_of_all_ranks_are_added_up() {
    let mut ranks: Vec<Brief> = (0..3).map(|number| rank(number, 3, 500, None)).collect();
    let (kind, update) = (TargetKind::Target, TargetKind::Update);
    ranks[0].targets = vec![target(9, kind, 100, 0), target(9, update, 30, 0)];
    // Two devices of one rank.
    ranks[1].targets = vec![target(9, kind, 250, 1), target(9, kind, 150, 1)];
    ranks[1].targets[1].unfinished = 1;
    ranks[2].targets = vec![target(20, kind, 10, 2)];
    ranks[2].targets[0].kernel_ns = None;
    let job = Job::new(ranks);
    let [first, second, third] = job.targets.as_slice() else { panic!("{:#?}", job.targets) };
    assert_eq!((first.time_ns, first.max_ns), (500 * MS, 400 * MS));
    assert_eq!((first.processes, first.slowest), (2, 1));
    assert_eq!((first.calls, first.kernels, first.unfinished), (3, 6, 1));
    assert_eq!((first.to_bytes, first.kernel_ns), (30_000_000, Some(250 * MS)));
    assert_eq!((second.kind, second.time_ns, second.slowest), (update, 30 * MS, 0));
    assert_eq!((third.kernel_ns, third.slowest), (None, 2));
    let text = text(&job);
    assert_says(
        &text,
        &[
            "Target constructs of all processes, by time calls time of all mean longest in",
            "target job.c:9 3 500.0 ms 166.7 ms 400.0 ms rank 1 250.0 ms 30.0 MB 30.0 MB",
            "update job.c:9 1 30.00 ms 10.00 ms 30.00 ms rank 0 15.00 ms 10.0 MB 10.0 MB",
            "target job.c:20 1 10.00 ms 3.33 ms 10.00 ms rank 2 10.0 MB 10.0 MB",
            "target job.c:9: 1 call not finished when a recording ended",
        ],
    );
    let without = Job::new(vec![rank(0, 1, 500, None)]);
    assert!(!self::text(&without).contains("Target constructs"));
}

#[test]
fn without_samples_the_regions_are_compared() {
    let mut ranks: Vec<Brief> = (0..3).map(|number| rank(number, 4, 200, None)).collect();
    ranks.push(rank(3, 4, 600, None));
    let job = Job::new(ranks);
    assert!(job.mpi.is_empty());
    let said = text(&job);
    assert_says(
        &said,
        &[
            "Balance between ranks 0.50: rank 3 is in regions longest, 600.0 ms",
            "The samples tell no time in MPI",
            "1 rank 3 is in parallel regions 100.0 % longer than the mean (600.0 ms against 300.0 ms)",
            "seem to wait for it",
        ],
    );
    // A rank that ends sooner does not wait for other ranks.
    let mut short = rank(1, 2, 200, None);
    (short.wall_ns, short.recorded_ns, short.outside_ns) = (200 * MS, 200 * MS, 0);
    let said = text(&Job::new(vec![rank(0, 2, 600, None), short]));
    assert!(!said.contains("wait for it"), "{said}");
}

#[test]
fn even_ranks_get_no_advice_on_balance() {
    let job = Job::new((0..4).map(|number| rank(number, 4, 990, Some(0))).collect());
    assert!(!text(&job).contains("longer than the mean"), "{}", text(&job));
}

#[test]
fn missing_ranks_and_other_jobs_are_named() {
    let mut ranks: Vec<Brief> =
        [0, 3, 4, 9].map(|number| rank(number, 10, 500, None)).into_iter().collect();
    let job = Job::new(ranks.clone());
    assert_eq!(job.missing, [1, 2, 5, 6, 7, 8]);
    assert_says(&text(&job), &["4 of 10 ranks", "no recording of ranks 1, 2, 5 to 8"]);
    assert!(!job.mixed);
    ranks[1].rank.as_mut().unwrap().job = "b".to_owned();
    assert_says(&text(&Job::new(ranks)), &["come from several jobs"]);
    assert_eq!(rank_list(&[4]), "rank 4");
}

#[test]
fn of_many_ranks_the_extremes_have_rows() {
    let ranks =
        (0..500).map(|number| rank(number, 500, 400 + u64::from(number) / 5, None)).collect();
    let job = Job::new(ranks);
    for (phase, begin) in [("step/solve", "phase step/solve · "), ("", "outside of phases · ")] {
        let notes = JobNotes { scope: Scope::Phase(phase.to_owned()), ..JobNotes::default() };
        let text = render_job(&job, &notes, Style::plain());
        let line = text.lines().nth(1).expect("the second line");
        let rest = line.trim_start().strip_prefix(begin).unwrap_or_else(|| panic!("{text}"));
        assert!(rest.starts_with("under way ") && rest.contains("(the longest)"), "{text}");
    }
    let text = render_job(&job, &JobNotes::default(), Style::plain());
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("  rank ")).collect();
    assert_eq!(rows.len(), 8, "{text}");
    assert!(rows[0].contains("rank 499") || rows[0].contains("rank 49"), "{text}");
    assert!(rows[7].contains("400.0 ms"), "{text}");
    assert!(text.contains("500 ranks on 8 machines"), "{text}");
}

#[test]
fn ranks_that_are_bound_to_a_core_are_the_first_thing_said() {
    let ranks = (0..2).map(|number| Brief { allowed_cpus: 1, ..rank(number, 2, 500, None) });
    let text = text(&Job::new(ranks.collect()));
    assert_says(
        &text,
        &["- 2 of 2 recordings may use 1 processor and have 2 threads", "slot:PE=2"],
    );
}

#[test]
fn processes_lack_processors_only_with_those_that_run_at_the_same_time() {
    let short = |number: u32, begin_ms: u64| {
        let mut one = rank(number, 4, 500, None);
        one.by_class[Class::Scheduler as usize] = 400 * MS;
        one.started_unix_ns = begin_ms * MS;
        one
    };
    let apart = Job::new((0..4).map(|number| short(number, 2000 * u64::from(number))).collect());
    assert_eq!(apart.oversubscribed, []);
    let together = Job::new((0..4).map(|number| short(number, 400 * u64::from(number))).collect());
    let found = &together.oversubscribed[0];
    assert_eq!((found.processes, found.threads, found.allowed_cpus), (3, 6, 2));
    assert_eq!(found.lost_ns, 1600 * MS);
}

#[test]
fn lines_fit_the_width() {
    let mut ranks: Vec<Brief> = (0..3).map(|number| rank(number, 5, 200, Some(90))).collect();
    ranks.push(rank(3, 5, 600, Some(90)));
    let job = Job::new(ranks);
    for width in 60..=100 {
        let text = render_job(&job, &JobNotes::default(), Style { width, ..Style::plain() });
        let long = text.lines().find(|line| line.chars().count() > width);
        assert_eq!(long, None, "{width}");
    }
}
