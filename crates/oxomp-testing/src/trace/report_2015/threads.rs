//! The life of threads: begin, idling, end, and the end of the runtime.

use std::collections::BTreeSet;

use crate::trace::log::{Event, Log, find};

use super::event::{answer, broken, by_thread, require, value};

/// The rules for threads.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    for events in by_thread(log).values() {
        let first = events[0];
        let is_for_any = |name: &str| ["task_end", "runtime_shutdown"].contains(&name);
        if events.iter().all(|event| is_for_any(&event.name)) {
            // A thread that OpenMP does not know may fulfil the event of a detached task, or end
            // the process.
            continue;
        }
        require(first.name == "thread_begin", first, "a thread's first event is not its begin")?;
        if let Some(id) = first.get("id") {
            require(ids.insert(id), first, "two threads have one id")?;
        }
        let is_worker = value(first, "type") == "worker";
        events.iter().try_for_each(|event| same_thread(event, first))?;
        if let Some(again) = events[1..].iter().find(|event| event.name == "thread_begin") {
            return broken(again, "a thread begins twice");
        }
        ends(events, value(first, "type"))?;
        idling(events, is_worker)?;
    }
    let last = log.events.last().ok_or("no events")?;
    require(last.name == "runtime_shutdown", last, "the last event is not the shutdown")?;
    let shutdowns = log.events.iter().filter(|event| event.name == "runtime_shutdown").count();
    require(shutdowns == 1, last, "more than one shutdown")
}

/// Checks the thread's identifier: its log either has both, the argument and the answer of the
/// entry point, or says that `oxomp-recorder` has found them equal.
fn same_thread(event: &Event, first: &Event) -> Result<(), String> {
    let id = first.get("id");
    let answer = answer(event, &["thread"]).and_then(|detail| find(&detail.keys, "id"));
    require(answer == id, event, "ompt_get_thread_id answers another id")?;
    let compared = event.get("thread_id").is_none_or(|it| it == "own");
    let is_own = compared && event.get("id").is_none_or(|it| Some(it) == id);
    require(is_own, event, "the argument is not the thread's id")
}

/// The end of a thread is its last event. The shutdown may come after it.
fn ends(events: &[&Event], kind: &str) -> Result<(), String> {
    let is_other = |event: &&Event| event.name != "runtime_shutdown";
    let last = events.iter().rposition(is_other).expect("a thread has its begin");
    let end = events.iter().position(|event| event.name == "thread_end");
    let last_event = events[last];
    match end {
        Some(end) => {
            require(end == last, last_event, "an event after the thread's end")?;
            let end = events[end];
            require(value(end, "type") == kind, end, "the end has another type than the begin")
        }
        None => broken(last_event, "the thread has no end"),
    }
}

/// Nothing happens between the begin and the end of idling; only workers idle, and they idle
/// whenever they have no task.
fn idling(events: &[&Event], is_worker: bool) -> Result<(), String> {
    let mut depth = 0;
    for (index, event) in events.iter().enumerate() {
        let next = events.get(index + 1).map_or("", |next| next.name.as_str());
        match event.name.as_str() {
            "idle_begin" => {
                require(is_worker, event, "a thread idles that is no worker")?;
                require(depth == 0, event, "a thread idles inside a task")?;
                require(next == "idle_end", event, "something happens while the thread idles")?;
            }
            "idle_end" => {
                let before = index.checked_sub(1).map_or("", |at| events[at].name.as_str());
                require(before == "idle_begin", event, "idling ends that has not begun")?;
            }
            "thread_begin" if is_worker => {
                require(next == "idle_begin", event, "a new worker does not idle")?;
            }
            "implicit_task_begin" | "initial_task_begin" => depth += 1,
            "implicit_task_end" | "initial_task_end" => {
                depth -= 1;
                if is_worker && depth == 0 {
                    let goes_on = ["idle_begin", "initial_task_begin"].contains(&next);
                    require(goes_on, event, "a worker without a task does not idle")?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
