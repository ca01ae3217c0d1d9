//! What a thread keeps of tasks that are over, for the next ones.

use core::cell::Cell;

use super::copies::SpareCopies;
use super::depend::SpareNodes;
use super::{Blocks, Taskgroup};

/// Touched by the thread itself only, but for what `Blocks` says.
#[derive(Debug)]
pub(crate) struct Spares {
    pub(super) blocks: Blocks,
    pub(super) nodes: SpareNodes,
    pub(super) copies: SpareCopies,
    /// Linked by `outer`.
    pub(super) taskgroup: Cell<Option<&'static Taskgroup>>,
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

    /// In the child of a fork(2), of a thread that is gone: it may have been at its lists. What was
    /// in them stays unused.
    pub(crate) fn forget(&self) {
        self.blocks.forget();
        self.nodes.forget();
        self.copies.forget();
        self.taskgroup.set(None);
    }
}
