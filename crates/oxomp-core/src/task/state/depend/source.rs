//! The predecessor of a dependence in the events for tools.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use oxomp_protocol::yield_now;

use crate::ompt::event::{TaskRecord, is_active};

/// The predecessor of a dependence in the events for tools, which outlives the task: a successor
/// may be generated later. README.md beside `depend`, Events for tools, has the argument.
#[derive(Debug)]
pub(in crate::task) struct Source {
    /// In the task's block, which is never freed. Other threads read the tool's word only.
    task: &'static TaskRecord,
    phase: AtomicU32,
}

/// The task is not complete, as far as tools know.
const UNFINISHED: u32 = 0;
/// The thread of the generating task reports a dependence on the task, which is not complete.
const OBSERVED: u32 = 1;
/// Tools are about to learn, or know, that the task is complete.
const COMPLETE: u32 = 2;

impl Source {
    /// The record of a task that has not begun.
    pub(in crate::task) fn new(task: &'static TaskRecord) -> Self {
        Source { task, phase: AtomicU32::new(UNFINISHED) }
    }

    /// Calls `report` with the task, if it is not complete: the task's completion is reported after
    /// that call. Only the thread of the generating task may call this.
    pub(in crate::task) fn observe(&self, report: impl FnOnce(&TaskRecord)) {
        let unfinished = self.phase.compare_exchange(UNFINISHED, OBSERVED, Relaxed, Relaxed);
        if unfinished.is_ok() {
            report(self.task);
            // Release: pairs with the Acquire in `complete`.
            self.phase.store(UNFINISHED, Release);
        }
    }

    /// Called before the task's completion is reported, and again before the task is released:
    /// returns when no thread reports a dependence on the task, and none will, or when no tool
    /// listens.
    pub(in crate::task) fn complete(&self) {
        // Acquire: the tool's callback for the dependence has returned before the one for the
        // completion begins.
        let settle = || self.phase.compare_exchange(UNFINISHED, COMPLETE, Acquire, Relaxed);
        while settle() == Err(OBSERVED) && is_active() {
            yield_now();
        }
    }
}
