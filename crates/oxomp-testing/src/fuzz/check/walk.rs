//! What is known at an event of a log: the tasks of each thread.

use std::collections::BTreeMap;

use super::history::History;
use crate::fuzz::violation::Violation;
use crate::trace::log::Event;

/// A thread as the events so far describe it.
#[derive(Debug, Default)]
pub struct Thread<'l> {
    /// Whether it has ended.
    pub is_over: bool,
    /// The tasks on its stack, the executed one last.
    pub stack: Vec<&'l str>,
    /// The kinds of the `sync_region` events that have begun and not ended.
    pub open: Vec<&'l str>,
    /// How many of these there were at the begin of each implicit task.
    pub(super) open_before: Vec<usize>,
    /// The kinds of mutexes between `mutex_acquire` and the next event of the thread about mutexes.
    pub asked: Option<&'l str>,
}

/// The facts known at an event.
#[derive(Debug)]
pub struct Walk<'l> {
    /// Tasks and regions so far.
    pub history: History<'l>,
    /// The threads, by number.
    pub threads: BTreeMap<usize, Thread<'l>>,
    /// The violations so far.
    pub found: Vec<Violation>,
    /// The position of the event.
    pub at: usize,
}

impl<'l> Walk<'l> {
    /// Notes a violation that the current event shows.
    pub fn say(&mut self, clause: &'static str, said: impl Into<String>) {
        self.found.push(Violation::new(clause, said, self.at));
    }

    /// The tasks of the event's thread, the executed one last.
    #[must_use]
    pub fn stack(&self, event: &Event) -> &[&'l str] {
        self.threads.get(&event.thread).map_or(&[], |thread| &thread.stack)
    }

    /// The task that the event's thread executes.
    #[must_use]
    pub fn current(&self, event: &Event) -> Option<&'l str> {
        self.stack(event).last().copied()
    }
}
