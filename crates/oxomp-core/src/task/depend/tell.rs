//! The completion of a dependent task: the completing thread tells the waiting tasks that their
//! predecessors are complete, or that their turn has come.

use core::sync::atomic::Ordering::AcqRel;

use oxomp_protocol::depend::Wait;

use super::trace;
use crate::block::Thread;
use crate::task::ready::make_ready;
use crate::task::state::depend::ties::{Tie, Ties};
use crate::task::{Properties, Task};

/// Tells the task with `ties` that a generation for which it waits is over, and makes the task
/// ready if that was the last.
pub(super) fn tell(thread: Option<&'static Thread>, ties: *const Ties) {
    // SAFETY: `waiting` includes this generation until the decrement, so the ties stay in use.
    // After it the calling thread accesses them only if it brought the count to zero and they have
    // a task: no other thread makes that task ready, so the calling thread owns it.
    unsafe {
        let task = (*ties).task.get();
        // AcqRel: the thread that brings the count to zero sees the effects of all predecessors.
        if (*ties).waiting.fetch_sub(1, AcqRel) == 1
            && let Some(task) = task
            && take_turns(&*ties, 0)
        {
            make_ready(thread, task);
        }
    }
}

/// Gives a waiting task its turn: the exclusion of the dependence with `wait`. Takes the task's
/// remaining turns, and makes the task ready if it has them all.
pub(super) fn tell_turn(thread: Option<&'static Thread>, wait: *const Wait<Ties>) {
    // SAFETY: a task waited with `wait` for this turn. It is not ready before it has all its turns,
    // and only the thread that gives it this turn takes the next ones, so its ties stay in use.
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

/// Takes the task's turns from the `first` dependence on, in the order of the locations, which is
/// the same for all tasks. Returns whether the task has all turns. If not, the thread that releases
/// the missing turn takes the others, by `tell_turn`.
pub(super) fn take_turns(ties: &Ties, first: usize) -> bool {
    if !ties.task.get().is_some_and(|task| task.has(Properties::EXCLUSIVE)) {
        return true;
    }
    ties.ties.as_slice()[first..].iter().all(|tie| match &tie.member {
        Some(member) if member.node().is_exclusive.get() => {
            // SAFETY: the generation that the task waited for with this wait has told it, or was
            // over, so the wait is in no list. It stays where it is until the task is complete.
            unsafe { member.node().exclusion.acquire(&tie.wait) }
        }
        _ => true,
    })
}

/// Releases the dependences of a complete task: makes ready the tasks that wait only for it.
/// `thread` is the calling thread if they may go into its deque.
#[inline(always)]
pub(in crate::task) fn release(thread: Option<&'static Thread>, task: &Task) {
    if task.has(Properties::DEPENDENT) {
        // SAFETY: `tie` made the pointer from a box that is never freed. All predecessors have told
        // the ties, and the task is complete, so no other thread accesses them.
        release_ties(thread, unsafe { &mut *task.ties.get() });
    }
}

#[cold]
fn release_ties(thread: Option<&'static Thread>, ties: &mut Ties) {
    trace::leave(ties);
    ties.ties.drain(|tie| {
        let Some(member) = &tie.member else { return };
        if member.node().is_exclusive.get()
            // SAFETY: the task has been executed, so it has all its turns. This releases each once.
            && let Some(next) = unsafe { member.node().exclusion.release() }
        {
            tell_turn(thread, next);
        }
        for waiter in member.node().generation.leave() {
            tell(thread, waiter);
        }
    });
}
