//! The tasks and regions of a run.

use std::collections::BTreeMap;

use oxomp_sys::ompt::ompt_task_flag_t;

use crate::event::{Event, Object};

/// Every task and every region of a run. Events are named by their positions.
#[derive(Debug, Default)]
pub struct History {
    pub tasks: BTreeMap<Object, Task>,
    /// The regions, including the regions around initial tasks.
    pub regions: BTreeMap<Object, Region>,
    /// The initial tasks of native threads, in the order of their begins.
    pub roots: Vec<Object>,
}

/// A task.
#[derive(Debug)]
pub struct Task {
    /// What it is.
    pub kind: Kind,
    /// The region to which the task belongs.
    pub region: Object,
    /// The task that created it.
    pub creator: Option<Object>,
    /// The event of its begin or of its creation.
    pub begun: usize,
    /// The flags that the event of its begin or its creation gives.
    pub flags: ompt_task_flag_t,
    /// The events that happened in it.
    pub events: Vec<usize>,
    /// The event with which it first ran.
    pub first_run: Option<usize>,
    /// The event that completed it.
    pub over: Option<usize>,
    /// Whether its body is over and its event is not fulfilled.
    pub is_detached: bool,
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
    Initial(u64),
    /// An implicit task, with its thread's number.
    Implicit(u64),
    /// An explicit or a target task.
    Explicit,
}

/// A region.
#[derive(Debug, Default)]
pub struct Region {
    /// The task that encountered it; `None` for the region of a native thread's initial task.
    pub encountering: Option<Object>,
    /// The tasks of the encountering thread then, outermost first.
    pub under: Vec<Object>,
    /// Whether no event begins it: it is the region around an initial task.
    pub is_initial: bool,
    /// Whether it is a league.
    pub is_league: bool,
    /// The number of its implicit tasks, as they say.
    pub size: u64,
    /// The event of its begin.
    pub begun: usize,
    /// The event of its end.
    pub ended: Option<usize>,
    /// Its implicit tasks, by number.
    pub implicit: BTreeMap<u64, Object>,
    /// How many `parallel` regions it and those around it are.
    pub level: usize,
    /// How many of them have more than one thread.
    pub active_level: usize,
}

impl Task {
    /// The task that `event`, at the position `begun`, begins or creates.
    pub(crate) fn new(kind: Kind, region: Object, event: &Event, begun: usize) -> Self {
        Self {
            kind,
            region,
            creator: (kind == Kind::Explicit).then_some(event.task),
            begun,
            flags: event.task_flags(),
            events: Vec::new(),
            first_run: (kind != Kind::Explicit).then_some(begun),
            over: None,
            is_detached: false,
            is_discarded: false,
            thread: event.thread,
        }
    }

    /// Whether the task has `flag`.
    #[must_use]
    pub fn has(&self, flag: ompt_task_flag_t) -> bool {
        self.flags.contains(flag)
    }
}

impl History {
    /// The kind of the implicit or initial task that a thread with that stack is in.
    #[must_use]
    pub fn executing(&self, stack: &[Object]) -> Option<Kind> {
        stack.iter().rev().find_map(|task| match self.tasks.get(task)?.kind {
            Kind::Explicit => None,
            kind => Some(kind),
        })
    }

    /// The thread number in its team of the thread with that stack.
    #[must_use]
    pub fn thread_num(&self, stack: &[Object]) -> u64 {
        match self.executing(stack) {
            Some(Kind::Implicit(number)) => number,
            _ => 0,
        }
    }

    /// The region to which `task` belongs.
    #[must_use]
    pub fn region_of(&self, task: Object) -> Option<&Region> {
        self.regions.get(&self.tasks.get(&task)?.region)
    }
}
