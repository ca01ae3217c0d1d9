//! A task hears that what it waits for is over, or that its turn has come.

use core::sync::atomic::Ordering::AcqRel;

use oxomp_protocol::depend::Wait;

use crate::block::Thread;
use crate::task::state::depend::ties::{Tie, Ties};
use crate::task::{property, scheduler};

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
            scheduler::make_ready(thread, task);
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
            scheduler::make_ready(thread, task);
        }
    }
}

/// Takes the task's turns from the `first` dependence on, in the order of the locations, as all
/// tasks do: whether it has them all. If not, it goes on when its turn comes.
pub(super) fn take_turns(ties: &Ties, first: usize) -> bool {
    if !ties.task.get().is_some_and(|task| task.has(property::EXCLUSIVE)) {
        return true;
    }
    ties.ties[first..].iter().all(|tie| match &tie.member {
        Some(member) if member.node().is_exclusive => member.node().exclusion.acquire(&tie.wait),
        _ => true,
    })
}
