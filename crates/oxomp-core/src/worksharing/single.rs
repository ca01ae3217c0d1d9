//! The single construct (OpenMP 5.2 §11.1): who executes the block, and what tools hear of it.

use core::sync::atomic::Ordering::Relaxed;

use crate::arch::CallSite;
use crate::block::Thread;
use crate::ompt::event::{Audience, Endpoint, Work, emit, for_audience};

/// Whether the calling thread executes the block of the `single` that it encounters: the first of the
/// team that gets there does, and says with `end_single` that the block is over.
#[inline(always)]
pub fn single(thread: &Thread, site: CallSite) -> bool {
    for_audience!(|audience| single_for(audience, thread, site))
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

/// The block is over, on the thread that executes it.
#[inline(always)]
pub fn end_single(thread: &Thread, site: CallSite) {
    emit::work(Work::SingleExecutor, Endpoint::End, &thread.implicit_task().ompt, 1, site);
}

/// Whether the calling thread is the first of its team at its next `single`.
///
/// Every thread counts the singles that it has met, the team those that have found their thread; the
/// team's count is never behind anybody's by more than the single at hand.
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
    // Relaxed: it decides who, it publishes nothing; the barrier does.
    match team.single.0.compare_exchange(met, next, Relaxed, Relaxed) {
        Ok(_) => true,
        Err(found) => {
            state.known_found.set(found);
            false
        }
    }
}
