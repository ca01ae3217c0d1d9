//! What a thread keeps of tasks that are over, for the next ones.

use core::cell::Cell;

use super::Taskgroup;
use super::blocks::Blocks;
use super::copies::SpareCopies;
use super::depend::SpareNodes;

/// Touched by the thread itself only, but for what `Blocks` says.
#[derive(Debug)]
pub(crate) struct Spares {
    pub(in crate::task) blocks: Blocks,
    pub(in crate::task) nodes: SpareNodes,
    pub(in crate::task) copies: SpareCopies,
    /// Linked by `outer`.
    pub(in crate::task) taskgroup: Cell<Option<&'static Taskgroup>>,
}

impl Spares {
    pub(crate) const fn new() -> Self {
        Spares {
            blocks: Blocks::new(),
            nodes: SpareNodes::new(),
            copies: SpareCopies::new(),
            taskgroup: Cell::new(None),
        }
    }

    /// A taskgroup for use.
    #[inline(always)]
    pub(in crate::task) fn take_taskgroup(&self) -> &'static Taskgroup {
        match self.taskgroup.take() {
            Some(spare) => {
                self.taskgroup.set(spare.outer());
                spare
            }
            None => Taskgroup::create(),
        }
    }

    /// Keeps a taskgroup whose tasks are all complete.
    #[inline(always)]
    pub(in crate::task) fn keep_taskgroup(&self, group: &'static Taskgroup) {
        group.set_outer(self.taskgroup.get());
        self.taskgroup.set(Some(group));
    }

    /// In the child of a fork(2), of a thread that is gone: it may have been at its lists. What was
    /// in them stays unused.
    pub(crate) fn forget(&self) {
        self.blocks.forget();
        self.nodes.forget();
        self.copies.forget();
        self.taskgroup.set(None);
    }
}
