//! A thread executes tasks of its group: while it waits at a barrier, as the last thread there, and
//! before it leaves cancelled work. Arguments: README.md beside this file, and that of `task`.

use super::group::{Group, Member, Stay};
use crate::kernel::sleep;
use crate::task::is_quiescent;

/// Whether tasks of the group may be unfinished. Only for the last thread to arrive at a barrier.
#[inline(always)]
pub fn may_have_tasks(group: &impl Group) -> bool {
    group.gate().may_hide_tasks(group.outstanding())
}

/// Executes tasks of the thread's `group` until all are complete. Only for the last thread to
/// arrive at a barrier.
#[inline(always)]
pub fn execute_all<M: Member>(member: M, group: &M::Group) {
    if may_have_tasks(group) {
        execute_to_the_end(member, group);
    }
}

#[cold]
fn execute_to_the_end<M: Member>(member: M, group: &M::Group) {
    let mut stay = member.stay();
    let tally = |number| group.tally(number);
    loop {
        if stay.execute_one() {
            continue;
        }
        // Read anew: a task may have made the group one of a single thread (`Group::size`).
        let tallies = if group.size() == 1 { 0 } else { group.size() };
        if is_quiescent(tally, tallies, group.outstanding()) {
            break;
        }
        stay.rest(sleep);
    }
    if group.size() != 1 && group.gate().is_open() {
        group.gate().close(tally, group.size());
        // The other threads wait for the release from now on. A thread that makes a task after the
        // barrier calls them again.
        group.barrier().withdraw_call();
    }
}

/// Executes tasks of the group on a thread that has arrived at a barrier, until the last thread has
/// arrived and no task is left. Returns true at once if the gate is closed; returns false if the
/// gate is open, but the barrier `is_over`.
///
/// A thread that was called to help may be late. If its barrier is over by then, the gate may be
/// open for tasks that come after the barrier. It stays open until all threads have arrived at the
/// next barrier, which this thread would never reach while it helped.
#[cold]
pub fn help_until(member: impl Member, is_over: impl Fn() -> bool) -> bool {
    let (gate, tally) = (member.group().gate(), member.tally());
    if !gate.enter(tally) {
        return true;
    }
    if is_over() {
        gate.leave(tally);
        return false;
    }
    let mut stay = member.stay();
    while gate.is_open() && !is_over() {
        if !stay.execute_one() {
            stay.rest(|nanoseconds| gate.sleep(nanoseconds));
        }
    }
    // As soon as the helper has left the gate, another thread may have its place in the group: so
    // the stay ends first.
    drop(stay);
    gate.leave(tally);
    true
}

/// Executes tasks of the group, whose work is cancelled, until every task that has begun is over:
/// the thread leaves the work, or a barrier of it.
#[cold]
pub fn await_begun(member: impl Member) {
    if member.begun_are_over() {
        return;
    }
    let mut stay = member.stay();
    while !member.begun_are_over() {
        if !stay.execute_one() {
            stay.rest(sleep);
        }
    }
}
