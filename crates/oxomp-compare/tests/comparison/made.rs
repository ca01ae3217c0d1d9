//! Runs made by hand.

use std::collections::BTreeMap;

use oxomp_compare::{Construct, Facts, Group, Kind, Measure, Run, RunSet, Spot};

/// A place with a line.
pub(crate) fn spot(function: &str, line: u32) -> Spot {
    Spot {
        file: Some("solver.c".to_owned()),
        function: Some(function.to_owned()),
        line: Some(line),
        module: Some("solver".to_owned()),
        offset: u64::from(line) * 16,
    }
}

/// A construct in no other.
pub(crate) fn construct(group: Group, name: &'static str, function: &str, line: u32) -> Construct {
    Construct { kind: Kind { group, name }, spot: Some(spot(function, line)), other: None }
}

pub(crate) fn region(function: &str, line: u32) -> Construct {
    construct(Group::Region, "parallel", function, line)
}

/// A run of these constructs, whose times are a part of its wall time each, ns.
pub(crate) fn run(wall_ns: f64, times: &[(Construct, f64)]) -> Run {
    let measure =
        |time_ns: f64| Measure { time_ns, wall_ns: time_ns, count: 1, ..Measure::default() };
    let constructs: BTreeMap<Construct, Measure> =
        times.iter().map(|(construct, time)| (construct.clone(), measure(*time))).collect();
    let parts =
        times.iter().map(|(construct, time)| ((construct.clone(), "useful work"), *time)).collect();
    let facts = Facts {
        command: vec!["./solver".to_owned()],
        threads: 4,
        max_team: 4,
        runtime: "a runtime".to_owned(),
        hostname: "node1".to_owned(),
        processor: "PDP-10".to_owned(),
        allowed_cpus: 4,
        ..Facts::default()
    };
    Run {
        facts,
        wall_ns,
        cpu_ns: Some(3.0 * wall_ns),
        efficiency: 0.75,
        constructs,
        parts,
        ..Run::default()
    }
}

pub(crate) fn set(name: &str, runs: Vec<Run>) -> RunSet {
    RunSet { name: name.to_owned(), runs }
}
