//! Waits in barriers, taskwait and taskgroup regions (the 2015 report §3.2.1).
//!
//! Between the begin and the end of such a wait the report knows no other event of the thread. A
//! task that waits and executes another task in the meantime therefore ends its wait before the
//! other task begins, and begins it again afterwards. The task's record says in which wait it is.

use super::callbacks::{call, registered};
use super::{number, region};
use crate::block::Thread;
use crate::ompt::event::{SyncRegion, TaskRecord};

/// No wait.
const NONE: u32 = 0;
const BARRIER: u32 = 1;
const TASKWAIT: u32 = 2;
const TASKGROUP: u32 = 3;

/// The task begins to wait in a region of that kind.
#[inline(always)]
pub(super) fn begin(kind: SyncRegion, region: u64, task: &TaskRecord) {
    let wait = match kind {
        SyncRegion::Taskwait => TASKWAIT,
        SyncRegion::Taskgroup => TASKGROUP,
        _ => BARRIER,
    };
    task.work.waits_in.set(wait);
    call_begin(wait, region, task);
}

/// The task's wait is over.
#[inline(always)]
pub(super) fn end(region: u64, task: &TaskRecord) {
    call_end(task.work.waits_in.replace(NONE), region, task);
}

/// The thread leaves the task, which may wait, for another one.
pub(super) fn interrupt(task: &TaskRecord) {
    call_end(task.work.waits_in.get(), region::of(None, task), task);
}

/// The thread comes back to the task, which may wait.
pub(super) fn resume(task: &TaskRecord) {
    call_begin(task.work.waits_in.get(), region::of(None, task), task);
}

/// Runs `report`, which reports an event of another task in a wait of the calling thread's task.
pub(super) fn interrupted(report: impl FnOnce()) {
    match Thread::known().and_then(Thread::task_if_any) {
        Some(current) if current.ompt.work.waits_in.get() != NONE => {
            interrupt(&current.ompt);
            report();
            resume(&current.ompt);
        }
        _ => report(),
    }
}

fn call_begin(wait: u32, region: u64, task: &TaskRecord) {
    let task = number::of_task(task);
    match wait {
        BARRIER => call!(wait_barrier_begin(region, task)),
        TASKWAIT => call!(wait_taskwait_begin(region, task)),
        TASKGROUP => call!(wait_taskgroup_begin(region, task)),
        _ => {}
    }
}

fn call_end(wait: u32, region: u64, task: &TaskRecord) {
    let task = number::of_task(task);
    match wait {
        BARRIER => call!(wait_barrier_end(region, task)),
        TASKWAIT => call!(wait_taskwait_end(region, task)),
        TASKGROUP => call!(wait_taskgroup_end(region, task)),
        _ => {}
    }
}
