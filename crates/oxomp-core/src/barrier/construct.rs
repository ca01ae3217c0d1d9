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
