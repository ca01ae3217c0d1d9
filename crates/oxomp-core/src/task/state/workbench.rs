//! What a place in a team has for tasks: its deque, its tally, and how its thread goes on.

use core::ptr::{self, NonNull};

use oxomp_protocol::task::{Deque, Stolen, Tally};

use super::Task;
use super::executor::Executor;
use crate::block::Shared;
use crate::word::Word;

/// What a place in a team of more than one thread has for tasks. Never freed, as the place is.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Workbench {
    deque: Deque<Task>,
    pub(in crate::task) tally: Tally,
    /// Whether its thread has a task: asked by others only where they wait in vain.
    pub(in crate::task) executor: Executor,
    /// The thread that the last successful steal was from.
    pub(in crate::task) victim: Word<u32>,
    /// Tasks that its thread has moved from the deque into the team's queue since it last found
    /// that empty (`scheduler::publish_own_deque`).
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

    /// Whether one more task can be pushed. By the member's thread, as `push`, `youngest` and `pop`.
    #[inline(always)]
    pub(in crate::task) fn has_room(&self) -> bool {
        self.deque.has_room()
    }

    /// Adds a task to the deque, after `has_room` said yes.
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

    /// Takes the oldest task, if it `suits`. By any other thread of the team. What is shown to `suits`
    /// another thread may take meanwhile; then the answer is thrown away.
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

    /// Whether the deque looks empty to any thread.
    #[inline(always)]
    pub(in crate::task) fn looks_empty(&self) -> bool {
        self.deque.looks_empty()
    }

    /// The team is about to get another size; no region of it runs.
    pub(crate) fn balance(&self) {
        self.tally.balance();
    }

    /// In the child of a fork(2): nobody else is left to run or to make tasks.
    pub(crate) fn forget(&self) {
        self.deque.forget();
        self.tally.forget();
        self.executor.forget();
    }
}

/// The task behind an entry of a deque.
#[inline(always)]
fn entry(task: *mut Task) -> Option<Shared<Task>> {
    // SAFETY: deques hold tasks, and a block that was a task is one for ever.
    NonNull::new(task).map(|task| unsafe { Shared::at(task) })
}

/// A task that the calling thread has taken out of a deque.
#[inline(always)]
fn taken(task: Shared<Task>) -> &'static Task {
    // SAFETY: an entry is taken once, and the deque orders the thread that pushed it before this one.
    unsafe { task.own() }
}
