//! The life of tasks: every task has an id of its own, begins, runs and ends once.

use std::collections::BTreeMap;

use crate::trace::log::Log;

use super::event::{broken, require, value};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Created,
    Runs,
    Over,
}

/// The rules for explicit tasks, and for the identifiers of all tasks.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut tasks: BTreeMap<&str, Life> = BTreeMap::new();
    let mut last = BTreeMap::new();
    for event in &log.events {
        let task = value(event, "task");
        match event.name.as_str() {
            "task_begin" | "implicit_task_begin" | "initial_task_begin" | "target_task_begin" => {
                let state = match event.name.as_str() {
                    "task_begin" | "target_task_begin" => Life::Created,
                    _ => Life::Runs,
                };
                require(tasks.insert(task, state).is_none(), event, "a task begins twice")?;
                last.insert(task, event);
            }
            "task_end" | "target_task_end" | "implicit_task_end" | "initial_task_end" => {
                let state = tasks.insert(task, Life::Over);
                require(state.is_some(), event, "a task ends that has not begun")?;
                require(state != Some(Life::Over), event, "a task ends twice")?;
            }
            "task_switch" => {
                let second = value(event, "second");
                let state = tasks.get_mut(second);
                let Some(state) = state else {
                    return broken(event, "a switch to a task that has not begun");
                };
                require(*state != Life::Over, event, "a switch to a task that is over")?;
                *state = Life::Runs;
            }
            "task_dependences" => {
                let is_new = tasks.get(task) == Some(&Life::Created);
                require(is_new, event, "dependences of a task that is not new")?;
                let is_item = |name: &str| ["item", "dependence"].contains(&name);
                let items = event.details.iter().filter(|detail| is_item(&detail.name)).count();
                let count = event.get("items").or(event.get("count"));
                require(count == Some(&*items.to_string()), event, "items are missing")?;
            }
            "task_dependence_pair" => {
                let (first, second) = (value(event, "first"), value(event, "second"));
                require(first != second, event, "a task waits for itself")?;
                require(tasks.contains_key(first), event, "a producer that has not begun")?;
                let waits = tasks.get(second) == Some(&Life::Created);
                require(waits, event, "a consumer that need not wait")?;
            }
            _ => {}
        }
    }
    for (task, state) in &tasks {
        if let Some(event) = last.get(task) {
            require(*state == Life::Over, event, "a task that does not end")?;
        }
    }
    Ok(())
}
