//! The task that each thread executes, as the switches tell it: the second task of one is the
//! current task until the next.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_testing::trace::log::{Event, Log};

use super::{current, require, value};

#[derive(Default)]
struct Thread<'a> {
    /// The tasks around the regions that the thread is in, and, last, the current one.
    tasks: Vec<&'a str>,
    /// The explicit tasks whose end the thread has reported.
    ended: BTreeSet<&'a str>,
}

/// Follows the switches.
pub(crate) fn check(log: &Log) -> Result<(), String> {
    let mut threads: BTreeMap<usize, Thread<'_>> = BTreeMap::new();
    let mut over: BTreeSet<&str> = BTreeSet::new();
    for event in &log.events {
        let thread = threads.entry(event.thread).or_default();
        let task = value(event, "task");
        match event.name.as_str() {
            "initial_task_begin" | "implicit_task_begin" => thread.tasks.push(task),
            "initial_task_end" | "implicit_task_end" => {
                require(thread.tasks.pop() == Some(task), event, "not the current task")?;
            }
            "task_end" | "target_task_end" => {
                thread.ended.insert(task);
                over.insert(task);
            }
            "task_switch" => switch(thread, event, &over)?,
            _ => {}
        }
        in_current(thread, event)?;
    }
    Ok(())
}

/// The first task is the current one, or zero exactly if that has completed.
fn switch<'a>(
    thread: &mut Thread<'a>,
    event: &'a Event,
    over: &BTreeSet<&str>,
) -> Result<(), String> {
    let (first, second) = (value(event, "first"), value(event, "second"));
    require(second != "zero" && first != second, event, "a switch to no other task")?;
    let Some(current) = thread.tasks.last_mut() else {
        return super::broken(event, "a switch on a thread without a task");
    };
    require(*current != second, event, "a switch to the current task")?;
    match first {
        "zero" => require(thread.ended.contains(current), event, "the task has not completed")?,
        first => {
            require(first == *current, event, "not the current task is suspended")?;
            // An event that another thread fulfils may complete the task at any time.
            let here = thread.ended.contains(first);
            require(!here || !over.contains(first), event, "a task that completed is suspended")?;
        }
    }
    *current = second;
    Ok(())
}

/// Checks that inside the callbacks the entry point answers the current task, where the thread has
/// one.
fn in_current(thread: &Thread<'_>, event: &Event) -> Result<(), String> {
    let ends = ["initial_task_end", "implicit_task_end"].contains(&event.name.as_str());
    let answer = current(event, "task");
    match thread.tasks.last() {
        // The task that ends is the current one still: see `context`.
        _ if ends => Ok(()),
        Some(task) => require(answer == *task, event, "ompt_get_task_info answers another task"),
        None => Ok(()),
    }
}
