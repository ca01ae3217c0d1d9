//! How a complete task is counted in its parent, and how its memory and that of its ancestors is
//! freed, once each. Steps and argument: README.md beside this file.

use super::children::{COMPLETE, Children, GONE};

/// A reference to a task with a parent, children, and memory to free, which any thread may have.
pub trait Lineage: Copy {
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
/// it. If the task `is_counted`, its parent has added it as a child; else the parent adds it now,
/// if it leaves children behind. On return both the task and its parent may have been freed.
#[inline(always)]
pub fn retire<L: Lineage>(
    here: Option<&'static L::Thread>,
    task: L,
    prior: Option<L>,
    is_counted: bool,
) {
    let parent = task.parent();
    let is_home = prior.is_some_and(|prior| prior.is(parent));
    if task.children().are_gone() {
        if is_counted && parent.children().count(is_home, COMPLETE | GONE) && !parent.is_kept() {
            free_line(here, parent);
        }
        task.free(here);
        return;
    }
    if !is_counted {
        parent.children().add();
    }
    // Before `close`: from then on the last child may free this task, and those above it.
    parent.children().count(is_home, COMPLETE);
    if task.children().close() {
        free_line(here, task);
    }
}

/// Frees `task`, which is complete and whose last child is gone, and each task above it that has
/// lost its last child by this.
#[cold]
fn free_line<L: Lineage>(here: Option<&'static L::Thread>, mut task: L) {
    loop {
        let parent = task.parent();
        task.free(here);
        if !parent.children().count(false, GONE) || parent.is_kept() {
            return;
        }
        task = parent;
    }
}
