//! The context of each callback: the current task, its region, and the thread's state.

use std::collections::BTreeMap;

use crate::trace::log::{Detail, Event, Log, find};

use super::event::{require, value};
use super::switches;

/// Checks the arguments by which events name the current task, and the rules for states.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut parents: BTreeMap<&str, &str> = BTreeMap::new();
    for (event, place) in log.events.iter().zip(switches::places(log)) {
        let (task, region) = (current(event, "task"), current(event, "parallel"));
        match event.name.as_str() {
            "parallel_begin" | "task_begin" | "target_task_begin" => {
                require(value(event, "parent") == task, event, "not the encountering task")?;
                require(value(event, "frame") == "set", event, "no frame of the task")?;
                require(value(event, "reenter") == "set", event, "no frame enters the runtime")?;
                exit_frame(event)?;
                if event.name != "parallel_begin" {
                    parents.insert(value(event, "task"), task);
                }
            }
            "task_dependences" => {
                let parent = parents.get(value(event, "task"));
                require(parent == Some(&task), event, "not the task that creates it")?;
            }
            "task_switch" => {
                require(value(event, "second") == task, event, "not the task that is resumed")?;
            }
            "parallel_end" | "initial_task_begin" | "initial_task_end" | "target_data_begin"
            | "target_data_end" => {
                require(value(event, "task") == task, event, "not the current task")?;
            }
            "idle_begin" | "idle_end" => {
                require(region == "zero", event, "a thread idles in a region")?;
                require(current(event, "there") == "0", event, "a thread idles in a task")?;
            }
            "thread_begin" => {
                let has_task = current(event, "there") != "0" && value(event, "type") == "worker";
                require(!has_task, event, "a thread begins in a task")?;
            }
            "thread_end" if value(event, "type") == "worker" => {
                require(current(event, "there") == "0", event, "a thread ends in a task")?;
            }
            _ if event.get("parallel").is_some() => {
                require(value(event, "task") == task, event, "not the current task")?;
                require(value(event, "parallel") == region, event, "not the current region")?;
            }
            _ => {}
        }
        let place = place.map(|place| place.task);
        require(place.is_none_or(|it| it == task), event, "not the task by the switches")?;
        agree(event)?;
        state(event)?;
    }
    Ok(())
}

/// What the entry points answer inside the callback for the task `number` levels above the current
/// one.
fn level(event: &Event, number: usize) -> &Detail {
    let mut levels = event.details.iter().filter(|detail| detail.name == "level");
    levels.nth(number).unwrap_or_else(|| panic!("the tool records levels: {event}"))
}

/// A value of the answers for the current task.
fn current<'a>(event: &'a Event, key: &str) -> &'a str {
    find(&level(event, 0).keys, key).unwrap_or_default()
}

/// Only the program's initial tasks have no frame of the runtime below them (section 4.5, table 1).
fn exit_frame(event: &Event) -> Result<(), String> {
    let is_outermost = find(&level(event, 1).keys, "there") == Some("0");
    let wanted = if is_outermost { "null" } else { "set" };
    require(value(event, "exit") == wanted, event, "another exit frame")
}

/// Checks that ompt_get_task_info answers the same region as ompt_get_parallel_id, and the same
/// type of task as the event.
fn agree(event: &Event) -> Result<(), String> {
    let here = &level(event, 0).keys;
    if find(here, "there") == Some("1") {
        let same = find(here, "region") == find(here, "parallel");
        require(same, event, "ompt_get_task_info and ompt_get_parallel_id differ")?;
        require(find(here, "task") != Some("zero"), event, "a task without an id")?;
        require(find(here, "type") != Some("degenerate"), event, "a degenerate task")?;
        let outside = find(here, "parallel") == Some("zero");
        let serial = find(here, "type") == Some("serial");
        require(!serial || outside, event, "an initial task in a region")?;
    }
    let kind = match event.name.as_str() {
        "implicit_task_begin" | "implicit_task_end" => "implicit",
        "initial_task_begin" | "initial_task_end" => "serial",
        _ => return Ok(()),
    };
    require(find(here, "type") == Some(kind), event, "another type of task")
}

/// The states that events are tied to. When a thread enters the states of barriers, taskwait and
/// taskgroup is the runtime's choice; the events of mutexes tell that it does.
fn state(event: &Event) -> Result<(), String> {
    let state = value(event, "state");
    require(state != "bad", event, "no state of the report")?;
    let name = event.name.as_str();
    let allowed: &[&str] = match name {
        "idle_begin" => &["idle"],
        "wait_lock" => &["wait_lock"],
        "wait_nest_lock" => &["wait_nest_lock"],
        "wait_critical" => &["wait_critical"],
        "wait_atomic" => &["wait_atomic"],
        "wait_ordered" => &["wait_ordered"],
        _ => return Ok(()),
    };
    require(allowed.contains(&state), event, "not the state of the wait")?;
    match event.get("wait_id") {
        Some(id) => require(value(event, "wait") == id, event, "another wait identifier"),
        None => Ok(()),
    }
}
