//! Barriers of a region that may be cancelled, and the end of such a region. The steps are those of
//! `oxomp_protocol::meeting`; the README of `oxomp_protocol::barrier` has the argument (A cancelled
//! group).

use oxomp_arch::CallSite;
use oxomp_protocol::meeting;

use crate::block::{ImplicitTask, Team, Thread};
use crate::ompt::event::{EnterFrame, State};
use crate::task::{self, Waiter};

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
    let member = thread.implicit_task();
    let _frame = EnterFrame::new(&member.ompt, site);
    thread.ompt.in_state(state, || meeting::await_begun(Waiter::new(thread, member)));
}

/// As `meeting::end_and_wait`, for a team of any size.
#[cold]
pub(crate) fn end_and_wait(thread: &'static Thread, member: &'static ImplicitTask) {
    let team = member.team();
    if team.size() == 1 {
        team.cancelled().end_worksharing();
        task::execute_all(thread, member, team);
    } else {
        meeting::end_and_wait(Waiter::new(thread, member));
    }
}
