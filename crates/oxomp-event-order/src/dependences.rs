//! Dependences: conflicting siblings run in order, and the edges reported are conflicts.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_dependence_type_t};

use crate::event::{Event, Object};
use crate::history::History;
use crate::rule::Rule;
use crate::run::Run;

/// A task that has dependences.
struct Sibling<'e> {
    task: Object,
    /// Type and variable of each.
    depend: &'e [(ompt_dependence_type_t, u64)],
    /// The event that tells them.
    announced: usize,
    /// The creating thread's next event that tells of no edge, before which the runtime has tied
    /// the task to all its predecessors.
    tied: usize,
}

/// What is wrong, and the events that show it.
type Found = Vec<(String, Vec<usize>)>;

/// Checks all tasks with dependences.
pub(crate) fn check(run: &mut Run<'_>) {
    if run.applies(&[Rule::Dependence]) {
        for (said, events) in found(run.events, &run.history) {
            run.say_of(Rule::Dependence, said, &events);
        }
    }
}

fn found(events: &[Event], history: &History) -> Found {
    let mut found = Vec::new();
    let mut families: BTreeMap<Object, Vec<Sibling<'_>>> = BTreeMap::new();
    let mut creator_of = BTreeMap::new();
    let mut announced = BTreeMap::new();
    let mut edges = BTreeSet::new();
    for (at, event) in events.iter().enumerate() {
        match event.code {
            ompt_callbacks_t::TASK_CREATE => {
                creator_of.insert(event.other, event.task);
                announced.insert(event.other, event.count == 1);
            }
            ompt_callbacks_t::DEPENDENCES => {
                // The dependences of a doacross loop name the implicit task.
                let Some(creator) = creator_of.get(&event.task) else { continue };
                if announced.insert(event.task, false) != Some(true) {
                    let said = "dependences of a task without any, or twice";
                    found.push((said.to_owned(), vec![at]));
                }
                let next = events[at + 1..].iter().position(|it| {
                    it.thread == event.thread && it.code != ompt_callbacks_t::TASK_DEPENDENCE
                });
                families.entry(*creator).or_default().push(Sibling {
                    task: event.task,
                    depend: &event.dependences,
                    announced: at,
                    tied: next.map_or(usize::MAX, |next| at + 1 + next),
                });
            }
            ompt_callbacks_t::TASK_DEPENDENCE => {
                let family = creator_of.get(&event.other).and_then(|it| families.get(it));
                if let Some(said) = family.and_then(|family| wrong_edge(event, family)) {
                    found.push((format!("{} to {}: {said}", event.task, event.other), vec![at]));
                }
                edges.insert((event.task, event.other));
            }
            _ => {}
        }
    }
    for (task, _) in announced.into_iter().filter(|(_, is_missing)| *is_missing) {
        found.push((format!("{task} has dependences, and no event tells them"), Vec::new()));
    }
    for family in families.values() {
        order(family, history, &mut found);
        told(family, history, &edges, &mut found);
    }
    found
}

/// Whether the second of two siblings must wait for the first.
fn conflict(first: &Sibling<'_>, second: &Sibling<'_>) -> bool {
    let shared = [
        ompt_dependence_type_t::IN,
        ompt_dependence_type_t::INOUTSET,
        ompt_dependence_type_t::MUTEXINOUTSET,
    ];
    first.depend.iter().any(|(kind, variable)| {
        second
            .depend
            .iter()
            .any(|(other, same)| variable == same && !(kind == other && shared.contains(kind)))
    })
}

fn wrong_edge(event: &Event, family: &[Sibling<'_>]) -> Option<&'static str> {
    let position = |task: Object| family.iter().position(|sibling| sibling.task == task);
    let (Some(first), Some(second)) = (position(event.task), position(event.other)) else {
        return Some("an edge that does not lead from an earlier sibling to a later one");
    };
    if first >= second {
        return Some("an edge that does not lead from an earlier sibling to a later one");
    }
    let (first, second) = (&family[first], &family[second]);
    let is_mutex = first.depend.iter().any(|dependence| {
        dependence.0 == ompt_dependence_type_t::MUTEXINOUTSET && second.depend.contains(dependence)
    });
    let is_right = is_mutex || conflict(first, second);
    (!is_right).then_some("an edge between tasks that do not conflict")
}

/// A dependence on a task that was not complete when the new task was tied to it must be told.
fn told(
    family: &[Sibling<'_>],
    history: &History,
    edges: &BTreeSet<(Object, Object)>,
    found: &mut Found,
) {
    for (number, second) in family.iter().enumerate() {
        // The nearest sibling that conflicts: those before it may be implied.
        let nearest = family[..number].iter().rev().find(|first| conflict(first, second));
        let Some(first) = nearest else { continue };
        let task = |sibling: &Sibling<'_>| history.tasks.get(&sibling.task);
        let (Some(earlier), Some(later)) = (task(first), task(second)) else { continue };
        let is_open =
            earlier.over.is_some_and(|over| over > second.tied) && later.first_run.is_some();
        if is_open && !edges.contains(&(first.task, second.task)) {
            let said = format!("no event tells that {} depends on {}", second.task, first.task);
            found.push((said, vec![second.announced, first.announced]));
        }
    }
}

fn order(family: &[Sibling<'_>], history: &History, found: &mut Found) {
    for (number, second) in family.iter().enumerate() {
        let later = history.tasks.get(&second.task).and_then(|task| task.first_run);
        let Some(start) = later else { continue };
        for first in &family[..number] {
            let Some(earlier) = history.tasks.get(&first.task) else { continue };
            let is_over = earlier.over.is_some_and(|over| over < start);
            if !is_over && conflict(first, second) {
                let said = format!("{} runs before {} is complete", second.task, first.task);
                found.push((said, vec![start, first.announced]));
            }
        }
    }
}
