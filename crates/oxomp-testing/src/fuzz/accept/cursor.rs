//! The events of one task, consumed from the first to the last.

use oxomp_event_order::event::Object;
use oxomp_event_order::history::Task;
use oxomp_sys::ompt::ompt_task_flag_t;

use crate::trace::log::{Event, Log};

/// The events of a task that have not been accounted for.
#[derive(Debug)]
pub struct Cursor<'l> {
    log: &'l Log,
    /// Their positions in the log.
    events: Vec<usize>,
    next: usize,
    /// The task's name.
    pub task: Object,
    /// Its region's name.
    pub region: Object,
    /// The number of its thread in the team.
    pub thread_num: u64,
    /// Whether it, or a task around it, is final.
    pub is_final: bool,
    /// Where it begins, for what is wrong with it as a whole.
    pub begun: usize,
}

impl<'l> Cursor<'l> {
    /// The events of `task`.
    #[must_use]
    pub fn new(log: &'l Log, name: Object, task: &Task, thread_num: u64) -> Self {
        // An untied task may be left anywhere.
        let is_untied = task.has(ompt_task_flag_t::UNTIED);
        let is_counted = |at: &usize| {
            let event = &log.events[*at];
            let is_lock_made = matches!(event.name.as_str(), "lock_init" | "lock_destroy");
            !(is_lock_made || is_untied && is_switch(event))
        };
        Self {
            log,
            events: task.events.iter().copied().filter(is_counted).collect(),
            next: 0,
            task: name,
            region: task.region,
            thread_num,
            is_final: task.has(ompt_task_flag_t::FINAL),
            begun: task.begun,
        }
    }

    /// The next event.
    #[must_use]
    pub fn peek(&self) -> Option<&'l Event> {
        self.at().map(|at| &self.log.events[at])
    }

    /// The next event's position in the log.
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        self.events.get(self.next).copied()
    }

    /// Goes on behind the next event.
    pub fn advance(&mut self) {
        self.next += 1;
    }

    /// Whether the next event has this name and these values.
    #[must_use]
    pub fn is_next(&self, name: &str, values: &[(&str, &str)]) -> bool {
        let Some(event) = self.peek() else { return false };
        event.name == name && values.iter().all(|(key, wanted)| fits(value(event, key), wanted))
    }

    /// Passes what a thread may do at a task scheduling point: switch to other tasks, and throw
    /// cancelled ones away.
    pub fn switches(&mut self) {
        while self.peek().is_some_and(|event| {
            is_switch(event)
                || event.name == "cancel" && has(value(event, "flags"), "discarded_task")
        }) {
            self.advance();
        }
    }
}

/// Whether a task is left for another and goes on later.
fn is_switch(event: &Event) -> bool {
    event.name == "task_schedule"
        && matches!(value(event, "status"), "switch" | "yield" | "taskwait_complete")
}

/// Whether a value is one of `wanted`, which `|` separates.
#[must_use]
pub fn fits(text: &str, wanted: &str) -> bool {
    wanted == "*" || wanted.split('|').any(|one| one == text)
}

/// A key's value, empty where the event has none.
#[must_use]
pub fn value<'l>(event: &'l Event, key: &str) -> &'l str {
    event.get(key).unwrap_or_default()
}

/// Whether a list of flags has `flag`.
#[must_use]
pub fn has(flags: &str, flag: &str) -> bool {
    flags.split(',').any(|one| one == flag)
}
