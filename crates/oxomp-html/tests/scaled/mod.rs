//! Made-up runs at several numbers of threads.

use std::collections::BTreeMap;

use oxomp_analysis::summary::Class;
use oxomp_scale::{
    Construct, Facts, Group, Kind, Measured, MeasuredRegion, RuntimeWaits, Scale, Spot,
};

const MS: f64 = 1e6;

fn construct(group: Group, name: &'static str, function: &str, line: u32) -> Construct {
    let spot = Spot {
        file: Some("bins.c".to_owned()),
        function: Some(function.to_owned()),
        line: Some(line),
        module: Some("bins".to_owned()),
        offset: u64::from(line) * 16,
    };
    Construct { kind: Kind { group, name }, spot: Some(spot), other: None }
}

fn region(team: u32, useful_ms: f64, losses: &[(Class, f64)]) -> MeasuredRegion {
    let mut by_class = [0.0; Class::COUNT];
    for (class, ms) in losses {
        by_class[*class as usize] = ms * MS;
    }
    MeasuredRegion {
        calls: 120,
        team: (team, team),
        is_nested: false,
        iterations: 0,
        work_ns: useful_ms * MS / f64::from(team),
        workers: f64::from(team),
        losses: by_class,
        waits: RuntimeWaits::default(),
    }
}

/// A run of regions that wait for a critical, become slower by memory, have fixed teams, and scale.
pub(crate) fn run(threads: u32, jitter: f64, function: &str) -> Measured {
    let n = f64::from(threads);
    let regions: BTreeMap<Construct, MeasuredRegion> = [
        (
            9,
            region(
                threads,
                900.0 + jitter,
                &[(Class::Mutex, 350.0 * (1.0 - 1.0 / n)), (Class::Imbalance, 9.0 * (n - 1.0))],
            ),
        ),
        (31, region(threads, 600.0 * n.powf(0.5), &[(Class::Barrier, 2.0 * (n - 1.0))])),
        (58, region(2, 160.0, &[])),
        (77, region(threads, 700.0, &[(Class::ForkJoin, 1.5 * (n - 1.0))])),
    ]
    .into_iter()
    .map(|(line, region)| (construct(Group::Region, "parallel", function, line), region))
    .collect();
    let serial_ns = 130.0 * MS;
    let inside: f64 = regions.values().map(MeasuredRegion::cost_ns).sum();
    let lock = construct(Group::Lock, "critical", function, 12);
    let waits = [(lock, 350.0 * (1.0 - 1.0 / n) * MS)].into();
    Measured {
        threads,
        facts: Facts {
            command: vec!["./bins".to_owned(), "--size".to_owned(), "100000".to_owned()],
            threads,
            runtime: "oxomp 0.1.0".to_owned(),
            hostname: "node1".to_owned(),
            allowed_cpus: 8,
            ..Facts::default()
        },
        wall_ns: serial_ns + inside,
        cpu_ns: Some(2.0 * inside),
        serial_ns,
        initial_threads: 1,
        regions,
        locks: waits,
        ..Measured::default()
    }
}

pub(crate) fn scale(function: &str) -> Scale {
    let numbers = [1, 2, 4, 8, 16];
    let runs = numbers
        .into_iter()
        .flat_map(|threads| [0.0, 40.0, 90.0].map(|jitter| run(threads, jitter, function)));
    Scale::of(runs.collect(), 8).expect("there are runs")
}
