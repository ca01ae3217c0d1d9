//! The barrier construct and the barriers at the end of worksharing regions (OpenMP 5.2 §15.3).

use crate::arch::CallSite;
use crate::ompt::event::{Endpoint, EnterFrame, SyncRegion, emit};
use crate::thread::Thread;

/// The calling thread waits for its team. In a team of one there is nobody to wait for, but the
/// region is one, and is reported.
#[inline(always)]
pub fn barrier(thread: &Thread, kind: SyncRegion, site: CallSite) {
    let task = thread.task();
    let team = task.team();
    let _frame = EnterFrame::new(&task.ompt, site);
    let region = Some(team.record());
    emit::sync_region(kind, Endpoint::Begin, region, &task.ompt, site);
    emit::sync_region_wait(kind, Endpoint::Begin, region, &task.ompt, site);
    let before = thread.set_state(kind.state());
    if team.size() != 1 {
        team.barrier().pass(task.thread_num() as usize, team.patience());
    }
    thread.set_state(before);
    emit::sync_region_wait(kind, Endpoint::End, region, &task.ompt, site);
    emit::sync_region(kind, Endpoint::End, region, &task.ompt, site);
}

/// A barrier at which thread 0 goes on alone when all have arrived, until it calls `release`: whether
/// the caller is thread 0. The others are past the barrier when they return.
pub fn gather(thread: &Thread, kind: SyncRegion, site: CallSite) -> bool {
    let task = thread.task();
    let team = task.team();
    let _frame = EnterFrame::new(&task.ompt, site);
    let region = Some(team.record());
    let is_first = task.thread_num() == 0;
    emit::sync_region(kind, Endpoint::Begin, region, &task.ompt, site);
    emit::sync_region_wait(kind, Endpoint::Begin, region, &task.ompt, site);
    let before = thread.set_state(kind.state());
    if team.size() != 1 {
        team.barrier().pass(task.thread_num() as usize, team.patience());
        if !is_first {
            team.barrier().pass(task.thread_num() as usize, team.patience());
        }
    }
    thread.set_state(before);
    emit::sync_region_wait(kind, Endpoint::End, region, &task.ompt, site);
    if !is_first {
        emit::sync_region(kind, Endpoint::End, region, &task.ompt, site);
    }
    is_first
}

/// Thread 0, which `gather` let go on alone, lets the others go on.
pub fn release(thread: &Thread, kind: SyncRegion, site: CallSite) {
    let task = thread.task();
    let team = task.team();
    let _frame = EnterFrame::new(&task.ompt, site);
    if team.size() != 1 {
        team.barrier().pass(task.thread_num() as usize, team.patience());
    }
    emit::sync_region(kind, Endpoint::End, Some(team.record()), &task.ompt, site);
}
