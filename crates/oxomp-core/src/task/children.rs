//! How a task knows when its children are complete, and when its memory can be used again.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::sync::{AtomicPtr, AtomicU64};

/// The children of a task: made, complete, and gone.
///
/// A child is *complete* when its body is over, its event is fulfilled and its dependences are
/// released; it is *gone* when nothing refers to its block any more, that is when its own children are
/// gone. Both are one step for a child without children.
///
/// Invariants:
/// 1. `made` and `home` are the executing thread's: of a tied task its `thread`, of an untied one
///    whoever runs the present part. Others count in `away`.
/// 2. `home` and `away` hold the completed in the low half, the gone in the high half.
/// 3. `close` takes the gone that are still to come out of `away`, once; from then on all count in
///    `away`, and the one that brings its high half to zero owns the task's block. Before, it is never
///    brought to zero: it only grows. So the task counts itself complete before, and touches neither
///    its own block nor its parent's afterwards.
#[derive(Debug)]
pub(crate) struct Children<T> {
    made: Cell<u32>,
    /// Who counts at home; null for an untied task, and for one that is over.
    thread: AtomicPtr<T>,
    home: Cell<u64>,
    away: AtomicU64,
}

/// One child more is complete.
pub(crate) const COMPLETE: u64 = 1;
/// One child more is gone.
pub(crate) const GONE: u64 = 1 << 32;

impl<T> Children<T> {
    pub(crate) fn new() -> Self {
        Children {
            made: Cell::new(0),
            thread: AtomicPtr::new(ptr::null_mut()),
            home: Cell::new(0),
            away: AtomicU64::new(0),
        }
    }

    /// A new task is in this block. Nothing refers to the one before.
    #[inline(always)]
    pub(crate) fn reset(&self) {
        self.made.set(0);
        self.home.set(0);
        // Relaxed: the block reaches other threads through a deque.
        self.away.store(0, Relaxed);
    }

    /// In the child of a fork(2): children are those that are added from now on. Tasks that are gone with
    /// their threads may refer to this one, so its block is not freed: it looks as if one child were
    /// complete and never gone.
    #[cfg(not(loom))]
    pub(crate) fn restart(&self) {
        self.made.set(1);
        self.home.set(COMPLETE);
        self.away.store(0, Relaxed);
    }

    /// The tied task runs on `thread` from now on.
    #[inline(always)]
    pub(crate) fn tie(&self, thread: &T) {
        let thread = ptr::from_ref(thread).cast_mut();
        if self.thread.load(Relaxed) != thread {
            self.thread.store(thread, Relaxed);
        }
    }

    /// One child more. By the executing thread.
    #[inline(always)]
    pub(crate) fn add(&self) {
        self.made.set(self.made.get().wrapping_add(1));
    }

    /// Children that are not complete. By the executing thread, to which what they did is visible
    /// when it is 0.
    #[inline(always)]
    pub(crate) fn pending(&self) -> u32 {
        let made = self.made.get().wrapping_sub(self.home.get() as u32);
        if made == 0 {
            return 0;
        }
        // Acquire: pairs with the Release of each child counted there.
        made.wrapping_sub(self.away.load(Acquire) as u32)
    }

    /// A child counts `steps`, `COMPLETE`, `GONE` or both: whether the block of this task is now the
    /// caller's to free. `here` is the calling thread, if it is one of the runtime's.
    #[inline(always)]
    pub(crate) fn count(&self, here: Option<&T>, steps: u64) -> bool {
        // Relaxed: equal to the calling thread only if that stored it itself.
        if here.is_some_and(|here| ptr::eq(self.thread.load(Relaxed), here)) {
            self.home.set(self.home.get().wrapping_add(steps));
            return false;
        }
        // AcqRel: the parent sees what the child did; who frees sees that all others are done.
        let before = self.away.fetch_add(steps, AcqRel);
        steps >= GONE && before.wrapping_add(steps) >> 32 == 0
    }

    /// Children that count, or have counted, their end in `away`.
    #[inline(always)]
    fn expected(&self) -> u32 {
        self.made.get().wrapping_sub((self.home.get() >> 32) as u32)
    }

    /// The body of the task is over: whether no child refers to it any more. If not, `close` is next.
    #[inline(always)]
    pub(crate) fn are_gone(&self) -> bool {
        if !self.thread.load(Relaxed).is_null() {
            self.thread.store(ptr::null_mut(), Relaxed);
        }
        let expected = self.expected();
        // Acquire: who frees sees that all others are done.
        expected == 0 || (self.away.load(Acquire) >> 32) as u32 == expected
    }

    /// The task is complete, and counted so: whether its block can be freed now. If not, the last child
    /// to go frees it.
    #[cold]
    pub(crate) fn close(&self) -> bool {
        let owed = u64::from(self.expected()) << 32;
        // AcqRel: as in `count`.
        self.away.fetch_sub(owed, AcqRel).wrapping_sub(owed) >> 32 == 0
    }
}
