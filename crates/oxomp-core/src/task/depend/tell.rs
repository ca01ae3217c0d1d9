//! A dependent task is complete, and those that wait for it are told: that what they wait for is
//! over, or that their turn has come.

use core::sync::atomic::Ordering::AcqRel;

use oxomp_protocol::depend::Wait;

use super::trace;
use crate::block::Thread;
use crate::task::ready::make_ready;
use crate::task::state::depend::ties::{Tie, Ties};
use crate::task::{Properties, Task};

/// A generation that `ties` waits for is over.
pub(super) fn tell(thread: Option<&'static Thread>, ties: *const Ties) {
    // SAFETY: it has not been told, so it is there; once it has been, only a task that is ready by
    // this is looked at, and that is ours to queue.
    unsafe {
        let task = (*ties).task.get();
        if (*ties).waiting.fetch_sub(1, AcqRel) == 1
            && let Some(task) = task
            && take_turns(&*ties, 0)
        {
            make_ready(thread, task);
        }
    }
}

/// The turn of the dependence with `wait` has come: its task goes on to take the others.
pub(super) fn tell_turn(thread: Option<&'static Thread>, wait: *const Wait<Ties>) {
    // SAFETY: one that waited for its turn; its task waits until it has all of them.
    unsafe {
        let ties = &*(*wait).waiter();
        let index = (wait.addr() - ties.ties.as_ptr().addr()) / size_of::<Tie>();
        if take_turns(ties, index + 1)
            && let Some(task) = ties.task.get()
        {
            make_ready(thread, task);
        }
    }
}

/// Takes the task's turns from the `first` dependence on, in the order of the locations, as all
/// tasks do: whether it has them all. If not, it goes on when its turn comes.
pub(super) fn take_turns(ties: &Ties, first: usize) -> bool {
    if !ties.task.get().is_some_and(|task| task.has(Properties::EXCLUSIVE)) {
        return true;
    }
    ties.ties[first..].iter().all(|tie| match &tie.member {
        Some(member) if member.node().is_exclusive => member.node().exclusion.acquire(&tie.wait),
        _ => true,
    })
}

/// A task is complete: those that wait for it, and for nothing else, are ready.
#[inline(always)]
pub(in crate::task) fn release(thread: Option<&'static Thread>, task: &Task) {
    if task.has(Properties::DEPENDENT) {
        // SAFETY: made by `tie` from a box; the task is complete, so nobody else looks at it.
        release_ties(thread, unsafe { &mut *task.ties.get() });
    }
}

#[cold]
fn release_ties(thread: Option<&'static Thread>, ties: &mut Ties) {
    trace::leave(ties);
    for tie in ties.ties.drain(..) {
        let Some(member) = &tie.member else { continue };
        if member.node().is_exclusive
            && let Some(next) = member.node().exclusion.release()
        {
            tell_turn(thread, next);
        }
        for waiter in member.node().generation.leave() {
            tell(thread, waiter);
        }
    }
}
