//! The completion of a dependent task: the completing thread tells the waiting tasks that their
//! predecessors are complete, or that their turn has come.

use oxomp_protocol::depend::{self, pass_turn};

use super::trace;
use crate::block::Thread;
use crate::task::ready::make_ready;
use crate::task::state::depend::ties::Ties;
use crate::task::{Properties, Task};

/// Tells the task with `ties` that a generation for which it waits is over, and makes the task
/// ready if that was the last.
pub(super) fn tell(thread: Option<&'static Thread>, ties: *const Ties) {
    // SAFETY: `waiting` includes this generation until the decrement, so the ties stay in use.
    // After it the calling thread accesses them only if it brought the count to zero and they have
    // a task: no other thread makes that task ready, so the calling thread owns it.
    unsafe {
        let task = (*ties).task.get();
        if (*ties).waiting.tell()
            && let Some(task) = task
            && take_turns(&*ties)
        {
            make_ready(thread, task);
        }
    }
}

/// Takes the turns of a task that waits for no generation any more, or for none at all. Returns
/// whether the task has all turns. If not, the thread that releases the missing one takes the
/// others, and makes the task ready.
pub(super) fn take_turns(ties: &Ties) -> bool {
    if !ties.task.get().is_some_and(|task| task.has(Properties::EXCLUSIVE)) {
        return true;
    }
    // SAFETY: each generation that the task waited for has told it, or was over, so no wait is in a
    // list, and the calling thread owns the task. The waits stay where they are until the task is
    // complete.
    unsafe { depend::take_turns(ties) }
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
            && let Some(next) = unsafe { pass_turn(&member.node().exclusion) }
            // SAFETY: the task with these ties has all its turns, and this thread makes it ready.
            && let Some(task) = unsafe { (*next).task.get() }
        {
            make_ready(thread, task);
        }
        for waiter in member.node().generation.leave() {
            tell(thread, waiter);
        }
    });
}
