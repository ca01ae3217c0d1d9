//! How a complete task is counted in its parent, and how its memory and that of its ancestors is
//! freed, once each. Steps and argument: README.md beside this file.

use core::marker::PhantomData;

use super::children::{COMPLETE, Children, GONE};
use crate::Owner;

/// A reference to a task with a parent, children, and memory to free, which any thread may have.
///
/// The task's owner (`Owner<Self>`) is the thread that executes it.
///
/// # Safety
/// Each task has its own counts of children, which all references to the task lead to, and which
/// the owner of the task owns. They are reset only for another task in the same memory, and
/// abandoned only with the memory. `is` is true for references to one task only.
pub unsafe trait Lineage: Copy {
    /// A thread, to which `free` may give the memory.
    type Thread: 'static;

    /// The counts of the task's children.
    fn children(self) -> &'static Children;

    /// The task that generated this one; it has not been freed.
    fn parent(self) -> Self;

    /// Whether this is that task.
    fn is(self, other: Self) -> bool;

    /// Whether the memory stays, whatever its children do: a task that no other has generated.
    fn is_kept(self) -> bool;

    /// Frees the memory for another task. `here` is the calling thread, if it is known.
    ///
    /// # Safety
    /// The task was retired and all its children are gone, so nothing refers to it. This is the
    /// first call for the task.
    unsafe fn free(self, here: Option<&'static Self::Thread>);
}

/// A task that is complete, for the thread that retires it, once.
///
/// ```compile_fail,E0382
/// use oxomp_protocol::task::{Complete, Lineage, retire};
///
/// fn retires_twice<L: Lineage>(task: Complete<L>) {
///     retire(None, task);
///     retire(None, task);
/// }
/// ```
///
/// The value includes the task on top of which the thread has executed this one. So whoever makes
/// the value answers for that one too, and `retire` relies on nothing else:
///
/// ```compile_fail,E0133
/// use oxomp_protocol::task::{Complete, Lineage, retire};
///
/// fn was_counted_by_nobody<L: Lineage>(task: L) {
///     retire(None, Complete::of(task, false, None));
/// }
/// ```
#[derive(Debug)]
pub struct Complete<L> {
    task: L,
    is_counted: bool,
    prior: Option<Owner<L>>,
    stays_on_its_thread: PhantomData<*mut ()>,
}

impl<L: Lineage> Complete<L> {
    /// The task, which the calling thread retires. `prior` is the suspended task on top of which
    /// this thread has executed the task, if it has.
    ///
    /// # Safety
    /// The calling thread owns the task, whose body is over: it has executed the task, or has taken
    /// it over in order to complete it. No thread uses the task any more as its own, nor makes
    /// another such value. If the task `is_counted`, its parent has added it as a child. If not,
    /// `prior` is its parent.
    #[inline(always)]
    pub unsafe fn of(task: L, is_counted: bool, prior: Option<Owner<L>>) -> Self {
        debug_assert!(
            is_counted || prior.is_some_and(|prior| prior.get().is(task.parent())),
            "an uncounted task is executed on top of its parent"
        );
        Complete { task, is_counted, prior, stays_on_its_thread: PhantomData }
    }
}

/// Counts `task` in its parent, and frees memory that nothing refers to any more. A task that is
/// not counted is added to its parent now, if it leaves children behind. On return both the task
/// and its parent may have been freed.
#[inline(always)]
pub fn retire<L: Lineage>(here: Option<&'static L::Thread>, task: Complete<L>) {
    let Complete { task, is_counted, prior, .. } = task;
    let is_home = |parent| prior.is_some_and(|prior| prior.get().is(parent));
    // SAFETY: the calling thread owns the task (`Complete`).
    let children = children_of(unsafe { Owner::of(task) });
    if children.are_gone() {
        if is_counted {
            let parent = task.parent();
            // SAFETY: the calling thread owns the parent if it is `prior`.
            let is_last = unsafe { count(parent, is_home(parent), COMPLETE | GONE) };
            if is_last && !parent.is_kept() {
                // SAFETY: the count says so.
                unsafe { free_line(here, parent) };
            }
        }
        // SAFETY: the children of the task are gone, and this thread retires it.
        unsafe { task.free(here) };
        return;
    }
    let parent = task.parent();
    // Before `close`: from then on the last child may free this task, and those above it.
    if is_counted {
        // SAFETY: the calling thread owns the parent if it is `prior`.
        unsafe { count(parent, is_home(parent), COMPLETE) };
    } else {
        // SAFETY: the calling thread owns the parent, which is `prior` (`Complete::of`).
        let siblings = children_of(unsafe { Owner::of(parent) });
        siblings.add();
        siblings.count(COMPLETE);
    }
    if children.close() {
        // SAFETY: the count says so.
        unsafe { free_line(here, task) };
    }
}

/// The counts of the children of a task that the calling thread owns.
#[inline(always)]
fn children_of<L: Lineage>(task: Owner<L>) -> Owner<&'static Children> {
    // SAFETY: the owner of a task owns its counts (`Lineage`).
    unsafe { Owner::of(task.get().children()) }
}

/// A child of `parent` counts `steps`: `COMPLETE`, `GONE` or both. Returns whether the memory of
/// `parent` is now the caller's to free. The child counts at home if the parent is suspended on the
/// calling thread, right below the child.
///
/// # Safety
/// If the child counts at home, the calling thread owns the parent.
#[inline(always)]
unsafe fn count<L: Lineage>(parent: L, is_home: bool, steps: u64) -> bool {
    if !is_home {
        return parent.children().count_away(steps);
    }
    // SAFETY: the calling thread owns the parent (`# Safety`).
    children_of(unsafe { Owner::of(parent) }).count(steps);
    false
}

/// Frees `task`, and each task above it that has lost its last child by this.
///
/// # Safety
/// The task is complete, and its last child has just gone.
#[cold]
unsafe fn free_line<L: Lineage>(here: Option<&'static L::Thread>, mut task: L) {
    loop {
        let parent = task.parent();
        // SAFETY: the last child is gone, which happens once (`# Safety`; in the next rounds, the
        // count says so).
        unsafe { task.free(here) };
        if !parent.children().count_away(GONE) || parent.is_kept() {
            return;
        }
        task = parent;
    }
}
