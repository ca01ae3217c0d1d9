//! How a complete task is counted in its parent, and how its memory and that of its ancestors is
//! freed, once each. Steps and argument: README.md beside this file.

use super::children::{COMPLETE, Children, GONE};
use crate::Owner;

/// A reference to a task with a parent, children, and memory to free, which any thread may have.
///
/// The task's owner (`Owner<Self>`) is the thread that executes it, or has taken it over in order
/// to complete it.
///
/// # Safety
/// Each task has its own counts of children, which all references to the task lead to, and which
/// the owner of the task owns. `is` is true for references to one task only.
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
    fn free(self, here: Option<&'static Self::Thread>);
}

/// Counts `task`, which is complete, in its parent, and frees memory that nothing refers to any
/// more. `prior` is the suspended task on top of which `task` was executed, if this thread executed
/// it. If the task `is_counted`, its parent has added it as a child. If not, the parent is `prior`,
/// and adds it now if it leaves children behind. On return both the task and its parent may have
/// been freed.
#[inline(always)]
pub fn retire<L: Lineage>(
    here: Option<&'static L::Thread>,
    task: Owner<L>,
    prior: Option<Owner<L>>,
    is_counted: bool,
) {
    let parent = task.get().parent();
    let home = prior.filter(|prior| prior.get().is(parent)).map(children_of);
    let children = children_of(task);
    let task = task.get();
    if children.are_gone() {
        if is_counted && count(parent, home, COMPLETE | GONE) && !parent.is_kept() {
            free_line(here, parent);
        }
        task.free(here);
        return;
    }
    if !is_counted && let Some(home) = home {
        home.add();
    }
    // Before `close`: from then on the last child may free this task, and those above it.
    count(parent, home, COMPLETE);
    if children.close() {
        free_line(here, task);
    }
}

/// The counts of the children of a task that the calling thread owns.
#[inline(always)]
fn children_of<L: Lineage>(task: Owner<L>) -> Owner<&'static Children> {
    // SAFETY: the owner of a task owns its counts (`Lineage`).
    unsafe { Owner::of(task.get().children()) }
}

/// A child of `parent` counts `steps`: `COMPLETE`, `GONE` or both. Returns whether the memory of
/// `parent` is now the caller's to free. The child counts at `home`, the parent's counts, if the
/// parent is suspended on the calling thread, right below the child.
#[inline(always)]
fn count<L: Lineage>(parent: L, home: Option<Owner<&'static Children>>, steps: u64) -> bool {
    match home {
        Some(home) => {
            home.count(steps);
            false
        }
        None => parent.children().count_away(steps),
    }
}

/// Frees `task`, which is complete and whose last child is gone, and each task above it that has
/// lost its last child by this.
#[cold]
fn free_line<L: Lineage>(here: Option<&'static L::Thread>, mut task: L) {
    loop {
        let parent = task.parent();
        task.free(here);
        if !parent.children().count_away(GONE) || parent.is_kept() {
            return;
        }
        task = parent;
    }
}
