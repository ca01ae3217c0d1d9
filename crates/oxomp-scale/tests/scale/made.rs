//! Runs made by hand.

use std::collections::BTreeMap;

use oxomp_analysis::summary::Class;
use oxomp_compare::{Construct, Facts, Group, Kind, RuntimeWaits, Spot};
use oxomp_scale::{Measured, MeasuredRegion};

const MS: f64 = 1e6;

pub(crate) fn construct(group: Group, name: &'static str, function: &str, line: u32) -> Construct {
    let spot = Spot {
        file: Some("bins.c".to_owned()),
        function: Some(function.to_owned()),
        line: Some(line),
        module: Some("bins".to_owned()),
        offset: u64::from(line) * 16,
    };
    Construct { kind: Kind { group, name }, spot: Some(spot), other: None }
}

pub(crate) fn region(line: u32) -> Construct {
    construct(Group::Region, "parallel", "count", line)
}

pub(crate) fn critical(line: u32) -> Construct {
    construct(Group::Lock, "critical", "count", line)
}

/// A region whose team of `team` threads does `useful` ms of work, and that loses wall time, ms.
pub(crate) fn with_team(team: u32, useful: f64, losses: &[(Class, f64)]) -> MeasuredRegion {
    let mut by_class = [0.0; Class::COUNT];
    for (class, ms) in losses {
        by_class[*class as usize] = ms * MS;
    }
    MeasuredRegion {
        calls: 3,
        team: (team, team),
        is_nested: false,
        iterations: 0,
        work_ns: useful * MS / f64::from(team),
        workers: f64::from(team),
        losses: by_class,
        waits: RuntimeWaits::default(),
    }
}

/// A run with `threads` threads, `serial` ms of serial code, and regions.
pub(crate) fn run(threads: u32, serial: f64, regions: &[(u32, MeasuredRegion)]) -> Measured {
    let regions: BTreeMap<Construct, MeasuredRegion> =
        regions.iter().map(|(line, measured)| (region(*line), measured.clone())).collect();
    let inside: f64 = regions.values().map(MeasuredRegion::cost_ns).sum();
    Measured {
        threads,
        facts: Facts {
            command: vec!["./bins".to_owned(), "100".to_owned()],
            threads,
            runtime: "a runtime".to_owned(),
            hostname: "node1".to_owned(),
            allowed_cpus: 8,
            ..Facts::default()
        },
        wall_ns: serial * MS + inside,
        cpu_ns: Some(serial * MS + inside),
        serial_ns: serial * MS,
        initial_threads: 1,
        regions,
        locks: BTreeMap::new(),
        ..Measured::default()
    }
}

/// A run whose only region waits so long for a critical.
pub(crate) fn waiting(threads: u32, useful: f64, waits: f64) -> Measured {
    let mut run = run(threads, 0.0, &[(9, with_team(threads, useful, &[(Class::Mutex, waits)]))]);
    if waits > 0.0 {
        run.locks.insert(critical(12), waits * MS);
    }
    run
}
