//! The region that a worker has left, as a tool sees it until the worker's next region.
//!
//! A worker is done with a region when it arrives at the barrier that ends it. The primary thread
//! may end the region right after that, and begin the team's next one, while the worker still
//! reports the end to a tool, or a signal handler of the worker asks for the region. The worker
//! then answers from this copy: the team's record is that of the next region by then, and the tasks
//! around the region go on (5.2 §19.6.1.14 allows the copy).

use core::cell::Cell;
use core::sync::atomic::Ordering::{Acquire, SeqCst};
use core::sync::atomic::{compiler_fence, fence};

use oxomp_protocol::barrier::End;

use crate::ompt::event::ParallelRecord;

/// A worker's copy of the region at whose end it waits; written by the worker only, and only while
/// a tool is attached or a debugger is expected. `T` is the type of an implicit task.
#[derive(Debug)]
pub(crate) struct LeftRegion<T: 'static> {
    /// The worker is in a region or has left one. Before its first region and when it ends, it has
    /// an implicit task, but executes none.
    has_region: Cell<bool>,
    /// The end of the region's barrier; `None` while the worker is in a region.
    end: Cell<Option<End>>,
    /// The worker waits for the end, and reports it to a tool.
    is_reported: Cell<bool>,
    /// The tool's word of the region.
    record: ParallelRecord,
    /// The size of the region's team, or of the league.
    size: Cell<u32>,
    /// The implicit task that the worker executed last, or the initial task.
    task: Cell<Option<&'static T>>,
}

impl<T> Default for LeftRegion<T> {
    fn default() -> Self {
        LeftRegion {
            has_region: Cell::new(false),
            end: Cell::new(None),
            is_reported: Cell::new(false),
            record: ParallelRecord::default(),
            size: Cell::new(0),
            task: Cell::new(None),
        }
    }
}

impl<T> LeftRegion<T> {
    /// The worker arrives, in `task`, at the barrier that ends at `end`, of the region with this
    /// `record` and `size`; `is_reported`: it will report the end.
    pub(crate) fn leave(
        &self,
        task: &'static T,
        (record, size): (&ParallelRecord, u32),
        end: End,
        is_reported: bool,
    ) {
        self.task.set(Some(task));
        self.record.data.set(record.data.get());
        self.size.set(size);
        self.is_reported.set(is_reported);
        // A signal handler sees the copy complete.
        compiler_fence(SeqCst);
        self.end.set(Some(end));
    }

    /// The worker begins its next region.
    pub(crate) fn come_back(&self) {
        self.end.set(None);
        self.has_region.set(true);
        compiler_fence(SeqCst);
    }

    /// The worker has no region any more.
    pub(crate) fn forget(&self) {
        self.has_region.set(false);
        compiler_fence(SeqCst);
        self.end.set(None);
    }

    /// Whether the worker is in a region or has left one.
    pub(crate) fn has_region(&self) -> bool {
        self.has_region.get()
    }

    /// The copy; `None` while the worker is in a region.
    pub(crate) fn copy(&self) -> Option<(&ParallelRecord, u32)> {
        self.end.get().map(|_| (&self.record, self.size.get()))
    }

    /// The implicit or initial task in which the worker waits for the end.
    pub(crate) fn task(&self) -> Option<&'static T> {
        self.end.get().and_then(|_| self.task.get())
    }

    /// Whether the region is over, so that the tasks around it go on. Loads that come before the
    /// call in the program are done before it looks: if one of them has read what the primary
    /// thread stored after the region's end (`parallel::end_region` has a fence), the region is
    /// over.
    pub(crate) fn is_over(&self) -> bool {
        fence(Acquire);
        self.end.get().is_some_and(End::is_past)
    }

    /// Whether the region is over and the worker has nothing to report of it.
    pub(crate) fn is_over_unreported(&self) -> bool {
        !self.is_reported.get() && self.is_over()
    }
}
