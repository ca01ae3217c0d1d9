//! The task that each thread executes, as the switches tell it: the second task of one is the
//! current task until the next.

use std::collections::{BTreeMap, BTreeSet};

use crate::trace::log::{Event, Log};

use super::event::{broken, require, value};

/// The implicit or initial task that a thread is in, and the task that it executes there.
#[derive(Clone, Copy)]
pub(super) struct Place<'l> {
    implicit: &'l str,
    /// The region; `None` for an initial task.
    region: Option<&'l str>,
    /// The current task.
    pub(super) task: &'l str,
}

#[derive(Default)]
struct Thread<'l> {
    /// The places around the regions that the thread is in, and, last, the current one.
    places: Vec<Place<'l>>,
    /// The explicit tasks whose end the thread has reported.
    ended: BTreeSet<&'l str>,
}

/// Where each event happens: of a task that ends, in that task; of one that begins, in the new one.
pub(super) fn places<'l>(log: &'l Log) -> Vec<Option<Place<'l>>> {
    let mut threads: BTreeMap<usize, Thread<'l>> = BTreeMap::new();
    let place = |event: &'l Event| threads.entry(event.thread).or_default().follow(event);
    log.events.iter().map(place).collect()
}

/// Follows the switches.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut threads: BTreeMap<usize, Thread<'_>> = BTreeMap::new();
    let mut over: BTreeSet<&str> = BTreeSet::new();
    for event in &log.events {
        let thread = threads.entry(event.thread).or_default();
        let task = value(event, "task");
        match event.name.as_str() {
            "task_end" | "target_task_end" => {
                thread.ended.insert(task);
                over.insert(task);
            }
            "task_switch" => switch(thread, event, &over)?,
            _ => {}
        }
        let place = thread.follow(event);
        in_place(place, event)?;
    }
    Ok(())
}

impl<'l> Thread<'l> {
    /// The place of the thread's next event.
    fn follow(&mut self, event: &'l Event) -> Option<Place<'l>> {
        let task = value(event, "task");
        match event.name.as_str() {
            "initial_task_begin" | "implicit_task_begin" => {
                self.places.push(Place { implicit: task, region: event.get("parallel"), task });
            }
            "initial_task_end" | "implicit_task_end" => return self.places.pop(),
            "task_switch" => {
                if let Some(place) = self.places.last_mut() {
                    place.task = value(event, "second");
                }
            }
            _ => {}
        }
        self.places.last().copied()
    }
}

/// The first task is the current one, or zero if that has completed.
fn switch(thread: &Thread<'_>, event: &Event, over: &BTreeSet<&str>) -> Result<(), String> {
    let (first, second) = (value(event, "first"), value(event, "second"));
    require(second != "zero" && first != second, event, "a switch to no other task")?;
    let Some(&Place { task: current, .. }) = thread.places.last() else {
        return broken(event, "a switch on a thread without a task");
    };
    require(current != second, event, "a switch to the current task")?;
    match first {
        "zero" => require(over.contains(current), event, "the task has not completed"),
        first => {
            require(first == current, event, "not the current task is suspended")?;
            // An event that another thread fulfils may complete the task at any time.
            let is_over = thread.ended.contains(first);
            require(!is_over, event, "a task that completed is suspended")
        }
    }
}

/// Checks that the task and the region that an event names are those of its place.
fn in_place(place: Option<Place<'_>>, event: &Event) -> Result<(), String> {
    let (task, region) = (event.get("task"), event.get("parallel"));
    let (task, region) = match event.name.as_str() {
        "parallel_begin" | "task_begin" | "target_task_begin" => (event.get("parent"), None),
        "parallel_end" => (task, None),
        "initial_task_begin" | "implicit_task_begin" => return Ok(()),
        "initial_task_end" | "implicit_task_end" => {
            let is_its = place.is_some_and(|place| {
                place.region == region
                    && Some(place.implicit) == task
                    && place.task == place.implicit
            });
            return require(is_its, event, "not the task, or the region, that the thread is in");
        }
        _ if task.is_some() && region.is_some() => (task, region),
        _ => return Ok(()),
    };
    let Some(place) = place else { return broken(event, "the thread executes no task") };
    require(task == Some(place.task), event, "not the task that the thread executes")?;
    let is_there = region.is_none() || place.region.is_none() || region == place.region;
    require(is_there, event, "not the region that the thread is in")
}
