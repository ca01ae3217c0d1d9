//! Dependences: conflicting siblings run in order, and the edges reported are conflicts.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{History, value};
use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, Log, find};

const CLAUSE: &str = "5.2 §15.9.5, depend; §19.5.2.9, task_dependence";

/// A task that has dependences.
struct Sibling<'l> {
    task: &'l str,
    /// Type and variable of each.
    depend: Vec<(&'l str, &'l str)>,
    /// The position of the event that tells them.
    announced: usize,
    /// The position of the creating thread's next event that tells of no edge, before which the
    /// runtime has tied the task to all its predecessors.
    tied: usize,
}

/// Checks all tasks with dependences.
#[must_use]
pub fn check(log: &Log, history: &History<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut families: BTreeMap<&str, Vec<Sibling<'_>>> = BTreeMap::new();
    let mut creator_of = BTreeMap::new();
    let mut announced = BTreeMap::new();
    for (at, event) in log.events.iter().enumerate() {
        match event.name.as_str() {
            "task_create" => {
                creator_of.insert(value(event, "task"), value(event, "encountering_task"));
                announced.insert(value(event, "task"), value(event, "has_dependences") == "1");
            }
            "dependences" => {
                // The dependences of a doacross loop name the implicit task.
                let Some(creator) = creator_of.get(value(event, "task")) else { continue };
                if announced.insert(value(event, "task"), false) != Some(true) {
                    let said = "dependences of a task without any, or twice";
                    found.push(Violation::new(CLAUSE, said, at));
                }
                let next = log.events[at + 1..]
                    .iter()
                    .position(|it| it.thread == event.thread && it.name != "task_dependence");
                let sibling = Sibling {
                    task: value(event, "task"),
                    depend: types(event),
                    announced: at,
                    tied: next.map_or(usize::MAX, |next| at + 1 + next),
                };
                families.entry(creator).or_default().push(sibling);
            }
            "task_dependence" => found.extend(edge(event, at, &families, &creator_of)),
            _ => {}
        }
    }
    for (task, is_missing) in announced {
        if is_missing {
            let said = format!("{task} has dependences, and no event tells them");
            found.push(Violation::new(CLAUSE, said, None));
        }
    }
    let edges: BTreeSet<(&str, &str)> = log
        .events
        .iter()
        .filter(|event| event.name == "task_dependence")
        .map(|event| (value(event, "source"), value(event, "sink")))
        .collect();
    for family in families.values() {
        found.extend(order(family, history));
        found.extend(told(family, history, &edges));
    }
    found
}

fn types(event: &Event) -> Vec<(&str, &str)> {
    let key = |keys, name| find(keys, name).unwrap_or_default();
    let details = event.details.iter();
    details.map(|detail| (key(&detail.keys, "type"), key(&detail.keys, "variable"))).collect()
}

/// Whether the second of two siblings must wait for the first.
fn conflict(first: &Sibling<'_>, second: &Sibling<'_>) -> bool {
    first.depend.iter().any(|(kind, variable)| {
        second.depend.iter().any(|(other, same)| {
            variable == same
                && !(kind == other && matches!(*kind, "in" | "inoutset" | "mutexinoutset"))
        })
    })
}

fn edge(
    event: &Event,
    at: usize,
    families: &BTreeMap<&str, Vec<Sibling<'_>>>,
    creator_of: &BTreeMap<&str, &str>,
) -> Option<Violation> {
    let (source, sink) = (value(event, "source"), value(event, "sink"));
    let family = creator_of.get(sink).and_then(|creator| families.get(creator))?;
    let position = |task: &str| family.iter().position(|sibling| sibling.task == task);
    let said = match (position(source), position(sink)) {
        (Some(first), Some(second)) if first < second => {
            let is_mutex = family[first].depend.iter().any(|(kind, variable)| {
                *kind == "mutexinoutset" && family[second].depend.contains(&(kind, variable))
            });
            if conflict(&family[first], &family[second]) || is_mutex {
                return None;
            }
            "an edge between tasks that do not conflict"
        }
        _ => "an edge that does not lead from an earlier sibling to a later one",
    };
    Some(Violation::new(CLAUSE, format!("{source} to {sink}: {said}"), at))
}

/// A dependence on a task that was not complete when the new task was tied to it must be told.
fn told(
    family: &[Sibling<'_>],
    history: &History<'_>,
    edges: &BTreeSet<(&str, &str)>,
) -> Vec<Violation> {
    let mut found = Vec::new();
    for (number, second) in family.iter().enumerate() {
        // The nearest sibling that conflicts: those before it may be implied.
        let nearest = family[..number].iter().rev().find(|first| conflict(first, second));
        let Some(first) = nearest else { continue };
        let task = |sibling: &Sibling<'_>| history.tasks.get(sibling.task);
        let (Some(earlier), Some(later)) = (task(first), task(second)) else { continue };
        let is_open =
            earlier.over.is_some_and(|over| over > second.tied) && later.first_run.is_some();
        if is_open && !edges.contains(&(first.task, second.task)) {
            let said = format!("no event tells that {} depends on {}", second.task, first.task);
            found.push(Violation::new(CLAUSE, said, second.announced));
        }
    }
    found
}

fn order(family: &[Sibling<'_>], history: &History<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (number, second) in family.iter().enumerate() {
        let Some(later) = history.tasks.get(second.task) else { continue };
        let Some(start) = later.first_run else { continue };
        for first in &family[..number] {
            let Some(earlier) = history.tasks.get(first.task) else { continue };
            let is_over = earlier.over.is_some_and(|over| over < start);
            if conflict(first, second) && !is_over {
                let said = format!("{} runs before {} is complete", second.task, first.task);
                found.push(Violation::new(CLAUSE, said, start));
            }
        }
    }
    found
}
