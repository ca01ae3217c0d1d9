//! What is taken from summaries.

use std::collections::BTreeMap;

use oxomp_analysis::summary::{
    Blocked, Budget, Cause, Class, Gain, Header, Mutex, MutexKind, Offload, Quality, RecordingCost,
    Region, SiteId, SpinLoop, Summary, Thread,
};
use oxomp_analysis::symbols::Place;
use oxomp_scale::{Contention, Measured, MeasuredRegion};

const MS: u64 = 1_000_000;

fn summary(wall_ms: u64, regions: Vec<Region>, mutexes: Vec<Mutex>) -> Summary {
    Summary {
        header: Header {
            command: vec!["./bins".to_owned()],
            pid: 1,
            runtime: "a runtime".to_owned(),
            allowed_cpus: 8,
            wall_ns: wall_ms * MS,
            cpu_ns: Some(wall_ms * MS),
            recorded_ns: wall_ms * MS,
            max_team: 4,
            threads: 4,
            ..Header::default()
        },
        budget: Budget {
            accounted: 1.0,
            parallel_efficiency: 1.0,
            average_concurrency: 1.0,
            ..Budget::default()
        },
        threads: Vec::new(),
        regions,
        loops: Vec::new(),
        expected: Vec::new(),
        unreached: Vec::new(),
        directives: BTreeMap::new(),
        tasks: Vec::new(),
        chains: Vec::new(),
        barriers: Vec::new(),
        mutexes,
        serial: Vec::new(),
        offload: Offload::default(),
        mpi: Vec::new(),
        counters: None,
        iterations: None,
        phases: Vec::new(),
        slices: Vec::new(),
        sampled: None,
        blocked: Vec::new(),
        atomics: Vec::new(),
        spins: Vec::new(),
        shared_lines: Vec::new(),
        quality: Quality::default(),
        sites: Vec::new(),
    }
}

fn region(site: u32, wall_ms: u64, useful_ms: u64, gain: Gain) -> Region {
    Region {
        site: Some(SiteId(site)),
        calls: 2,
        wall_ns: wall_ms * MS,
        team: (4, 4),
        useful_ns: useful_ms * MS,
        gain,
        ..Region::default()
    }
}

fn places() -> Vec<Place> {
    let place = |line| Place {
        function: Some("count".to_owned()),
        line: Some(("/src/bins.c".to_owned(), line)),
        module: Some("bins".to_owned()),
        offset: u64::from(line),
        behind: None,
        body: None,
    };
    [9, 20, 12].map(place).into()
}

fn at(measured: &Measured, line: u32) -> &MeasuredRegion {
    let is = |spot: &oxomp_compare::Spot| spot.line == Some(line);
    let found = measured.regions.iter().find(|(one, _)| one.spot.as_ref().is_some_and(is));
    found.expect("the region").1
}

#[test]
fn the_parts_of_a_run_sum_to_its_wall_time() {
    let gain = Gain { imbalance_ns: 30 * MS, mutex_ns: 20 * MS, ..Gain::default() };
    let lock = Mutex {
        kind: MutexKind::Critical,
        site: Some(SiteId(2)),
        locks: 1,
        acquisitions: 1,
        contended: 1,
        gain_ns: 20 * MS,
        ..Mutex::default()
    };
    let summary = summary(200, vec![region(0, 150, 400, gain)], vec![lock]);
    let run = Measured::of(4, &summary, &places());
    let region = at(&run, 9);
    assert_eq!((region.work_ns, region.workers), (100e6, 4.0));
    assert_eq!((region.cost_ns(), run.serial_ns, run.wall_ns), (150e6, 50e6, 200e6));
    let locks: Vec<_> = run.locks.iter().map(|(lock, ns)| (lock.place(), *ns)).collect();
    assert_eq!(locks, [("bins.c:12".to_owned(), 20e6)]);
}

#[test]
fn the_threads_that_did_the_work_are_counted_by_it() {
    // Half of the executions had one thread: 100 ms of work in each, 400 + 100 of useful time.
    let run = Measured::of(
        4,
        &summary(300, vec![region(0, 200, 500, Gain::default())], vec![]),
        &places(),
    );
    assert_eq!(at(&run, 9).workers, 2.5);
}

#[test]
fn what_nested_regions_lose_is_not_counted_twice() {
    let lost = Gain { barrier_ns: 40 * MS, ..Gain::default() };
    let inner = Region { nested: 2, ..region(1, 90, 100, lost) };
    let outer = region(0, 150, 600, Gain::default());
    let run = Measured::of(4, &summary(200, vec![outer, inner], vec![]), &places());
    let (outer, inner) = (at(&run, 9), at(&run, 20));
    assert!(inner.is_nested && inner.work_ns == 0.0);
    assert_eq!((outer.cost_ns().round(), inner.cost_ns()), (110e6, 40e6));
    assert_eq!(run.serial_ns, 50e6);
}

#[test]
fn regions_of_several_threads_of_the_programs_own_count_in_proportion() {
    let thread = |number, serial_ms: u64, useful_ms: u64| {
        let mut by_class = [0; Class::COUNT];
        by_class[Class::Serial as usize] = serial_ms * MS;
        by_class[Class::Useful as usize] = useful_ms * MS;
        Thread { number, tid: number, initial: true, by_class, ..Thread::default() }
    };
    let regions = vec![region(0, 180, 720, Gain::default()), region(1, 60, 240, Gain::default())];
    let summary = Summary {
        threads: vec![thread(0, 80, 120), thread(1, 60, 140)],
        ..summary(200, regions, vec![])
    };
    let run = Measured::of(4, &summary, &places());
    assert_eq!((run.serial_ns, run.initial_threads), (80e6, 2));
    assert_eq!((at(&run, 9).cost_ns(), at(&run, 20).cost_ns()), (90e6, 30e6));
}

#[test]
fn waits_for_iterations_and_turns_are_no_waits_for_locks() {
    let gain = Gain { mutex_ns: 60 * MS, ..Gain::default() };
    let wait = |cause, ms: u64| Blocked {
        region: Some(SiteId(0)),
        cause,
        samples: 1,
        time_ns: ms * MS,
        ..Blocked::default()
    };
    let summary = Summary {
        // Of four threads.
        blocked: vec![wait(Cause::Doacross, 160), wait(Cause::Reduction, 40)],
        ..summary(200, vec![region(0, 150, 360, gain)], vec![])
    };
    let run = Measured::of(4, &summary, &places());
    let region = at(&run, 9);
    assert_eq!((region.waits.iterations_ns, region.waits.turns_ns), (40e6, 10e6));
    assert_eq!(region.losses[Class::Mutex as usize], 10e6);
    assert_eq!((region.cost_ns(), run.serial_ns), (150e6, 50e6));
}

#[test]
fn code_in_which_threads_meet_and_the_cost_of_recording_are_taken_over() {
    let spin = SpinLoop {
        region: Some(SiteId(0)),
        function: "wait_for".to_owned(),
        line: Some(("/src/bins.c".to_owned(), 4)),
        samples: 30,
        of: 120,
    };
    let mut summary = Summary {
        spins: vec![spin],
        ..summary(200, vec![region(0, 150, 600, Gain::default())], vec![])
    };
    assert_eq!(Measured::of(4, &summary, &places()).recording_ns, None);
    summary.quality.recording = vec![RecordingCost { class: "loops", events: 1, cost_ns: 5 * MS }];
    summary.budget.by_class[Class::Useful as usize] = 600 * MS;
    summary.budget.by_class[Class::Serial as usize] = 50 * MS;
    let run = Measured::of(4, &summary, &places());
    assert_eq!((run.recording_ns, run.worked_ns), (Some(5e6), 650e6));
    let ((_, kind), code) = run.contention.first_key_value().expect("the loop");
    assert_eq!((*kind, code.share, code.samples), (Contention::Spinning, 0.25, 120.0));
    assert_eq!(code.place, "bins.c:4 in wait_for");
}
