//! The barrier construct and the barriers at the end of worksharing regions (OpenMP 5.2 §15.3).

use oxomp_arch::CallSite;
use oxomp_base::settings;
use oxomp_protocol::meeting;

use crate::block::{ImplicitTask, Team, Thread};
use crate::cancel::departure;
use crate::ompt::event::{
    Audience, Endpoint, SyncRegion, Work, emit, for_audience, hears_under_way,
};
use crate::task::{self, Waiter};

/// Executes a barrier region: the calling thread waits for its team and for the team's explicit
/// tasks. A team of one thread has a barrier region too, with its events.
///
/// In a cancelled region the thread only waits for the tasks that have begun: threads that have
/// left the region do not arrive. Returns whether the whole team has arrived.
#[inline(always)]
pub fn barrier(thread: &'static Thread, kind: SyncRegion, site: CallSite) -> bool {
    for_audience!(|audience| barrier_for(audience, thread, kind, site))
}

#[inline(always)]
fn barrier_for(
    audience: impl Audience,
    thread: &'static Thread,
    kind: SyncRegion,
    site: CallSite,
) -> bool {
    let task = thread.implicit_task();
    let team = task.team();
    if audience.is_listening() && task.worksharing.leave_open_scope() {
        audience.work(Work::Scope, Endpoint::End, &task.ompt, 1, site);
    }
    if team.cancelled().has_any() && !departure::may_meet(team) {
        departure::await_begun(thread, kind.state(), site);
        return false;
    }
    if !audience.hears_events() && team.size() == 1 && !meeting::may_have_tasks(team) {
        // The thread neither waits nor executes a task, so there is nothing to see.
        return true;
    }
    let region = Some(task.team().record());
    let _frame = audience.enter(&task.ompt, site);
    audience.sync_region(kind, Endpoint::Begin, region, &task.ompt, site);
    audience.sync_region_wait(kind, Endpoint::Begin, region, &task.ompt, site);
    let is_complete = thread.ompt.in_state(kind.state(), || {
        let is_complete = meet(thread, task);
        if !audience.is_listening() && hears_under_way() {
            end_under_way(thread);
        }
        is_complete
    });
    audience.sync_region_wait(kind, Endpoint::End, region, &task.ompt, site);
    audience.sync_region(kind, Endpoint::End, region, &task.ompt, site);
    is_complete
}

/// Reports the end of a barrier that has begun without a listener, to a tool that was attached
/// meanwhile and may hear of the thread by this event: so the thread is in the state of the wait.
// The function finds all but the thread anew, and does without the call's address, so that a
// barrier saves no registers for it.
#[cold]
#[inline(never)]
fn end_under_way(thread: &Thread) {
    let task = thread.implicit_task();
    let region = Some(task.team().record());
    let site = CallSite::none();
    let Some(kind) = SyncRegion::of_barrier(thread.ompt.state.get()) else { return };
    emit::sync_region_wait(kind, Endpoint::End, region, &task.ompt, site);
    emit::sync_region(kind, Endpoint::End, region, &task.ompt, site);
}

/// A barrier at which thread 0 goes on alone when all threads have arrived, until it calls
/// `release`. Returns whether the caller is thread 0. The other threads return when `release` has
/// been called.
pub fn gather(thread: &'static Thread, kind: SyncRegion, site: CallSite) -> bool {
    for_audience!(|audience| gather_for(audience, thread, kind, site))
}

fn gather_for(
    audience: impl Audience,
    thread: &'static Thread,
    kind: SyncRegion,
    site: CallSite,
) -> bool {
    let task = thread.implicit_task();
    let region = Some(task.team().record());
    let _frame = audience.enter(&task.ompt, site);
    let is_first = task.thread_num() == 0;
    if task.team().is_cancelled() {
        // Thread 0 ends the region by `release`.
        if is_first {
            audience.sync_region(kind, Endpoint::Begin, region, &task.ompt, site);
        } else {
            departure::await_begun(thread, kind.state(), site);
        }
        return is_first;
    }
    audience.sync_region(kind, Endpoint::Begin, region, &task.ompt, site);
    audience.sync_region_wait(kind, Endpoint::Begin, region, &task.ompt, site);
    thread.ompt.in_state(kind.state(), || {
        if meet(thread, task) && !is_first {
            meet(thread, task);
        }
    });
    audience.sync_region_wait(kind, Endpoint::End, region, &task.ompt, site);
    if !is_first {
        audience.sync_region(kind, Endpoint::End, region, &task.ompt, site);
    }
    is_first
}

/// Thread 0, which has gone on alone from `gather`, releases the other threads.
pub fn release(thread: &'static Thread, kind: SyncRegion, site: CallSite) {
    for_audience!(|audience| release_for(audience, thread, kind, site));
}

fn release_for(audience: impl Audience, thread: &'static Thread, kind: SyncRegion, site: CallSite) {
    let task = thread.implicit_task();
    let _frame = audience.enter(&task.ompt, site);
    if task.team().is_cancelled() {
        departure::await_begun(thread, kind.state(), site);
    } else {
        meet(thread, task);
    }
    let region = Some(task.team().record());
    audience.sync_region(kind, Endpoint::End, region, &task.ompt, site);
}

/// Returns when all threads of the team have arrived, and all explicit tasks of the team are
/// complete; or when the region is cancelled, in which case some threads do not arrive. Returns
/// whether all have arrived. Only in a region that was not cancelled in an earlier epoch.
#[inline(always)]
fn meet(thread: &'static Thread, task: &'static ImplicitTask) -> bool {
    let team = task.team();
    if team.size() == 1 {
        task::execute_all(thread, task, team);
        return true;
    }
    meet_others(thread, task, team)
}

/// As [`meet`], in a team of several threads.
// Not inlined, so that the thread of a team of one saves no registers for it.
#[inline(never)]
fn meet_others(thread: &'static Thread, task: &'static ImplicitTask, team: &'static Team) -> bool {
    meeting::meet(Waiter::new(thread, task), team)
}

/// The end of a parallel region: returns when all threads of the team have ended it, and all
/// explicit tasks of the team are complete.
#[inline(always)]
pub(crate) fn meet_at_end(thread: &'static Thread, task: &'static ImplicitTask) {
    if settings::is_cancellable() {
        departure::end_and_wait(thread, task);
    } else {
        meet(thread, task);
    }
}

/// The end of a parallel region for a thread that does not wait for the others.
#[inline(always)]
pub(crate) fn arrive_at_end(thread: &'static Thread, task: &'static ImplicitTask) {
    let waiter = Waiter::new(thread, task);
    if settings::is_cancellable() {
        meeting::end(waiter);
    } else {
        meeting::arrive_at_end(waiter);
    }
}
