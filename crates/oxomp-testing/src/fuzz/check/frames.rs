//! The frames of tasks: which are set where, and how they lie on the stack.

use super::history::{Kind, has, value};
use super::walk::{Thread, Walk};
use crate::trace::log::{Event, find};

const CLAUSE: &str = "5.2 §19.4.4.29, ompt_frame_t";

/// Checks the frames that an event shows.
pub fn check<'l>(walk: &mut Walk<'l>, event: &'l Event) {
    match event.name.as_str() {
        "parallel_begin" | "task_create" => {
            let task = value(event, "encountering_task");
            let frames = (value(event, "exit_frame"), value(event, "enter_frame"));
            one(walk, task, frames, 0);
        }
        "control_tool" => levels(walk, event),
        _ => {}
    }
}

/// Checks the frames of a task that is inside the runtime.
fn one(walk: &mut Walk<'_>, task: &str, frames: (&str, &str), level: usize) {
    let Some(record) = walk.history.tasks.get(task) else { return };
    let ((exit, enter), thread) = (frames, record.thread);
    // The initial task of a native thread is called by no runtime.
    let has_exit = !matches!(record.kind, Kind::Root);
    let is_target = has(record.flags, "target");
    // An implicit task whose code is over has no frame any more, in the barrier at its end.
    let is_open = |thread: &Thread<'_>| thread.open.contains(&"barrier_implicit_parallel");
    let is_closing =
        matches!(record.kind, Kind::Implicit(_)) && walk.threads.get(&thread).is_some_and(is_open);
    if is_closing && (exit, enter) == ("none", "none") {
        return;
    }
    if (exit != "none") != has_exit {
        walk.say(CLAUSE, format!("exit_frame at level {level} is {exit}"));
    }
    // The code of a target task is the runtime's.
    let is_right = enter.starts_with("set:application,")
        || enter.starts_with("set:runtime,stackaddress") && is_below(enter, exit)
        || is_target && enter == "none";
    if !is_right {
        walk.say(CLAUSE, format!("enter_frame at level {level} is {enter}"));
    }
}

fn levels<'l>(walk: &mut Walk<'l>, event: &'l Event) {
    let answers = event.details.iter().filter(|detail| detail.name == "task_info");
    let depth = walk.stack(event).len();
    let mut last = 0;
    for (level, answer) in answers.enumerate() {
        let key = |key: &str| find(&answer.keys, key).unwrap_or_default();
        one(walk, key("task"), (key("exit_frame"), key("enter_frame")), level);
        if level >= depth {
            continue;
        }
        // The stack grows down: what was called earlier lies above.
        for text in [key("enter_frame"), key("exit_frame")] {
            let Some(address) = address(text) else { continue };
            if address < last {
                walk.say(
                    CLAUSE,
                    format!("the frame {text} of level {level} lies below an inner one"),
                );
            }
            last = address;
        }
    }
}

/// Whether `enter` lies below `exit`: the task has called the runtime by a jump, as its last call,
/// and has left its own frame before.
fn is_below(enter: &str, exit: &str) -> bool {
    address(enter).zip(address(exit)).is_some_and(|(enter, exit)| enter < exit)
}

fn address(frame: &str) -> Option<u64> {
    u64::from_str_radix(frame.split_once("@0x")?.1, 16).ok()
}
