//! The parts of the wall time: every nanosecond has one.

use oxomp_analysis::summary::{Cause, Class, Gain, Mutex, Region, SerialStretch, Summary};
use oxomp_compare::{Group, Run, RuntimeWaits};
use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert, proptest};

use crate::summaries::{TEAM, blocked, empty, lock, region, run, serial};

const MS: u64 = 1_000_000;
const MUTEX: &str = "locks & criticals";

/// The part `name` of the construct at a line, ms.
fn part(run: &Run, group: Group, line: u32, name: &str) -> Option<f64> {
    let is = |construct: &oxomp_compare::Construct| {
        construct.kind.group == group
            && construct.spot.as_ref().is_some_and(|spot| spot.line == Some(line))
    };
    let mut parts = run.parts.iter();
    let found = parts.find(|((construct, part), _)| is(construct) && *part == name);
    found.map(|(_, ns)| (ns / MS as f64 * 1e3).round() / 1e3)
}

/// The time of regions outside every other, and of serial code, ns.
fn wall(regions: &[Region], serial: &[SerialStretch]) -> u64 {
    let regions = regions.iter().map(|region| region.wall_ns);
    regions.chain(serial.iter().map(|stretch| stretch.total_ns)).sum()
}

#[test]
fn waits_of_every_kind_have_a_part_and_the_parts_are_the_wall_time() {
    // 100 ms of a region: 20 for iterations, 10 for turns, 12 at a lock, 3 of it in vain tests.
    let gain = Gain { mutex_ns: 42 * MS, imbalance_ns: 8 * MS, ..Gain::default() };
    let regions = vec![region(0, 100 * MS, gain), region(1, 50 * MS, Gain::default())];
    let stretches = vec![serial(0, 30 * MS), serial(1, 20 * MS)];
    let team = u64::from(TEAM);
    let summary = Summary {
        blocked: vec![
            blocked(0, Cause::Doacross, 15 * MS * team),
            blocked(0, Cause::Reduction, 10 * MS * team),
            blocked(0, Cause::Doacross, 5 * MS * team),
            blocked(0, Cause::Sleep, 40 * MS * team),
            blocked(1, Cause::Doacross, 9 * MS * team),
        ],
        mutexes: vec![lock(2, 36 * MS, 12 * MS, 12 * MS)],
        regions: regions.clone(),
        serial: stretches.clone(),
        ..empty()
    };
    let run = run(&summary);
    let of_region = |name| part(&run, Group::Region, 1, name);
    assert_eq!(of_region("useful work"), Some(50.0));
    assert_eq!(of_region(RuntimeWaits::ITERATIONS), Some(20.0));
    assert_eq!(of_region(RuntimeWaits::TURNS), Some(10.0));
    assert_eq!(of_region(Class::Imbalance.name()), Some(8.0));
    assert_eq!(of_region(MUTEX), None, "the lock's row has it");
    assert_eq!(part(&run, Group::Lock, 3, MUTEX), Some(12.0));
    // The second region loses nothing, whatever samples say.
    assert_eq!(part(&run, Group::Region, 2, RuntimeWaits::ITERATIONS), None);
    let sum: f64 = run.parts.values().sum();
    assert_eq!(sum.round() as u64, wall(&regions, &stretches));
    let lock = run.constructs.iter().find(|(construct, _)| construct.kind.group == Group::Lock);
    assert_eq!(lock.map(|(_, measure)| measure.time_ns), Some(48e6), "waits and spinning");
}

#[test]
fn waits_for_locks_without_a_row_stay_with_the_region() {
    let gain = Gain { mutex_ns: 40 * MS, ..Gain::default() };
    let mutexes = vec![lock(2, 0, 0, 10 * MS)];
    let summary = Summary { regions: vec![region(0, 100 * MS, gain)], mutexes, ..empty() };
    let run = run(&summary);
    assert_eq!(part(&run, Group::Region, 1, MUTEX), Some(30.0));
    assert_eq!(part(&run, Group::Lock, 3, MUTEX), Some(10.0));
}

#[test]
fn what_a_lock_costs_outside_of_regions_is_in_the_serial_code() {
    let gain = Gain { mutex_ns: 10 * MS, ..Gain::default() };
    let summary = Summary {
        regions: vec![region(0, 100 * MS, gain)],
        serial: vec![serial(0, 50 * MS)],
        mutexes: vec![lock(2, 0, 0, 15 * MS), lock(3, 0, 0, 5 * MS)],
        ..empty()
    };
    let run = run(&summary);
    let of_lock = |line| part(&run, Group::Lock, line, MUTEX);
    assert_eq!((of_lock(3), of_lock(4)), (Some(7.5), Some(2.5)));
    assert_eq!(run.parts.values().sum::<f64>().round() as u64, 150 * MS);
}

fn any_region(site: u32) -> impl Strategy<Value = Region> {
    let losses = prop::array::uniform9(0_u64..100_000);
    (losses, 0_u64..1_000_000).prop_map(move |(losses, work)| {
        let [imbalance, barrier, mutex, taskwait, starved, dispatch, scheduler, blocked, fork] =
            losses;
        let gain = Gain {
            imbalance_ns: imbalance,
            barrier_ns: barrier,
            mutex_ns: mutex,
            taskwait_ns: taskwait,
            starved_ns: starved,
            dispatch_ns: dispatch,
            scheduler_ns: scheduler,
            blocked_ns: blocked,
            fork_join_ns: fork,
        };
        region(site, gain.total_ns() + work, gain)
    })
}

fn any_lock() -> impl Strategy<Value = Mutex> {
    (4_u32..8, 0_u64..100_000, 0_u64..100_000, 0_u64..100_000)
        .prop_map(|(site, wait, spin, gain)| lock(site, wait, spin, gain))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_parts_sum_to_the_time_of_regions_and_of_serial_code(
        regions in (any_region(0), any_region(1), any_region(2)),
        mutexes in prop::collection::vec(any_lock(), 0..4),
        waits in prop::collection::vec((0_u32..3, 0_usize..3, 0_u64..400_000), 0..6),
        stretches in prop::collection::vec((0_u32..3, 0_u64..1_000_000), 0..4),
    ) {
        let regions = vec![regions.0, regions.1, regions.2];
        let causes = [Cause::Doacross, Cause::Reduction, Cause::Mutex];
        let waits = waits.into_iter().map(|(site, cause, ns)| blocked(site, causes[cause], ns));
        let stretches: Vec<_> = stretches.into_iter().map(|(site, ns)| serial(site, ns)).collect();
        let expected = wall(&regions, &stretches);
        let summary = Summary {
            regions,
            mutexes,
            blocked: waits.collect(),
            serial: stretches,
            ..empty()
        };
        let run = run(&summary);
        let sum: f64 = run.parts.values().sum();
        prop_assert!((sum - expected as f64).abs() < 1.0, "{} of {}", sum, expected);
        prop_assert!(run.parts.values().all(|ns| *ns > 0.0), "{:?}", run.parts);
    }
}
