//! The turns of a task, one of each exclusion that it needs before it can run. Steps and argument:
//! README.md beside this file, Exclusions.

use super::exclusion::Exclusion;
use super::wait::Wait;

/// A task that takes turns, or the part of it that has its waits: what they lead to.
///
/// # Safety
/// `turns_from(0)` has each turn of the task once, and `turns_from(number)` those of dependence
/// `number` and of the ones after it. `number_of` returns the number of the dependence whose turn
/// it is.
pub unsafe trait TakesTurns: Sized {
    /// The turns of the task from dependence `first` on, each with its exclusion, in the order that
    /// all tasks keep.
    fn turns_from(&self, first: usize) -> impl Iterator<Item = (&Exclusion<Self>, &Wait<Self>)>;

    /// The number of the dependence that has `turn`, one of the task's.
    fn number_of(&self, turn: *const Wait<Self>) -> usize;
}

/// Takes the turns of `task`, which waits for nothing else. Returns whether it has them all. If
/// not, the thread that releases the first one missing goes on with the others (`pass_turn`), and
/// the calling thread is done with the task.
///
/// # Safety
/// No turn of the task is in a list, and the calling thread owns the task. The turns stay where
/// they are until the task has been executed.
#[inline(always)]
#[must_use]
pub unsafe fn take_turns<T: TakesTurns>(task: &T) -> bool {
    // SAFETY: as the caller's (`# Safety`).
    unsafe { take_from(task, 0) }
}

/// Releases the `exclusion` of a task that has been executed. If a task waited for this turn, takes
/// the rest of the turns of that task. Returns the task if it has them all; the calling thread owns
/// it then, and makes it ready.
///
/// # Safety
/// The executed task had all its turns (`take_turns`, or a return of this function), and releases
/// each once.
#[inline(always)]
pub unsafe fn pass_turn<T: TakesTurns>(exclusion: &Exclusion<T>) -> Option<*const T> {
    // SAFETY: the executed task holds the exclusion (`# Safety`).
    let turn = unsafe { exclusion.release() }?;
    // SAFETY: the turn waited in the exclusion's list, so it stays where it is until its task has
    // been executed (`take_turns`), which takes all turns. Only the thread that gives the task this
    // turn takes the next ones: this thread owns the task. Its next turns are in no list.
    unsafe {
        let task = (*turn).waiter();
        let next = (*task).number_of(turn) + 1;
        take_from(&*task, next).then_some(task)
    }
}

/// Takes the turns of `task` from dependence `first` on. Returns whether it has them all.
///
/// # Safety
/// As for `take_turns`, but the task holds the turns before `first`.
#[inline(always)]
unsafe fn take_from<T: TakesTurns>(task: &T, first: usize) -> bool {
    // SAFETY: the turn is in no list and stays where it is; the calling thread owns the task, of
    // which it uses nothing more after a turn that it has not got (`# Safety`).
    task.turns_from(first).all(|(exclusion, turn)| unsafe { exclusion.acquire(turn) })
}
