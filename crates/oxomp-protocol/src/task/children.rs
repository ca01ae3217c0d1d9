//! How a task learns that its children are complete, and when its memory can be reused. Steps and
//! argument: README.md beside this file.

use core::cell::Cell;
use core::fmt;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::inside::{Inside, inside};
use crate::shim::AtomicU64;
use crate::{Alone, Owner};

/// The children of a task: made, complete, and gone.
///
/// A child is *complete* when all its work is done; it is *gone* when nothing refers to its memory
/// any more, that is when its own children are gone. Both are one step for a child without
/// children.
///
/// Their owner (`Owner<&Children>`) is the thread that executes the task, or the present part of
/// it; before that, the thread that generates it, until it hands the task to another.
///
/// Invariants:
/// 1. Only the owner touches `made` and `home`.
///    A child is counted at `home` if it was executed on top of the suspended task, on its thread;
///    all others in `away`.
/// 2. `home` and `away` hold the number of complete children in the first or low half, of gone
///    children in the other. All numbers are modulo 2^32. No half of `away` ever reaches 2^32,
///    which would carry into the other half or bring the high one to zero: each time that the task
///    has made `TURN` children, its thread moves the numbers from `away` to `home` (`carry_home`).
/// 3. `close` subtracts once, from the high half of `away`, the children that are not yet gone;
///    from then on every child is counted in `away`, and the thread that brings the high half to
///    zero owns the task's memory. Before `close` no child brings the high half to zero: children
///    only raise it. So the thread counts the task complete before `close`, and touches neither the
///    task's memory nor its parent's afterwards.
///
/// The words of the executing thread come first, the word of all threads last, so that a cache line
/// may end in between.
#[repr(C)]
pub struct Children {
    home: Home,
    made: Cell<u32>,
    away: AtomicU64,
}

// SAFETY: the cells are reached through an `Owner` (Invariant 1), or in the child of a fork(2) by
// the only thread.
unsafe impl Sync for Children {}

impl fmt::Debug for Children {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Children").field("away", &self.away).finish_non_exhaustive()
    }
}

/// The children that were counted on the thread of the task itself. Each number wraps by itself.
#[repr(C)]
struct Home {
    complete: Cell<u32>,
    gone: Cell<u32>,
}

impl Home {
    #[inline(always)]
    fn set(&self, complete: u32, gone: u32) {
        self.complete.set(complete);
        self.gone.set(gone);
    }

    /// Adds the halves of `steps`.
    #[inline(always)]
    fn add(&self, steps: u64) {
        let (complete, gone) = (steps as u32, (steps >> 32) as u32);
        self.set(self.complete.get().wrapping_add(complete), self.gone.get().wrapping_add(gone));
    }
}

/// A step: one more child is complete.
pub(super) const COMPLETE: u64 = 1;
/// A step: one more child is gone.
pub(super) const GONE: u64 = 1 << 32;
/// The children that a task makes between two calls of `carry_home`. So `away` counts at most this
/// many children, and those that the task had before: up to 2^31 of those do no harm.
const TURN: u32 = 1 << 30;

impl Children {
    /// Bytes before the word that other threads write, which may begin a cache line.
    pub const OWN_PART: usize = core::mem::offset_of!(Children, away);

    /// The number of children that the task has made.
    pub const MADE: Inside<Self, Cell<u32>> = inside!(made);
    /// The complete children counted at home.
    pub const HOME: Inside<Self, Cell<u32>> =
        Inside::new(core::mem::offset_of!(Children, home.complete), |it| &it.home.complete);
    /// The children counted away from home: complete ones in the low half, gone ones in the high
    /// half. A task that is complete, but has children that are not gone, is known by the sign of
    /// the high half (Invariant 3).
    pub const AWAY: Inside<Self, AtomicU64> = inside!(away);

    /// No child yet.
    pub fn new() -> Self {
        let home = Home { complete: Cell::new(0), gone: Cell::new(0) };
        Children { home, made: Cell::new(0), away: AtomicU64::new(0) }
    }

    /// In the child of a fork(2): forgets the children up to now. Lost tasks may refer to this one,
    /// so its memory is never freed: it looks as if it had one child that is complete and never
    /// gone.
    pub fn restart(&self, _: &Alone) {
        self.made.set(1);
        self.home.set(1, 0);
        self.away.store(0, Relaxed);
    }

    /// A child counts `steps`, `COMPLETE`, `GONE` or both, anywhere but on top of this task.
    /// Returns whether the memory of this task is now the caller's to free.
    #[inline(always)]
    pub(super) fn count_away(&self, steps: u64) -> bool {
        // AcqRel: the parent sees the child's writes; the freeing thread comes after all others.
        let before = self.away.fetch_add(steps, AcqRel);
        steps >= GONE && before.wrapping_add(steps) >> 32 == 0
    }
}

impl Owner<&Children> {
    /// A new task is in this memory, and nothing refers to the task before.
    #[inline(always)]
    pub fn reset(self) {
        self.home.set(0, 0);
        self.made.set(0);
        // Relaxed: the task reaches other threads through a deque.
        if self.away.load(Relaxed) != 0 {
            self.away.store(0, Relaxed);
        }
    }

    /// Adds a child.
    #[inline(always)]
    pub fn add(self) {
        let made = self.made.get().wrapping_add(1);
        self.made.set(made);
        if made.is_multiple_of(TURN) {
            self.carry_home();
        }
    }

    /// Moves the numbers of `away` to `home`, where each half wraps by itself.
    #[cold]
    #[inline(never)]
    fn carry_home(self) {
        // Acquire: pairs with the Release of each child counted there, whose writes this thread
        // sees from now on, though `pending` may not look at `away` again.
        let counted = self.away.swap(0, Acquire);
        self.home.add(counted);
    }

    /// The number of children that are not complete. If it is 0, the owner sees all writes of its
    /// children.
    #[inline(always)]
    pub fn pending(self) -> u32 {
        let made = self.made.get().wrapping_sub(self.home.complete.get());
        if made == 0 {
            return 0;
        }
        // Acquire: pairs with the Release of each child counted there.
        made.wrapping_sub(self.away.load(Acquire) as u32)
    }

    /// A child of the task counts `steps` at home: `COMPLETE`, `GONE` or both. The task is
    /// suspended on the calling thread, right below the child.
    #[inline(always)]
    pub(super) fn count(self, steps: u64) {
        self.home.add(steps);
    }

    /// The number of children that count, or have counted, their end in `away`.
    #[inline(always)]
    fn expected(self) -> u32 {
        self.made.get().wrapping_sub(self.home.gone.get())
    }

    /// The memory is not used any more: it looks like that of a complete task with a child that is
    /// never gone. Only for a task without children.
    #[cold]
    pub fn abandon(self) {
        self.add();
        self.close();
    }

    /// The body of the task is over. Returns whether no child refers to the task any more. If not,
    /// `close` is next.
    #[inline(always)]
    pub(super) fn are_gone(self) -> bool {
        let expected = self.expected();
        // Acquire: the freeing thread comes after all others.
        expected == 0 || (self.away.load(Acquire) >> 32) as u32 == expected
    }

    /// The task is complete, and counted so. Returns whether its memory can be freed now. If not,
    /// the last child to go frees it.
    #[cold]
    pub(super) fn close(self) -> bool {
        let owed = u64::from(self.expected()) << 32;
        // AcqRel: as in `count_away`.
        self.away.fetch_sub(owed, AcqRel).wrapping_sub(owed) >> 32 == 0
    }
}

#[cfg(all(test, not(feature = "model")))]
mod tests {
    use super::{COMPLETE, Children, GONE, TURN};
    use crate::Owner;

    /// The calling thread executes the task.
    fn owner(children: &Children) -> Owner<&Children> {
        // SAFETY: each test has one thread.
        unsafe { Owner::of(children) }
    }

    /// A child counts `steps`. Returns whether the memory is now the caller's.
    fn count(children: &Children, is_home: bool, steps: u64) -> bool {
        if is_home {
            owner(children).count(steps);
            return false;
        }
        children.count_away(steps)
    }

    /// A task that has made `made` children, of which all are gone: `elsewhere` of them
    /// elsewhere since it made the last multiple of `TURN`, the others on top of the task.
    fn after(made: u32, elsewhere: u32) -> Children {
        let children = Children::new();
        children.made.set(made);
        children.home.set(made.wrapping_sub(elsewhere), made.wrapping_sub(elsewhere));
        children.away.store((COMPLETE | GONE) * u64::from(elsewhere), super::Relaxed);
        children
    }

    /// Makes `more` children, of which every second one is executed elsewhere, and looks at the
    /// counts after each step.
    fn goes_on(children: &Children, more: u32) {
        let own = owner(children);
        for number in 0..more {
            assert!(own.are_gone());
            own.add();
            assert_eq!(own.pending(), 1);
            assert!(!own.are_gone());
            assert!(!count(children, number % 2 == 0, COMPLETE));
            assert_eq!(own.pending(), 0);
            assert!(!own.are_gone());
            assert!(!count(children, number % 3 == 0, GONE), "the task has not closed");
        }
        assert!(own.are_gone());
    }

    #[test]
    fn children_beyond_a_half_of_the_word() {
        for made in [0, TURN - 4, TURN * 2 - 4, u32::MAX - 4] {
            for elsewhere in [0, made % TURN / 2, made % TURN] {
                goes_on(&after(made, elsewhere), 10);
            }
        }
    }

    #[test]
    fn a_task_closes_after_as_many_children() {
        let children = after(u32::MAX - 1, TURN - 2);
        let own = owner(&children);
        for _ in 0..4 {
            own.add();
        }
        assert!(!count(&children, false, COMPLETE | GONE) && !count(&children, true, COMPLETE));
        assert_eq!(own.pending(), 2);
        assert!(!count(&children, false, COMPLETE) && !count(&children, false, COMPLETE));
        assert!(!own.are_gone() && !own.close());
        assert!(!count(&children, false, GONE) && !count(&children, false, GONE));
        assert!(count(&children, false, GONE), "the last of them frees the memory");
    }
}
