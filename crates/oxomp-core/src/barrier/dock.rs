//! Where a worker waits for its next region. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::ffi::c_void;

use crate::sync::{Generation, Patience, ReleaseWord};

/// Argument words that travel in the dock's line; more are read where the primary keeps them.
pub(crate) const INLINE_WORDS: usize = 4;

/// What a released worker does next. It fills, with the release word, one cache line, so that the
/// worker of a hot team misses once.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Order {
    /// Kind of the outlined function and number of argument words, or a command; `parallel` says.
    pub(crate) code: u32,
    /// The outlined function.
    pub(crate) outlined: *const c_void,
    /// Its first words, or, if there are more than `INLINE_WORDS`, in word 0 where they lie.
    pub(crate) words: [usize; INLINE_WORDS],
    /// The member of the team that the worker is in this region.
    pub(crate) member: *mut c_void,
}

impl Order {
    /// What has a code only.
    pub(crate) fn command(code: u32) -> Self {
        let (outlined, member) = (core::ptr::null(), core::ptr::null_mut());
        Order { code, outlined, words: [0; INLINE_WORDS], member }
    }
}

/// A worker's place to wait: one order and the word that says that it is there.
///
/// Invariants:
/// 1. The order is written by the one that may release the worker (the thread above it in the tree
///    of the team that has it, or a thread that took it from the pool), and only when the worker has
///    done what the order before said.
///    In the child of a fork(2) the worker, if it is left, writes its last order itself.
/// 2. The worker reads it only after it saw the generation that the release made.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Dock {
    word: ReleaseWord,
    order: Cell<Order>,
}

// SAFETY: `order` passes between releaser and worker by the word (Invariants 1 and 2).
unsafe impl Sync for Dock {}

impl Dock {
    pub(crate) fn new() -> Self {
        Dock { word: ReleaseWord::new(), order: Cell::new(Order::command(0)) }
    }

    /// As if it were new: nobody waits at it, and nobody may release it.
    pub(crate) fn reset(&self) {
        self.word.reset();
    }

    /// Hands the worker its order (Invariant 1).
    #[inline(always)]
    pub(crate) fn release(&self, order: Order) {
        self.order.set(order);
        // Publishes the order (Invariant 2).
        self.word.advance();
    }

    /// Calls the worker, which is at its dock or on its way, to help with tasks.
    pub(crate) fn call(&self) {
        self.word.call();
    }

    /// The worker waits past `seen`, or until it is called: whether it has an order.
    #[inline(always)]
    pub(crate) fn wait_or_hear(&self, seen: Generation, patience: Patience) -> bool {
        let has_order = self.word.wait_or_hear(seen, patience);
        if !has_order {
            self.word.hush();
        }
        has_order
    }

    /// What the worker was called for comes with its next order: it waits for that, past `seen`, and is
    /// called still when it comes back.
    #[cold]
    pub(crate) fn keep_call(&self, seen: Generation, patience: Patience) {
        self.word.call();
        self.word.wait(seen, patience);
    }

    /// The order that the worker has waited for, and the generation to wait past next.
    #[inline(always)]
    pub(crate) fn order(&self) -> (Order, Generation) {
        (self.order.get(), self.word.current())
    }
}
