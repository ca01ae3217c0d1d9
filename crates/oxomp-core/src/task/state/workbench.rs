//! The state of a member of a team for tasks: its deque, its tally, and the activity of its thread.

use core::ptr::{self, NonNull};

use oxomp_protocol::Alone;
use oxomp_protocol::task::{Deque, Stolen, Tally};

use super::Task;
use super::executor::Executor;
use crate::block::Shared;
use crate::word::Word;

/// The state for tasks of a member of a team of more than one thread. Like the member it is never
/// freed.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Workbench {
    deque: Deque<Task>,
    pub(in crate::task) tally: Tally,
    /// Whether the member's thread has a task; other threads read it only when they find no task
    /// themselves.
    pub(in crate::task) executor: Executor,
    /// The victim of the last successful steal.
    pub(in crate::task) victim: Word<u32>,
    /// The number of tasks that the member's thread has moved from its deque into the team's queue
    /// since it last found the queue empty (`scheduler::publish_own_deque`).
    pub(in crate::task) moved: Word<u32>,
}

impl Workbench {
    pub(crate) fn new(thread_num: u32) -> Self {
        Workbench {
            deque: Deque::new(),
            tally: Tally::new(),
            executor: Executor::new(),
            victim: Word::<u32>::new(thread_num),
            moved: Word::<u32>::new(0),
        }
    }

    /// Whether another task can be pushed. `has_room`, `push`, `youngest` and `pop` are called by
    /// the member's thread only.
    #[inline(always)]
    pub(in crate::task) fn has_room(&self) -> bool {
        self.deque.has_room()
    }

    /// Adds a task to the deque, after `has_room` has returned true.
    #[inline(always)]
    pub(in crate::task) fn push(&self, task: &'static Task) {
        self.deque.push(ptr::from_ref(task).cast_mut());
    }

    /// The youngest task of the deque, which a thief may take at any time.
    #[inline(always)]
    pub(in crate::task) fn youngest(&self) -> Option<Shared<Task>> {
        self.deque.youngest().and_then(entry)
    }

    /// Takes the youngest task.
    #[inline(always)]
    pub(in crate::task) fn pop(&self) -> Option<&'static Task> {
        self.deque.pop().and_then(entry).map(taken)
    }

    /// Takes the oldest task, if it `suits`. Called by any other thread of the team. Another thread
    /// may take the task while `suits` reads it; the result is then discarded.
    #[inline(always)]
    pub(in crate::task) fn steal(
        &self,
        suits: impl FnOnce(Shared<Task>) -> bool,
    ) -> Option<&'static Task> {
        match self.deque.steal(|task| entry(task).is_some_and(suits)) {
            Stolen::Entry(task) => entry(task).map(taken),
            Stolen::Empty | Stolen::Lost | Stolen::Refused => None,
        }
    }

    /// Whether the deque looks empty; called by any thread.
    #[inline(always)]
    pub(in crate::task) fn looks_empty(&self) -> bool {
        self.deque.looks_empty()
    }

    /// Balances the tally before the team gets another size. Only while no region of the team runs.
    pub(crate) fn balance(&self) {
        self.tally.balance();
    }

    /// In the child of a fork(2): drops the tasks, and resets the counts.
    pub(crate) fn forget(&self, alone: &Alone) {
        self.deque.forget(alone);
        self.tally.forget(alone);
        self.executor.forget(alone);
    }
}

/// The task behind an entry of a deque.
#[inline(always)]
fn entry(task: *mut Task) -> Option<Shared<Task>> {
    // SAFETY: deques hold tasks, and a block always remains a block of a task.
    NonNull::new(task).map(|task| unsafe { Shared::at(task) })
}

/// The task that the calling thread has taken out of a deque, and owns now.
#[inline(always)]
fn taken(task: Shared<Task>) -> &'static Task {
    // SAFETY: exactly one thread takes an entry, and the deque orders the thread that pushed it
    // before this one (`Task`, Invariant 2).
    unsafe { task.own() }
}
