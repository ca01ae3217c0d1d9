//! The parallel region of an event.

use super::super::ancestry::left_task;
use super::number;
use crate::block::Thread;
use crate::ompt::event::{ParallelRecord, TaskRecord};

/// The id of the region in which `task` has an event: that of `parallel`, or else of the region
/// that the task belongs to. A worker that has left a region, and reports its end, has a copy of
/// its record.
#[inline(always)]
pub(super) fn of(parallel: Option<&ParallelRecord>, task: &TaskRecord) -> u64 {
    match parallel {
        Some(parallel) => number::of_region(parallel),
        None => of_task(task),
    }
}

fn of_task(task: &TaskRecord) -> u64 {
    if let Some(thread) = Thread::known()
        && left_task(thread).is_some_and(|left| core::ptr::eq(left.task().ompt(), task))
        && let Some((record, _)) = thread.left.copy()
    {
        return number::of_region(record);
    }
    task.parallel().map_or(0, number::of_region)
}
