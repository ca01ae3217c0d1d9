//! The loops that a group of threads has in flight: its threads may be in different ones. Steps and
//! argument: README.md beside this file.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::steal::StealRange;
use crate::Alone;
use crate::line::Line;
use crate::patience::{Patience, look_until};
use crate::shim::{AtomicU32, AtomicU64, IS_MODEL};

/// Loops that may be in flight at once; a thread that is further ahead waits
/// (`for_dynamic_nowait`).
const SLOTS: usize = if IS_MODEL { 1 } else { 8 };

/// Data that the threads of a loop share besides its words; clean whenever no thread is in the
/// loop.
pub trait Cleaned {
    /// Cleans the data: every thread has left the loop. They are often clean already.
    fn clean(&self);

    /// In the child of a fork(2): forgets the data, which a thread that is gone may have been
    /// using.
    fn forget(&self, alone: &Alone);

    /// In the child of a fork(2): the surviving thread goes on with the data, of which a thread
    /// that is gone may have held a lock.
    fn outlive_others(&self, alone: &Alone);
}

/// The words of one loop, which the threads of a group share.
///
/// Invariants:
/// 1. The slot belongs to loop number `turn`; the threads of the group count their loops alike, so
///    they mean the same loop.
/// 2. The first thread to enter a loop finds the slot clean: `next` and `turn_of` 0, ranges
///    untouched, `left` 0, and `extra` clean.
/// 3. The last thread to leave cleans the slot and passes it on, `SLOTS` loops further.
#[derive(Debug)]
pub struct LoopSlot<E> {
    turn: Line<AtomicU32>,
    left: AtomicU32,
    /// Chunks (or iterations, where chunks shrink) handed out from the front.
    next: Line<AtomicU64>,
    /// The iteration whose turn it is, of loops that have turns.
    turn_of: Line<AtomicU64>,
    /// Further data that the threads share until all have left.
    extra: E,
    /// One range of chunks a thread, to take from and to steal from.
    ranges: UnsafeCell<Box<[Line<StealRange>]>>,
}

/// The slots of a group of threads.
#[derive(Debug)]
pub struct LoopRing<E> {
    slots: [LoopSlot<E>; SLOTS],
}

// SAFETY: the ranges are replaced only while no thread is in a loop (`make_room`); all else is
// atomic or shared by its own kind.
unsafe impl<E: Sync> Sync for LoopRing<E> {}

fn ranges(threads: usize) -> Box<[Line<StealRange>]> {
    (0..threads).map(|_| Line(StealRange::untouched())).collect()
}

impl<E: Cleaned> LoopRing<E> {
    /// Makes a ring at `place` for a group of up to `threads`, each slot with an `extra` of its
    /// own. A ring is too large to be made on a small stack and moved.
    pub fn make(place: &mut MaybeUninit<Self>, threads: usize, extra: impl Fn() -> E) {
        // SAFETY: the pointer is to a field, in bounds, and nothing is read.
        let first = unsafe { &raw mut (*place.as_mut_ptr()).slots }.cast::<LoopSlot<E>>();
        for index in 0..SLOTS {
            let slot = LoopSlot {
                turn: Line(AtomicU32::new(index as u32)),
                left: AtomicU32::new(0),
                next: Line(AtomicU64::new(0)),
                turn_of: Line(AtomicU64::new(0)),
                extra: extra(),
                ranges: UnsafeCell::new(ranges(threads)),
            };
            // SAFETY: the array has `SLOTS` slots, and `place` is the caller's alone.
            unsafe { first.add(index).write(slot) };
        }
    }

    /// A ring by value.
    #[cfg(test)]
    pub fn new(threads: usize, extra: impl Fn() -> E) -> Self {
        let mut place = MaybeUninit::uninit();
        Self::make(&mut place, threads, extra);
        // SAFETY: `make` has made the ring.
        unsafe { place.assume_init() }
    }

    /// Makes room for the ranges of `threads`. Only while no thread is in a loop.
    pub fn make_room(&self, threads: usize) {
        for slot in &self.slots {
            // SAFETY: no thread is in a loop, so no thread refers to the ranges.
            let room = unsafe { &mut *slot.ranges.get() };
            if room.len() < threads {
                *room = ranges(threads);
            }
        }
    }

    /// In the child of a fork(2): forgets the other threads. The thread that is left is in the
    /// loops `in_flight` (their numbers, and the size that the group had). The next loop has the
    /// number `next`.
    pub fn forget(&self, next: u32, in_flight: &[Option<(u32, u32)>], alone: &Alone) {
        let in_flight = || in_flight.iter().flatten().copied();
        let goes_on = |index| in_flight().any(|(number, _)| number as usize % SLOTS == index);
        for ahead in 0..SLOTS as u32 {
            let number = next.wrapping_add(ahead);
            let index = number as usize % SLOTS;
            if goes_on(index) {
                continue;
            }
            let slot = &self.slots[index];
            // A thread that is gone may have been allocating the memory or freeing it.
            slot.extra.forget(alone);
            slot.clean();
            slot.left.store(0, Relaxed);
            slot.turn.0.store(number, Relaxed);
        }
        for (number, size) in in_flight() {
            // Chunks that were handed out stay so; the other threads count as having left.
            let slot = &self.slots[number as usize % SLOTS];
            slot.left.store(size - 1, Relaxed);
            slot.turn.0.store(number, Relaxed);
            slot.extra.outlive_others(alone);
        }
    }

    /// Begins anew with loop `next`, after threads have left loops early without counting
    /// themselves out. Only while no thread is in a loop.
    pub fn begin_anew(&self, next: u32) {
        for ahead in 0..SLOTS as u32 {
            let number = next.wrapping_add(ahead);
            let slot = &self.slots[number as usize % SLOTS];
            slot.clean();
            slot.left.store(0, Relaxed);
            slot.turn.0.store(number, Relaxed);
        }
    }

    /// The slot of loop `number`: waits until every thread has left the loop that had the slot
    /// before. `None` if the work of the group `is_cancelled` meanwhile, since threads that have
    /// ended their work leave no loop.
    #[inline(always)]
    pub fn enter(
        &self,
        number: u32,
        patience: Patience,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<&LoopSlot<E>> {
        let slot = &self.slots[number as usize % SLOTS];
        // Acquire: pairs with the Release of `leave` (Invariant 2).
        let is_free = slot.turn.0.load(Acquire) == number
            || slot.wait_for_turn(number, patience, is_cancelled);
        is_free.then_some(slot)
    }
}

impl<E: Cleaned> LoopSlot<E> {
    /// Returns whether the slot is free for loop `number`.
    #[cold]
    fn wait_for_turn(
        &self,
        number: u32,
        patience: Patience,
        is_cancelled: impl Fn() -> bool,
    ) -> bool {
        let look = || self.turn.0.load(Acquire);
        look_until(patience, look, |turn| turn == number || is_cancelled()) == number
    }

    /// Chunks (or iterations, where chunks shrink) handed out from the front.
    #[inline(always)]
    pub fn next(&self) -> &AtomicU64 {
        &self.next.0
    }

    /// The iteration whose turn it is, of loops that have turns.
    #[inline(always)]
    pub fn turn_of(&self) -> &AtomicU64 {
        &self.turn_of.0
    }

    /// The further data that the threads of the loop share.
    #[inline(always)]
    pub fn extra(&self) -> &E {
        &self.extra
    }

    /// The range of chunks of thread `thread_num`.
    #[inline(always)]
    pub fn range(&self, thread_num: u32) -> &StealRange {
        // SAFETY: replaced only while no thread is in a loop (see `LoopRing`).
        unsafe { &(&(*self.ranges.get()))[thread_num as usize].0 }
    }

    /// One of `size` threads leaves loop `number`.
    #[inline(always)]
    pub fn leave(&self, number: u32, size: u32) {
        // AcqRel: the last thread to leave comes after the others, and cleans (Invariant 3).
        if self.left.fetch_add(1, AcqRel) + 1 == size {
            self.clean();
            self.left.store(0, Relaxed);
            self.turn.0.store(number.wrapping_add(SLOTS as u32), Release);
        }
    }

    fn clean(&self) {
        self.next.0.store(0, Relaxed);
        self.turn_of.0.store(0, Relaxed);
        self.extra.clean();
        // SAFETY: replaced only while no thread is in a loop (see `LoopRing`).
        for range in unsafe { &*self.ranges.get() } {
            range.0.reset();
        }
    }
}
