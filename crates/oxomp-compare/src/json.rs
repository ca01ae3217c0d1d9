//! A comparison as JSON: a contract of its own, which README.md documents.

use serde::Serialize;

use crate::comparison::{Comparison, Gate, Row, Subject, Verdict};
use crate::construct::{Construct, Group};
use crate::contention_change::ContentionChange;
use crate::offloaded::Offloaded;
use crate::run::RunSet;
use crate::text::name;

/// The value of `format`.
pub const FORMAT: &str = "oxomp-diff";
/// The value of `version`: it rises when a field changes its meaning or goes away.
pub const VERSION: u32 = 1;

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    before: Side<'a>,
    after: Side<'a>,
    conditions: &'a [String],
    warnings: &'a [String],
    threshold: f64,
    confidence: Option<f64>,
    verdict: &'static str,
    regressions: Vec<String>,
    wall: Quantity,
    cpu: Option<Quantity>,
    efficiency: Quantity,
    parts: Vec<Part>,
    classes: Vec<ClassTime>,
    constructs: Vec<ConstructTime>,
    contention: Vec<Contended<'a>>,
}

#[derive(Debug, Serialize)]
struct Side<'a> {
    path: &'a str,
    runs: usize,
    command: &'a [String],
    threads: u32,
    allowed_cpus: u32,
    hostname: &'a str,
    runtime: &'a str,
    recording: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Quantity {
    before: Option<f64>,
    after: Option<f64>,
    change: f64,
    range: Option<[f64; 2]>,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct ClassTime {
    class: &'static str,
    time_ns: Quantity,
}

#[derive(Debug, Serialize)]
struct Part {
    part: &'static str,
    construct: Option<Name>,
    wall_ns: Quantity,
}

#[derive(Debug, Serialize)]
struct ConstructTime {
    state: &'static str,
    before: Option<Name>,
    after: Option<Name>,
    time_ns: Quantity,
    wall_change_ns: f64,
    count: [u64; 2],
    detail: [String; 2],
    kernels: Option<[u64; 2]>,
    to_bytes: Option<[u64; 2]>,
    from_bytes: Option<[u64; 2]>,
}

#[derive(Debug, Serialize)]
struct Contended<'a> {
    region: Option<Name>,
    code: &'static str,
    place: &'a str,
    before: f64,
    after: f64,
    error: f64,
    samples: [f64; 2],
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct Name {
    group: &'static str,
    kind: &'static str,
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    place: String,
}

/// The JSON of `comparison`; `gates` are the changes for which the command fails.
#[must_use]
pub fn to_json(comparison: &Comparison, gates: &[Gate]) -> String {
    let document = Document {
        format: FORMAT,
        version: VERSION,
        before: side(&comparison.before),
        after: side(&comparison.after),
        conditions: &comparison.conditions,
        warnings: &comparison.warnings,
        threshold: comparison.threshold,
        confidence: comparison.noise.confidence(),
        verdict: verdict(comparison.wall.change.verdict),
        regressions: comparison.regressions(gates).into_iter().map(name).collect(),
        wall: quantity(&comparison.wall),
        cpu: comparison.cpu.as_ref().map(quantity),
        efficiency: quantity(&comparison.efficiency),
        parts: comparison.parts.iter().filter_map(part).collect(),
        classes: comparison.classes.iter().filter_map(class).collect(),
        constructs: comparison.constructs.iter().filter_map(construct).collect(),
        contention: comparison.contention.iter().map(contended).collect(),
    };
    serde_json::to_string_pretty(&document).expect("all keys are strings, all numbers finite")
}

fn side(set: &RunSet) -> Side<'_> {
    let facts = &set.runs[0].facts;
    Side {
        path: &set.name,
        runs: set.runs.len(),
        command: &facts.command,
        threads: facts.threads,
        allowed_cpus: facts.allowed_cpus,
        hostname: &facts.hostname,
        runtime: &facts.runtime,
        recording: facts.recording,
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Less => "less",
        Verdict::More => "more",
    }
}

fn quantity(row: &Row) -> Quantity {
    Quantity {
        before: row.change.before,
        after: row.change.after,
        change: row.change.by,
        range: row.change.interval.map(|range| [range.low, range.high]),
        verdict: verdict(row.change.verdict),
    }
}

fn class(row: &Row) -> Option<ClassTime> {
    let Subject::Class(class) = row.subject else { return None };
    Some(ClassTime { class: class.name(), time_ns: quantity(row) })
}

fn part(row: &Row) -> Option<Part> {
    let Subject::Part(_, part) = row.subject else { return None };
    let construct = row.subject.construct().map(named);
    Some(Part { part, construct, wall_ns: quantity(row) })
}

fn construct(row: &Row) -> Option<ConstructTime> {
    let Subject::Construct((before, after)) = &row.subject else { return None };
    let state = match (before, after) {
        (Some(_), Some(_)) => "matched",
        (None, _) => "new",
        (_, None) => "gone",
    };
    let is_target = row.offloaded.0.or(row.offloaded.1).is_some();
    let (one, other) = (row.offloaded.0.unwrap_or_default(), row.offloaded.1.unwrap_or_default());
    let both = |of: fn(Offloaded) -> u64| is_target.then(|| [of(one), of(other)]);
    Some(ConstructTime {
        state,
        before: before.as_ref().map(named),
        after: after.as_ref().map(named),
        time_ns: quantity(row),
        wall_change_ns: row.wall_by,
        count: [row.counts.0, row.counts.1],
        detail: [row.details.0.clone(), row.details.1.clone()],
        kernels: both(|it| it.kernels),
        to_bytes: both(|it| it.to_bytes),
        from_bytes: both(|it| it.from_bytes),
    })
}

fn contended(change: &ContentionChange) -> Contended<'_> {
    Contended {
        region: change.region.1.as_ref().map(named),
        code: change.code.name(),
        place: change.place(),
        before: change.before.share,
        after: change.after.share,
        error: change.error,
        samples: [change.before.samples, change.after.samples],
        verdict: verdict(change.verdict),
    }
}

fn named(construct: &Construct) -> Name {
    // A stretch of serial code has a region at each end, and no function of its own.
    let spot = construct.spot.as_ref().filter(|_| construct.kind.group != Group::Serial);
    Name {
        group: construct.kind.group.name(),
        kind: construct.kind.name,
        function: spot.and_then(|spot| spot.function.clone()),
        file: spot.and_then(|spot| spot.file.clone()),
        line: spot.and_then(|spot| spot.line),
        place: construct.place(),
    }
}
