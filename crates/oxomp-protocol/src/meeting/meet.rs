//! The barriers of a group, and the end of work that cannot be cancelled. Arguments: README.md
//! beside this file, and that of `barrier` (A cancelled group).

use super::group::{Group, Member};
use super::tasks::{await_begun, execute_all, help_until};
use crate::barrier::{Arrival, Barrier, Epoch, Last};
use crate::patience::Patience;

/// Returns when all threads of the member's `group` have arrived, and all tasks of the group are
/// complete; or when the work is cancelled, in which case some threads do not arrive. Returns
/// whether all have arrived. Only for a thread that has left no barrier of the work.
#[inline(always)]
pub fn meet<M: Member>(member: M, group: &M::Group) -> bool {
    let (barrier, me, patience) = (group.barrier(), member.number(), group.patience());
    let seen = barrier.epoch(me);
    let Some(last) = barrier.arrive(me) else {
        return wait(member, barrier, me, seen, patience);
    };
    if group.has_cancelled() {
        return complete_cancelled(member, seen, last);
    }
    execute_all(member, group);
    barrier.release(last);
    true
}

/// The member, thread `me`, has arrived at the barrier, in the epoch `seen`: it waits until the
/// barrier is over, and helps with tasks when it is called, or leaves the barrier if the work is
/// cancelled. Returns whether the barrier is over.
#[inline(always)]
pub(crate) fn wait(
    member: impl Member,
    barrier: &Barrier,
    me: usize,
    seen: Epoch,
    patience: Patience,
) -> bool {
    barrier.wait_or_called(me, seen, patience) || answer_call(member, seen)
}

/// The thread has arrived at a barrier and has seen a call: it helps with tasks, and waits until
/// the barrier is over, or leaves it if the work is cancelled. Returns whether the barrier is over.
#[cold]
fn answer_call(member: impl Member, seen: Epoch) -> bool {
    let group = member.group();
    let (barrier, me, patience) = (group.barrier(), member.number(), group.patience());
    let cancellation = group.cancellation();
    help_until(member, || barrier.is_past(me, seen) || cancellation.is_in(seen));
    if !group.is_cancellable() {
        barrier.wait(me, seen, patience);
        return true;
    }
    let is_past = barrier.wait_unless(me, seen, patience, cancellation);
    if !is_past {
        member.departure().keep(Arrival { seen, last: None });
        await_begun(member);
    }
    is_past
}

/// The thread is the last to arrive at a barrier, in the epoch `seen`, of a group that has
/// cancelled its work or a part of it. If it is the work, the thread leaves with its duty, and
/// releases the others when all have ended the work. Otherwise the part is over, and the thread
/// completes the barrier. Returns whether the barrier is over.
#[cold]
fn complete_cancelled(member: impl Member, seen: Epoch, last: Last) -> bool {
    let group = member.group();
    if group.cancellation().is_active() {
        member.departure().keep(Arrival { seen, last: Some(last) });
        await_begun(member);
        return false;
    }
    group.end_cancelled_part();
    execute_all(member, group);
    group.barrier().release(last);
    true
}

/// The end of work that cannot be cancelled, for a thread that does not wait for the others.
#[inline(always)]
pub fn arrive_at_end(member: impl Member) {
    let group = member.group();
    let barrier = group.barrier();
    if let Some(last) = barrier.arrive(member.number()) {
        execute_all(member, group);
        barrier.release(last);
    }
}
