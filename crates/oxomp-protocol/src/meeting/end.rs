//! The end of work that may be cancelled: a thread may be there before another cancels the work.
//! Arguments: the README of `barrier` (A cancelled group).

use super::group::{Group, Member};
use super::tasks::{execute_all, help_until};
use crate::barrier::Epoch;

/// The thread has completed its share of work that may be cancelled, and does not wait for the
/// others.
#[cold]
pub fn end(member: impl Member) {
    arrive(member);
}

/// As [`end`], and waits until all threads of the group have ended the work.
#[cold]
pub fn end_and_wait(member: impl Member) {
    let group = member.group();
    // Read before the thread arrives: afterwards the group may be prepared for its next work.
    let (barrier, me, patience) = (group.barrier(), member.number(), group.patience());
    let Some(seen) = arrive(member) else { return };
    if !barrier.wait_or_called(me, seen, patience) {
        help_until(member, || barrier.is_past(me, seen));
        barrier.wait(me, seen, patience);
    }
}

/// Returns the epoch that the thread may wait for; `None` if it was the last thread, and has
/// released the others.
///
/// Another thread may begin the group's next work as soon as this one has arrived.
fn arrive(member: impl Member) -> Option<Epoch> {
    let group = member.group();
    let (barrier, work) = (group.barrier(), group.work());
    let arrival = barrier.arrive_at_end(member.number(), member.departure(), member.ended(), work);
    let Some(last) = arrival.last else { return Some(arrival.seen) };
    if group.cancellation().is_active() {
        for number in 0..group.size() {
            group.ended(number).wait(work, group.patience());
        }
    }
    group.end_cancelled_part();
    execute_all(member, group);
    if group.cancellation().is_active() {
        barrier.withdraw_call();
    }
    barrier.release(last);
    None
}
