//! The task and the region that an event names are those that its thread is in; addresses lie in
//! the program.

use super::history::{has, value};
use super::walk::Walk;
use crate::trace::log::Event;

/// Checks the data words and the code address of an event.
pub fn check<'l>(walk: &mut Walk<'l>, event: &'l Event) {
    for (key, text) in &event.keys {
        if text.starts_with("bad:") || text == "zero" || key == "dirty" {
            walk.say("5.2 §19.4.4.1, ompt_data_t", format!("{key} is {text}"));
        }
        if key == "thread_data" && text != "ok" {
            walk.say("5.2 §19.5.2, thread_data", format!("the thread's word is {text}"));
        }
    }
    let is_end = event.get("endpoint") == Some("end");
    let current = walk.current(event);
    match event.name.as_str() {
        "implicit_task" | "thread_begin" | "thread_end" => {}
        "parallel_begin" | "parallel_end" | "task_create" => {
            let task = value(event, "encountering_task");
            if current != Some(task) {
                let said =
                    format!("encountering_task_data is {task}, the thread executes {current:?}");
                walk.say("5.2 §19.5, encountering task", said);
            }
        }
        "work" | "dispatch" | "sync_region" | "sync_region_wait" | "reduction" | "masked" => {
            let task = value(event, "task");
            if current != Some(task) {
                let said = format!("task_data is {task}, the thread executes {current:?}");
                walk.say("5.2 §19.5, task_data", said);
            }
            parallel(walk, event, is_end);
        }
        "cancel"
            if !has(value(event, "flags"), "discarded_task")
                && current != Some(value(event, "task")) =>
        {
            walk.say("5.2 §19.5.2.18, cancel", format!("the thread executes {current:?}"));
        }
        _ => {}
    }
}

fn parallel<'l>(walk: &mut Walk<'l>, event: &'l Event, is_end: bool) {
    const CLAUSE: &str = "5.2 §15.3.2, parallel_data";
    let region = current_region(walk, event);
    let given = value(event, "parallel");
    let closes = matches!(value(event, "kind"), "barrier_implicit_parallel" | "barrier_teams");
    match (closes, event.name.as_str()) {
        (true, "sync_region") if is_end => {
            if given != "null" {
                walk.say(CLAUSE, "parallel_data is NULL at the end of a region's barrier");
            }
        }
        (true, "sync_region_wait") if given == "null" => {}
        _ if Some(given) == region => {}
        _ => walk.say(CLAUSE, format!("parallel_data is {given}, the task's region {region:?}")),
    }
}

fn current_region<'l>(walk: &Walk<'l>, event: &Event) -> Option<&'l str> {
    walk.history.tasks.get(walk.current(event)?).map(|task| task.region)
}
