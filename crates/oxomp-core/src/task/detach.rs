//! The detach clause (OpenMP 5.2 §12.5.2): a task that is complete when its body is over and its
//! event is fulfilled, in either order. Steps and argument: README.md beside this file.

#[cfg(not(loom))]
use core::sync::atomic::Ordering::Acquire;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};

#[cfg(not(loom))]
use super::{Task, execute, property};
#[cfg(not(loom))]
use crate::ompd;
#[cfg(not(loom))]
use crate::ompt::event::{TaskStatus, emit, is_active};
use crate::sync::AtomicU32;
#[cfg(not(loom))]
use crate::sync::{pause, yield_now};
#[cfg(not(loom))]
use crate::thread::Thread;

/// The event of a detachable task; the handle is its address.
///
/// Two sides come once each: the thread whose body is over, and the one that fulfils. Each
/// *begins*, which decides what tools are told, tells them, and is *done*; the one that is done
/// last completes the task. So the task is there for either as long as it tells of it.
///
/// Invariant: bits are only set, each by its side, until the block has another task.
#[derive(Debug)]
pub struct Event(AtomicU32);

/// The event is fulfilled.
const FULFILLED: u32 = 1;
/// Who fulfilled it is done.
const FULFIL_DONE: u32 = 2;
/// The body is over.
const OVER: u32 = 4;
/// Its thread is done.
const END_DONE: u32 = 8;

/// How often who waits for a tool's callback looks before it yields: most take less.
#[cfg(not(loom))]
const LOOKS: u32 = 1000;

/// What `fulfil` finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fulfilment {
    /// The body is not over.
    Early,
    Late,
    /// It was fulfilled before.
    Again,
}

impl Event {
    pub(crate) fn new() -> Self {
        Event(AtomicU32::new(0))
    }

    /// A new task has it.
    #[inline(always)]
    pub(crate) fn reset(&self) {
        // Relaxed: seen by who sees the task.
        self.0.store(0, Relaxed);
    }

    /// The body is over: whether the event is fulfilled.
    pub(crate) fn body_is_over(&self) -> bool {
        // AcqRel, here and below: each side sees what the other did before.
        self.0.fetch_or(OVER, AcqRel) & FULFILLED != 0
    }

    /// The body's thread is done: whether it completes the task. If not, it does not
    /// touch it again.
    pub(crate) fn end_is_done(&self) -> bool {
        self.0.fetch_or(END_DONE, AcqRel) & FULFIL_DONE != 0
    }

    /// Fulfils it. Unless that was done before, `fulfilment_is_done` is next.
    pub(crate) fn fulfil(&self) -> Fulfilment {
        let before = self.0.fetch_or(FULFILLED, AcqRel);
        if before & FULFILLED != 0 {
            Fulfilment::Again
        } else if before & OVER != 0 {
            Fulfilment::Late
        } else {
            Fulfilment::Early
        }
    }

    /// Tools hear of the event's two sides in the order in which they began: the body's thread
    /// found it fulfilled, and tells of its end when this returns.
    #[cfg(not(loom))]
    pub(crate) fn await_fulfilment_told(&self) {
        self.await_told(FULFIL_DONE);
    }

    /// Returns when the side that began first is `done`, which for that has only to tell tools.
    /// Nobody waits without a tool.
    #[cfg(not(loom))]
    #[cold]
    fn await_told(&self, done: u32) {
        let mut looks = 0;
        while is_active() && self.0.load(Acquire) & done == 0 {
            looks += 1;
            if looks < LOOKS { pause() } else { yield_now() }
        }
    }

    /// In the child of a fork(2), of a task whose body is not over: a thread that was fulfilling it
    /// has nothing left to do.
    #[cfg(not(loom))]
    pub(super) fn outlive_others(&self) {
        if self.0.load(Relaxed) & FULFILLED != 0 {
            self.0.fetch_or(FULFIL_DONE, Relaxed);
        }
    }

    /// Who fulfilled it is done: whether it completes the task. If not, it does not touch it again.
    pub(crate) fn fulfilment_is_done(&self) -> bool {
        self.0.fetch_or(FULFIL_DONE, AcqRel) & END_DONE != 0
    }
}

/// `omp_fulfill_event`: on any thread. An event that was fulfilled before stays so: the program's
/// error, without effect. Nor has it an effect in the child of a fork(2) on a task
/// that is lost there.
#[cfg(not(loom))]
pub fn fulfill(task: &'static Task) {
    if task.is_lost() {
        return;
    }
    let status = match task.event.fulfil() {
        Fulfilment::Early => TaskStatus::EarlyFulfill,
        Fulfilment::Late => {
            task.event.await_told(END_DONE);
            TaskStatus::LateFulfill
        }
        Fulfilment::Again => return,
    };
    emit::task_schedule(&task.ompt, status, None);
    if task.event.fulfilment_is_done() {
        ompd::detached_task_is_complete(task);
        execute::complete(Thread::known(), task, None);
    }
}

#[cfg(not(loom))]
impl Task {
    /// The event of a task that is to be generated: with it the task is detachable, also where the
    /// compiler does not say so before (flang 22).
    pub fn detach(&self) -> &Event {
        if !self.has(property::DETACHABLE) {
            self.add_property(property::DETACHABLE);
            self.begin_event();
        }
        &self.event
    }

    /// The task that is in the block now has an event.
    pub(super) fn begin_event(&self) {
        self.event.reset();
        self.note_losses();
    }

    /// The task whose event this is.
    ///
    /// # Safety
    /// `event` came from `Task::detach`, of a task whose event was not fulfilled.
    pub unsafe fn of_event(event: *const Event) -> &'static Task {
        // SAFETY: a field of a task, and blocks are never freed.
        unsafe { &*event.byte_sub(core::mem::offset_of!(Task, event)).cast::<Task>() }
    }
}
