//! The memory of completed tasks that a thread keeps for its next ones.

use core::cell::Cell;

use oxomp_protocol::Alone;

use super::Taskgroup;
use super::blocks::Blocks;
use super::copies::SpareCopies;
use super::depend::SpareNodes;

/// The memory of completed tasks that a thread keeps. Only the thread itself accesses it, except
/// `Blocks::returned`.
#[derive(Debug)]
pub(crate) struct Spares {
    pub(crate) blocks: Blocks,
    pub(in crate::task) nodes: SpareNodes,
    pub(in crate::task) copies: SpareCopies,
    /// Free taskgroups, linked by `outer`.
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

    /// Takes a free taskgroup, or creates one.
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

    /// In the child of a fork(2), for a thread that is gone: drops its lists, which it may have
    /// been changing. The memory in them stays unused.
    pub(crate) fn forget(&self, alone: &Alone) {
        self.blocks.forget(alone);
        self.nodes.forget(alone);
        self.copies.forget(alone);
        self.taskgroup.set(None);
    }
}
