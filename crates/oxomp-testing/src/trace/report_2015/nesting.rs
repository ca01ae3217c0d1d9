//! Pairs of begin and end: nested in each task; no event comes between the begin and the end of a
//! wait, and both lie in the region that waits.

use std::collections::BTreeMap;

use crate::trace::log::{Event, Log};

use super::event::{broken, by_thread, require, value};

/// Constructs whose begin and end have the region and the task as arguments, with the construct
/// that each must lie in directly.
const PAIRS: [(&str, &str); 12] = [
    ("wait_barrier", "barrier"),
    ("wait_taskwait", "taskwait"),
    ("wait_taskgroup", "taskgroup"),
    ("loop", ""),
    ("sections", ""),
    ("single_in_block", ""),
    ("single_others", ""),
    ("workshare", ""),
    ("master", ""),
    ("barrier", ""),
    ("taskwait", ""),
    ("taskgroup", ""),
];

/// The construct of an event, and whether it is the begin.
fn construct(event: &Event) -> Option<(&'static str, &'static str, bool)> {
    PAIRS.iter().find_map(|(name, around)| match event.name.strip_prefix(name) {
        Some("_begin") => Some((*name, *around, true)),
        Some("_end") => Some((*name, *around, false)),
        _ => None,
    })
}

/// The rules for pairs.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut open: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    let mut last: BTreeMap<&str, &Event> = BTreeMap::new();
    for event in &log.events {
        let (task, region) = (value(event, "task"), value(event, "parallel"));
        if ["task_end", "implicit_task_end", "initial_task_end"].contains(&event.name.as_str()) {
            let none_open = open.get(task).is_none_or(Vec::is_empty);
            require(none_open, event, "the task ends inside a construct")?;
        }
        let Some((name, around, is_begin)) = construct(event) else { continue };
        last.insert(task, event);
        let open = open.entry(task).or_default();
        if is_begin {
            let outer = open.last().map_or("", |(name, _)| *name);
            require(around.is_empty() || outer == around, event, "a wait outside of its region")?;
            open.push((name, region));
        } else {
            require(open.pop() == Some((name, region)), event, "an end without its begin")?;
        }
    }
    for (task, constructs) in &open {
        require(constructs.is_empty(), last[task], "the construct of the task does not end")?;
    }
    by_thread(log).values().try_for_each(|events| waits(events))
}

/// The event after the begin of a wait is its end, and after a wait for a mutex its acquisition.
fn waits(events: &[&Event]) -> Result<(), String> {
    for (index, event) in events.iter().enumerate() {
        let Some(kind) = event.name.strip_prefix("wait_") else { continue };
        let Some(next) = events.get(index + 1) else {
            return broken(event, "a thread waits to the end");
        };
        if let Some(kind) = kind.strip_suffix("_begin") {
            let is_end = next.name == format!("wait_{kind}_end");
            require(is_end, next, "something happens while the thread waits")?;
            require(value(next, "task") == value(event, "task"), next, "another task's wait")?;
        } else if !kind.ends_with("_end") {
            let acquired = match kind {
                "nest_lock" => "acquired_nest_lock_first".to_owned(),
                kind => format!("acquired_{kind}"),
            };
            require(next.name == acquired, next, "the thread does not get what it waits for")?;
            let same = value(next, "wait_id") == value(event, "wait_id");
            require(same, next, "the thread gets something else than it waits for")?;
        }
    }
    Ok(())
}
