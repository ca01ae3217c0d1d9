//! A random program's events of the report are as many, of each kind, as those derived from its
//! events of OpenMP 5, which agree with the model of the program (`fuzz::accept`).

use std::collections::{BTreeMap, BTreeSet};

use oxomp_testing::trace::expand::Line;
use oxomp_testing::trace::log::{Event, Log};

use crate::derive::role::{RegionCodes, Role};

/// Events whose number depends on how the threads meet, or on what the machine has.
const FREE: [&str; 14] = [
    "wait_barrier",
    "wait_taskwait",
    "wait_taskgroup",
    "wait_lock",
    "wait_nest_lock",
    "wait_critical",
    "wait_atomic",
    "wait_ordered",
    "idle",
    "thread",
    "task_switch",
    "task_dependence_pair",
    "target",
    "runtime_shutdown",
];

/// Compares the numbers, unless a construct is cancelled or a lock is tested: how much is executed
/// is open then.
///
/// # Errors
///
/// The kinds of events whose numbers differ.
pub(crate) fn check(report: &Log, openmp: &Log) -> Result<(), String> {
    let is_open = |event: &Event| {
        let kind = event.get("kind").unwrap_or_default();
        event.name == "cancel" || kind.starts_with("test_")
    };
    if openmp.events.iter().any(is_open) {
        return Ok(());
    }
    let mut numbers: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for event in &report.events {
        numbers.entry(event.name.clone()).or_default()[0] += 1;
    }
    for name in derived(openmp)? {
        numbers.entry(name).or_default()[1] += 1;
    }
    let is_free = |name: &str| FREE.iter().any(|free| name.starts_with(free));
    let differ: Vec<String> = numbers
        .iter()
        .filter(|(name, [is, should_be])| !is_free(name) && is != should_be)
        .map(|(name, [is, should_be])| format!("{is} {name}, not {should_be}"))
        .collect();
    if differ.is_empty() { Ok(()) } else { Err(format!("numbers: {}", differ.join("; "))) }
}

/// The names of the events of the report that the events of OpenMP 5 are.
fn derived(log: &Log) -> Result<Vec<String>, String> {
    // The tasks of target constructs: where they end depends on the thread that executes them.
    let is_target = |event: &&Event| {
        event.name == "task_create"
            && event.get("flags").is_some_and(|flags| flags.split(',').any(|it| it == "target"))
    };
    let targets: BTreeSet<&str> =
        log.events.iter().filter(is_target).filter_map(|event| event.get("task")).collect();
    let mut threads: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
    for event in &log.events {
        let is_targets = event.get("prior").is_some_and(|task| targets.contains(task));
        if event.name.starts_with("target") || is_targets {
            continue;
        }
        let keys: String = event.keys.iter().map(|(key, it)| format!(" {key}={it}")).collect();
        let lines = threads.entry(event.thread).or_default();
        lines.push((0, format!("{}{keys}", event.name)));
        for detail in &event.details {
            let keys: String = detail.keys.iter().map(|(key, it)| format!(" {key}={it}")).collect();
            lines.push((0, format!("+ {}{keys}", detail.name)));
        }
    }
    let mut names = Vec::new();
    for lines in threads.values() {
        let lines = Role::new("worker", &RegionCodes::new()).derive(lines)?;
        let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        let is_event = |name: &String| !["+", "maybe", "}"].contains(&name.as_str());
        names.extend(lines.iter().map(|(_, text)| first(text)).filter(is_event));
    }
    Ok(names)
}
