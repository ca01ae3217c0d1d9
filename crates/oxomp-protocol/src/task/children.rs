//! How a task learns that its children are complete, and when its memory can be reused. Steps and
//! argument: README.md beside this file.

use core::cell::Cell;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::Alone;
use crate::inside::{Inside, inside};
use crate::shim::AtomicU64;

/// The children of a task: made, complete, and gone.
///
/// A child is *complete* when all its work is done; it is *gone* when nothing refers to its memory
/// any more, that is when its own children are gone. Both are one step for a child without
/// children.
///
/// Invariants:
/// 1. Only the thread that executes the task, or the present part of it, touches `made` and `home`.
///    A child is counted at `home` if it was executed on top of the suspended task, on its thread;
///    all others in `away`.
/// 2. `home` and `away` hold the number of complete children in the low half, of gone children in
///    the high half.
/// 3. `close` subtracts once, from the high half of `away`, the children that are not yet gone;
///    from then on every child is counted in `away`, and the thread that brings the high half to
///    zero owns the task's memory. Before `close` the high half is never brought to zero: it only
///    grows. So the thread counts the task complete before `close`, and touches neither the task's
///    memory nor its parent's afterwards.
///
/// The words of the executing thread come first, the word of all threads last, so that a cache line
/// may end in between.
#[derive(Debug)]
#[repr(C)]
pub struct Children {
    home: Cell<u64>,
    made: Cell<u32>,
    away: AtomicU64,
}

// SAFETY: only the thread that executes the task touches the cells (Invariant 1).
unsafe impl Sync for Children {}

/// A step: one more child is complete.
pub(super) const COMPLETE: u64 = 1;
/// A step: one more child is gone.
pub(super) const GONE: u64 = 1 << 32;

impl Children {
    /// Bytes before the word that other threads write, which may begin a cache line.
    pub const OWN_PART: usize = core::mem::offset_of!(Children, away);

    /// The number of children that the task has made.
    pub const MADE: Inside<Self, Cell<u32>> = inside!(made);
    /// The children counted at home: complete ones in the low half, gone ones in the high half.
    pub const HOME: Inside<Self, Cell<u64>> = inside!(home);
    /// The children counted away from home, in the same way. A task that is complete, but has
    /// children that are not gone, is known by the sign of the high half (Invariant 3).
    pub const AWAY: Inside<Self, AtomicU64> = inside!(away);

    /// No child yet.
    pub fn new() -> Self {
        Children { home: Cell::new(0), made: Cell::new(0), away: AtomicU64::new(0) }
    }

    /// A new task is in this memory, and nothing refers to the task before.
    #[inline(always)]
    pub fn reset(&self) {
        self.home.set(0);
        self.made.set(0);
        // Relaxed: the task reaches other threads through a deque.
        if self.away.load(Relaxed) != 0 {
            self.away.store(0, Relaxed);
        }
    }

    /// In the child of a fork(2): forgets the children up to now. Lost tasks may refer to this one,
    /// so its memory is never freed: it looks as if it had one child that is complete and never
    /// gone.
    pub fn restart(&self, _: &Alone) {
        self.made.set(1);
        self.home.set(COMPLETE);
        self.away.store(0, Relaxed);
    }

    /// Adds a child. Only the executing thread may call this.
    #[inline(always)]
    pub fn add(&self) {
        self.made.set(self.made.get().wrapping_add(1));
    }

    /// The number of children that are not complete. Only the executing thread may ask; when the
    /// number is 0, it sees all writes of its children.
    #[inline(always)]
    pub fn pending(&self) -> u32 {
        let made = self.made.get().wrapping_sub(self.home.get() as u32);
        if made == 0 {
            return 0;
        }
        // Acquire: pairs with the Release of each child counted there.
        made.wrapping_sub(self.away.load(Acquire) as u32)
    }

    /// A child counts `steps`, `COMPLETE`, `GONE` or both: whether the memory of this task is now
    /// the caller's to free. If the child `is_home` this task is suspended on the calling thread,
    /// right below the child.
    #[inline(always)]
    pub(super) fn count(&self, is_home: bool, steps: u64) -> bool {
        if is_home {
            self.home.set(self.home.get().wrapping_add(steps));
            return false;
        }
        // AcqRel: the parent sees the child's writes; the freeing thread comes after all others.
        let before = self.away.fetch_add(steps, AcqRel);
        steps >= GONE && before.wrapping_add(steps) >> 32 == 0
    }

    /// The number of children that count, or have counted, their end in `away`.
    #[inline(always)]
    fn expected(&self) -> u32 {
        self.made.get().wrapping_sub((self.home.get() >> 32) as u32)
    }

    /// The body of the task is over: whether no child refers to the task any more. If not, `close`
    /// is next.
    #[inline(always)]
    pub(super) fn are_gone(&self) -> bool {
        let expected = self.expected();
        // Acquire: the freeing thread comes after all others.
        expected == 0 || (self.away.load(Acquire) >> 32) as u32 == expected
    }

    /// The task is complete, and counted so: whether its memory can be freed now. If not, the last
    /// child to go frees it.
    #[cold]
    pub(super) fn close(&self) -> bool {
        let owed = u64::from(self.expected()) << 32;
        // AcqRel: as in `count`.
        self.away.fetch_sub(owed, AcqRel).wrapping_sub(owed) >> 32 == 0
    }
}
