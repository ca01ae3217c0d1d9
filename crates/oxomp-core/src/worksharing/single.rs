//! The single construct (OpenMP 5.2 §11.1): the choice of the executing thread, and the events.

use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;

use crate::block::Thread;
use crate::ompt::event::{Audience, Endpoint, Work, emit, for_events};

/// Whether the calling thread executes the block of the `single` that it encounters: the first
/// thread of the team that arrives does. It calls `end_single` after the block.
#[inline(always)]
pub fn single(thread: &Thread, site: CallSite) -> bool {
    for_events!(|audience| single_for(audience, thread, site))
}

#[inline(always)]
fn single_for(audience: impl Audience, thread: &Thread, site: CallSite) -> bool {
    let executes = is_first(thread);
    let task = &thread.implicit_task().ompt;
    if executes {
        audience.work(Work::SingleExecutor, Endpoint::Begin, task, 1, site);
    } else {
        audience.work(Work::SingleOther, Endpoint::Begin, task, 1, site);
        audience.work(Work::SingleOther, Endpoint::End, task, 1, site);
    }
    executes
}

/// The calling thread, for which `single` has returned false, executes the block all the same: the
/// region is cancelled, and the thread that took the block may never publish its data.
#[cold]
pub fn single_again(thread: &Thread, site: CallSite) {
    emit::work(Work::SingleExecutor, Endpoint::Begin, &thread.implicit_task().ompt, 1, site);
}

/// Ends the block, on the thread that has executed it.
#[inline(always)]
pub fn end_single(thread: &Thread, site: CallSite) {
    emit::work(Work::SingleExecutor, Endpoint::End, &thread.implicit_task().ompt, 1, site);
}

/// Whether the calling thread is the first of its team at its next `single`.
///
/// Each thread counts the `single` regions that it has encountered, and the team those that a
/// thread has taken. No thread's count exceeds the team's by more than the present `single`.
#[inline(always)]
fn is_first(thread: &Thread) -> bool {
    let task = thread.implicit_task();
    let team = task.team();
    if team.size() == 1 {
        return true;
    }
    let state = &task.singles;
    let met = state.met.get();
    let next = met.wrapping_add(1);
    state.met.set(next);
    if state.known_found.get().wrapping_sub(met).cast_signed() > 0 {
        return false;
    }
    team.published.defer_to_publisher(task.thread_num(), met, &team.single.0);
    // Relaxed: the exchange selects one thread and publishes nothing; the barrier does.
    match team.single.0.compare_exchange(met, next, Relaxed, Relaxed) {
        Ok(_) => true,
        Err(found) => {
            state.known_found.set(found);
            false
        }
    }
}
