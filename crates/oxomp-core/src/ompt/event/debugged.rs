//! The effects of events for a debugger: the state that it reads, and the functions at which it
//! stops the program.
//!
//! Called in the listened case of an event, after the tool, while a debugger is expected.
//! `listeners::expect_debugger` adds the events that a debugger needs to the set.

use oxomp_arch::CallSite;
use oxomp_base::breakpoint::{Breakpoint, reach};

use super::kinds::{Dispatch, Endpoint, ThreadKind, Work};
use super::record::{ParallelRecord, TaskRecord, ThreadRecord};

pub(super) fn thread_begin(_: &ThreadRecord, _: ThreadKind) {
    reach(Breakpoint::ThreadBegin);
}

pub(super) fn thread_end(_: &ThreadRecord, _: ThreadKind) {
    reach(Breakpoint::ThreadEnd);
}

pub(super) fn implicit_task_begin(_: &ParallelRecord, _: &TaskRecord, _: u32, _: u32, _: i32) {
    reach(Breakpoint::TaskBegin);
}

/// The end of an initial task also ends the region around it, which no construct ends.
pub(super) fn implicit_task_end(task: &TaskRecord, _: u32, _: i32) {
    reach(Breakpoint::TaskEnd);
    task.generation.end();
    if task.is_initial()
        && let Some(parallel) = task.parallel()
    {
        parallel.generation.end();
    }
}

pub(super) fn work(kind: Work, endpoint: Endpoint, task: &TaskRecord, count: u64, _: CallSite) {
    match endpoint {
        Endpoint::Begin => task.work.set(Some(kind), count),
        Endpoint::End => task.work.set(None, 0),
        Endpoint::BeginEnd => {}
    }
}

pub(super) fn dispatch(_: Dispatch, task: &TaskRecord, start: u64, iterations: u64, _: CallSite) {
    task.note_chunk(start, iterations);
}
