//! The thread's state inside a callback.

use super::history::{Kind, value};
use super::walk::Walk;
use crate::trace::log::Event;

const CLAUSE: &str = "5.2 §19.4.4.28, ompt_state_t";

/// Checks that the state fits the constructs that the thread is in.
pub fn check<'l>(walk: &mut Walk<'l>, event: &'l Event) {
    let state = value(event, "state");
    let Some(thread) = walk.threads.get(&event.thread) else { return };
    let mut open = thread.open.clone();
    if event.name == "sync_region" {
        open.push(value(event, "kind"));
    }
    let is_open = |kinds: &[&str]| open.iter().any(|kind| kinds.contains(kind));
    let kind = value(event, "kind");
    let is_asked = |wanted: &[&str]| {
        let about = event.name.starts_with("mutex_") && wanted.contains(&kind);
        about || thread.asked.is_some_and(|kind| wanted.contains(&kind))
    };
    // Leagues and target regions do not count as parallel regions.
    let executing = walk.history.executing(&thread.stack);
    let in_parallel = matches!(executing, Some(Kind::Implicit(_)));
    let at_border = matches!(event.name.as_str(), "thread_begin" | "thread_end" | "implicit_task");
    let is_right = match state {
        "undefined" => at_border,
        "idle" => at_border,
        "overhead" | "work_reduction" => true,
        "work_serial" => !in_parallel || at_border,
        "work_parallel" => in_parallel || event.name == "parallel_end",
        "wait_barrier_explicit" => is_open(&["barrier_explicit"]),
        "wait_barrier_implicit_workshare" => is_open(&["barrier_implicit_workshare"]),
        "wait_barrier_implicit_parallel" => is_open(&["barrier_implicit_parallel"]) || at_border,
        "wait_barrier_teams" => is_open(&["barrier_teams"]) || at_border,
        "wait_barrier_implementation" => is_open(&["barrier_implementation"]),
        // An undeferred task waits for its predecessors, without an event of its own.
        "wait_taskwait" => is_open(&["taskwait"]) || event.name == "task_schedule",
        "wait_taskgroup" => is_open(&["taskgroup"]),
        "wait_lock" => is_asked(&["lock", "test_lock", "nest_lock", "test_nest_lock"]),
        "wait_critical" => is_asked(&["critical"]),
        "wait_atomic" => is_asked(&["atomic"]),
        "wait_ordered" => is_asked(&["ordered"]),
        "wait_target" | "wait_target_map" | "wait_target_update" => {
            event.name.starts_with("target")
        }
        _ => false,
    };
    if !is_right {
        walk.say(CLAUSE, format!("the state is {state} in {}", event.name));
    }
    if event.name == "control_tool" {
        let wanted = if in_parallel { "work_parallel" } else { "work_serial" };
        if state != wanted {
            walk.say(CLAUSE, format!("the program's code is executed in {state}, not {wanted}"));
        }
    }
}
