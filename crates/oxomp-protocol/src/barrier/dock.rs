//! Where a worker waits for its next order. Steps and argument: README.md beside this file.

use core::cell::Cell;

use super::release_word::{Epoch, ReleaseWord};
use crate::patience::Patience;

/// The place where a worker waits: one order of type `O`, and the release word that publishes it.
/// An order of at most 56 bytes shares a cache line with the word, so that the worker takes one
/// miss.
///
/// Invariants:
/// 1. The order is written by the one thread that may release the worker at that time, and only
///    when the worker has carried out the order before. In the child of a fork(2) the worker, if
///    it is the thread that is left, writes its last order itself.
/// 2. The worker reads the order only after it saw the epoch that the release made.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct Dock<O: Copy> {
    word: ReleaseWord,
    order: Cell<O>,
}

// SAFETY: `order` passes between releaser and worker by the word (Invariants 1 and 2).
unsafe impl<O: Copy + Send> Sync for Dock<O> {}

impl<O: Copy> Dock<O> {
    /// A dock at which no worker waits; `order` is a placeholder that no worker carries out.
    pub fn new(order: O) -> Self {
        Dock { word: ReleaseWord::new(), order: Cell::new(order) }
    }

    /// Makes the dock as new. Only while no worker waits at it and no thread may release one.
    pub fn reset(&self) {
        self.word.reset();
    }

    /// Hands the worker its order (Invariant 1).
    #[inline(always)]
    pub fn release(&self, order: O) {
        self.order.set(order);
        // Publishes the order (Invariant 2).
        self.word.advance();
    }

    /// Calls the worker, which is at its dock or on its way there, to other work while it waits for
    /// its order.
    pub fn call(&self) {
        self.word.call();
    }

    /// The worker waits past `seen`, or until it is called. Returns whether it has an order.
    #[inline(always)]
    pub fn wait_or_hear(&self, seen: Epoch, patience: Patience) -> bool {
        let has_order = self.word.wait_or_hear(seen, patience);
        if !has_order {
            self.word.hush();
        }
        has_order
    }

    /// The call belongs to the worker's next order: the worker waits for the order, past `seen`,
    /// and is still called when it comes back to its dock.
    #[cold]
    pub fn keep_call(&self, seen: Epoch, patience: Patience) {
        self.word.call();
        self.word.wait(seen, patience);
    }

    /// The order that the worker has waited for, and the epoch to wait past next.
    #[inline(always)]
    pub fn order(&self) -> (O, Epoch) {
        (self.order.get(), self.word.current())
    }
}
