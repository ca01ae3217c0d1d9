//! Barriers of a region that may be cancelled, and the end of such a region. The protocol, with its
//! argument, is in the README of `oxomp_protocol::barrier` (A cancelled group).

use oxomp_base::settings;
use oxomp_protocol::barrier::{Arrival, Epoch, Last};

use crate::arch::CallSite;
use crate::block::{ImplicitTask, Team, Thread};
use crate::ompt::event::{EnterFrame, State};
use crate::task;

/// Whether a thread of the team, in which a construct has been cancelled, may arrive at a barrier:
/// it may unless that construct is the region. In a team of one thread the call also ends the
/// cancelled worksharing construct.
#[cold]
pub(crate) fn may_meet(team: &Team) -> bool {
    if team.size() == 1 {
        team.cancelled().end_worksharing();
    }
    !team.is_cancelled()
}

/// The thread leaves its cancelled region, or a barrier of it, with a call at `site`. It waits in
/// `state` until the tasks of the region that have begun are over: they may use variables that end
/// when the thread has left.
#[cold]
pub(crate) fn await_begun(thread: &'static Thread, state: State, site: CallSite) {
    let _frame = EnterFrame::new(&thread.implicit_task().ompt, site);
    thread.ompt.in_state(state, || task::await_begun(thread));
}

/// The thread has arrived at a barrier and has heard a call: it helps with tasks, and waits until
/// the barrier is over, or leaves it if the region is cancelled. Returns whether the barrier is
/// over.
#[cold]
pub(crate) fn hear(thread: &'static Thread, member: &'static ImplicitTask, seen: Epoch) -> bool {
    let team = member.team();
    let (barrier, me, patience) = (team.barrier(), member.thread_num() as usize, team.patience());
    let cancellation = team.cancelled().region();
    let is_over = || barrier.is_past(me, seen) || cancellation.is_in(seen);
    task::help_until_released(thread, member, is_over);
    if !settings::is_cancellable() {
        barrier.wait(me, seen, patience);
        return true;
    }
    let is_past = barrier.wait_unless(me, seen, patience, cancellation);
    if !is_past {
        member.cancel.departure.keep(Arrival { seen, last: None });
        task::await_begun(thread);
    }
    is_past
}

/// The thread is the last to arrive at a barrier, in the epoch `seen`, of a team in which a
/// construct has been cancelled. If that construct is the region, the thread leaves with its duty,
/// and releases the others when all have ended the region. Otherwise the cancelled worksharing
/// construct is over, and the duty is returned: the thread releases the others now.
#[cold]
pub(crate) fn stays_as_last(
    thread: &'static Thread,
    member: &ImplicitTask,
    seen: Epoch,
    last: Last,
) -> Option<Last> {
    let team = member.team();
    if team.is_cancelled() {
        member.cancel.departure.keep(Arrival { seen, last: Some(last) });
        task::await_begun(thread);
        return None;
    }
    team.cancelled().end_worksharing();
    Some(last)
}

/// The thread has completed its share of a region that may be cancelled. Returns the epoch that it
/// may wait for; `None` if it was the last thread, and has released the others.
///
/// Another thread may begin the team's next region as soon as this one has arrived.
#[cold]
pub(crate) fn end(thread: &'static Thread, member: &'static ImplicitTask) -> Option<Epoch> {
    let team = member.team();
    let region = team.region_number();
    let (barrier, me) = (team.barrier(), member.thread_num() as usize);
    let state = &member.cancel;
    let arrival = barrier.arrive_at_end(me, &state.departure, &state.ended, region);
    let Some(last) = arrival.last else { return Some(arrival.seen) };
    if team.is_cancelled() {
        wait_for_all(team, region);
    }
    team.cancelled().end_worksharing();
    task::run_all(thread, team);
    if team.is_cancelled() {
        barrier.hush();
    }
    barrier.release(last);
    None
}

/// Waits until every thread has ended the region.
fn wait_for_all(team: &Team, region: u32) {
    for thread_num in 0..team.size() {
        team.member(thread_num).ended().wait(region, team.patience());
    }
}

/// As `end`, and waits until all threads of the team have ended the region.
#[cold]
pub(crate) fn end_and_wait(thread: &'static Thread, member: &'static ImplicitTask) {
    let team = member.team();
    if team.size() == 1 {
        team.cancelled().end_worksharing();
        task::run_all(thread, team);
        return;
    }
    // Read before the thread arrives: afterwards the team may be prepared for its next region.
    let (barrier, me, patience) = (team.barrier(), member.thread_num() as usize, team.patience());
    let Some(seen) = end(thread, member) else { return };
    if !barrier.wait_or_hear(me, seen, patience) {
        task::help_until_released(thread, member, || barrier.is_past(me, seen));
        barrier.wait(me, seen, patience);
    }
}
