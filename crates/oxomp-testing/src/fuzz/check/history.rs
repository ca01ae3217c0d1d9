//! The tasks and regions of a run.

use std::collections::BTreeMap;

use crate::trace::log::Event;

/// Every task and every region of a run, by the names that the log gives them.
#[derive(Debug, Default)]
pub struct History<'l> {
    /// The tasks.
    pub tasks: BTreeMap<&'l str, Task<'l>>,
    /// The regions, including the regions around initial tasks.
    pub regions: BTreeMap<&'l str, Region<'l>>,
    /// The initial tasks of native threads, in the order of their begins.
    pub roots: Vec<&'l str>,
}

/// A task.
#[derive(Debug)]
pub struct Task<'l> {
    /// What it is.
    pub kind: Kind,
    /// The region to which the task belongs.
    pub region: &'l str,
    /// The task that created it.
    pub creator: Option<&'l str>,
    /// The position of its begin or of its creation.
    pub begun: usize,
    /// The flags that the event of its begin or its creation gives.
    pub flags: &'l str,
    /// The positions of the events that happened in it.
    pub events: Vec<usize>,
    /// The position of the event with which it first ran.
    pub first_run: Option<usize>,
    /// The position of the event that completed it.
    pub over: Option<usize>,
    /// Whether it was thrown away unstarted.
    pub is_discarded: bool,
    /// The thread that executed it last.
    pub thread: usize,
}

/// The kind of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The initial task of a native thread.
    Root,
    /// The initial task of a target region that the host executes.
    Target,
    /// The initial task of a team of a league, with the team's number.
    Initial(usize),
    /// An implicit task, with its thread's number.
    Implicit(usize),
    /// An explicit or a target task.
    Explicit,
}

/// A region.
#[derive(Debug, Default)]
pub struct Region<'l> {
    /// The task that encountered it; `None` for the region of a native thread's initial task.
    pub encountering: Option<&'l str>,
    /// The tasks of the encountering thread then, outermost first.
    pub under: Vec<&'l str>,
    /// Whether no event begins it: it is the region around an initial task.
    pub is_initial: bool,
    /// Whether it is a league.
    pub is_league: bool,
    /// The number of its implicit tasks, as they say.
    pub size: usize,
    /// The positions of its begin and its end.
    pub begun: usize,
    /// The position of its end.
    pub ended: Option<usize>,
    /// Its implicit tasks, by number.
    pub implicit: BTreeMap<usize, &'l str>,
    /// How many `parallel` regions it and those around it are.
    pub level: usize,
    /// How many of them have more than one thread.
    pub active_level: usize,
}

impl<'l> History<'l> {
    /// The implicit or initial task that executes `task`: the nearest in the thread's `stack`.
    #[must_use]
    pub fn executing(&self, stack: &[&'l str]) -> Option<Kind> {
        stack.iter().rev().find_map(|task| match self.tasks.get(task)?.kind {
            Kind::Explicit => None,
            kind => Some(kind),
        })
    }
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
