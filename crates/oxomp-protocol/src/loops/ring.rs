//! The loops that a group of threads has in flight: its threads may be in different ones. Steps and
//! argument: README.md beside this file.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::steal::StealRange;
use crate::line::Line;
use crate::patience::{Patience, look_until};
use crate::shim::{AtomicU32, AtomicU64, IS_MODEL};
use crate::{Alone, Sole};

/// Loops that may be in flight at once; a thread that is further ahead waits
/// (`for_dynamic_nowait`).
const SLOTS: usize = if IS_MODEL { 1 } else { 8 };

/// Data that the threads of a loop share besides its words; clean whenever no thread is in the
/// loop.
pub trait Cleaned {
    /// Cleans the data, when every thread has left the loop. They are often clean already.
    fn clean(data: Sole<&Self>);

    /// In the child of a fork(2): makes the data clean by forgetting them, since a thread that is
    /// gone may have been using them.
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
    ranges: UnsafeCell<Ranges>,
    /// Ranges that forked children have left as they were, so that a search for lost memory finds
    /// whose they are. For the only thread of such a child.
    forgotten: UnsafeCell<Option<Box<Forgotten>>>,
}

type Ranges = Box<[Line<StealRange>]>;

/// Ranges that a thread may have been replacing when it was lost in a fork(2), and those of the
/// forks before. They are never read.
#[derive(Debug)]
struct Forgotten {
    _ranges: MaybeUninit<Ranges>,
    _before: Option<Box<Forgotten>>,
}

/// The slots of a group of threads.
///
/// What would disturb a thread that is in a loop needs the proof that there is none:
///
/// ```no_run
/// use oxomp_protocol::{Sole, loops::{Cleaned, LoopRing}};
///
/// fn grows<E: Cleaned>(mut ring: Sole<&LoopRing<E>>) {
///     ring.make_room(4);
/// }
/// ```
///
/// ```compile_fail,E0502
/// use oxomp_protocol::{Sole, loops::{Cleaned, LoopRing}, patience::Patience};
///
/// fn keeps_a_range<E: Cleaned>(mut ring: Sole<&LoopRing<E>>, patience: Patience) {
///     let slot = ring.enter(1, patience, || false).expect("it is free");
///     ring.make_room(4);
///     slot.range(0);
/// }
/// ```
///
/// ```compile_fail,E0599
/// use oxomp_protocol::loops::{Cleaned, LoopRing};
///
/// fn grows<E: Cleaned>(ring: &LoopRing<E>) {
///     ring.make_room(4);
/// }
/// ```
#[derive(Debug)]
pub struct LoopRing<E> {
    slots: [LoopSlot<E>; SLOTS],
}

// SAFETY: the ranges are replaced by the only user of the ring (`Sole::make_room`), and forgotten
// by the only thread of a forked child (`Alone`); all else is atomic or shared by its own kind.
unsafe impl<E: Sync> Sync for LoopRing<E> {}

fn ranges(threads: usize) -> Ranges {
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
                forgotten: UnsafeCell::new(None),
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

    /// In the child of a fork(2): forgets the other threads, so that the group has one. The thread
    /// that is left is in the loops `in_flight` (their numbers, and the size that the group had).
    /// The next loop has the number `next`.
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
            slot.forget_ranges(alone);
            slot.clear_words();
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

impl<E: Cleaned> Sole<&LoopRing<E>> {
    /// Makes room for the ranges of `threads`.
    pub fn make_room(&mut self, threads: usize) {
        for slot in &self.slots {
            // SAFETY: no other thread uses the ring, and nothing that it lent out is in use.
            let room = unsafe { &mut *slot.ranges.get() };
            if room.len() < threads {
                *room = ranges(threads);
            }
        }
    }

    /// Begins anew with loop `next`, after threads have left loops early without counting
    /// themselves out.
    pub fn begin_anew(&mut self, next: u32) {
        for ahead in 0..SLOTS as u32 {
            let number = next.wrapping_add(ahead);
            let slot = &self.slots[number as usize % SLOTS];
            // SAFETY: no other thread uses the ring, and nothing that it lent out is in use.
            unsafe { slot.clean() };
            slot.left.store(0, Relaxed);
            slot.turn.0.store(number, Relaxed);
        }
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
        // SAFETY: replaced by the only user of the ring (`Sole::make_room`), or by the only thread
        // of a forked child outside of the loop (`forget_ranges`): after the last use of this
        // reference.
        unsafe { &(&(*self.ranges.get()))[thread_num as usize].0 }
    }

    /// One of `size` threads leaves loop `number`.
    ///
    /// No guard stands for the thread's place in the loop. The core keeps the slot in a cell of the
    /// task, since the program's code runs between two chunks. It would have to take a value that
    /// cannot be copied out of the cell, and put it back, for each chunk.
    ///
    /// # Safety
    /// The calling thread has entered this loop, and leaves it for the first time. From now on it
    /// uses neither the slot, until it enters another loop that has the slot, nor anything that the
    /// slot has lent out. The group has `size` threads, each of which enters the loop once and
    /// leaves it in this way, unless the ring begins anew.
    #[inline(always)]
    pub unsafe fn leave(&self, number: u32, size: u32) {
        // AcqRel: the last thread to leave comes after the others, and cleans (Invariant 3).
        if self.left.fetch_add(1, AcqRel) + 1 == size {
            // SAFETY: all `size` threads have left the loop, and with it the slot (`# Safety`). No
            // other is ever in the loop, and none enters the next one before the store to `turn`.
            unsafe { self.clean() };
            self.left.store(0, Relaxed);
            self.turn.0.store(number.wrapping_add(SLOTS as u32), Release);
        }
    }

    /// Makes the slot ready for its next loop.
    ///
    /// # Safety
    /// No other thread is in the slot's loop. No thread uses anything that the slot has lent out,
    /// nor borrows from the slot before this call is over: those that wait to enter read `turn`.
    #[inline]
    unsafe fn clean(&self) {
        self.clear_words();
        // SAFETY: threads use the data in the loop only, which all have left (`# Safety`).
        E::clean(unsafe { Sole::of(&self.extra) });
    }

    /// In the child of a fork(2), where no loop of the slot goes on: ranges for the one thread that
    /// the group has now. The old ones are neither read nor freed, since a thread that is gone may
    /// have been replacing them (`Sole::make_room`), with some of its stores done.
    fn forget_ranges(&self, _: &Alone) {
        // SAFETY: there is no other thread, and the calling one is in no loop of this slot, so
        // nothing that the slot lent out is in use. The old value is moved as it is, whatever it
        // is, and never dropped.
        unsafe {
            let forgotten = &mut *self.forgotten.get();
            let old = self.ranges.get().cast::<MaybeUninit<Ranges>>().read();
            let before = forgotten.take();
            *forgotten = Some(Box::new(Forgotten { _ranges: old, _before: before }));
            self.ranges.get().write(ranges(1));
        }
    }

    #[inline]
    fn clear_words(&self) {
        self.next.0.store(0, Relaxed);
        self.turn_of.0.store(0, Relaxed);
        // SAFETY: replaced by the only user of the ring (`Sole::make_room`).
        for range in unsafe { &*self.ranges.get() } {
            range.0.reset();
        }
    }
}

#[cfg(all(test, not(feature = "model")))]
mod tests {
    use super::{Cleaned, LoopRing, SLOTS};
    use crate::patience::Patience;
    use crate::{Alone, Sole};

    const PATIENCE: Patience = Patience { spins: 1, nanoseconds: None };

    struct Nothing;

    impl Cleaned for Nothing {
        fn clean(_: Sole<&Self>) {}
        fn forget(&self, _: &Alone) {}
        fn outlive_others(&self, _: &Alone) {}
    }

    #[test]
    fn a_forked_child_leaves_ranges_of_gone_threads_as_they_are() {
        let ring = LoopRing::new(2, || Nothing);
        let slot = ring.enter(0, PATIENCE, || false).expect("it is free");
        let old = &raw const *slot.range(1);
        // SAFETY: the test plays the child of a fork(2): no other thread uses the ring.
        let alone = unsafe { Alone::in_child() };
        assert_eq!(slot.range(1).take(8, 1, 2), Some(4));
        ring.forget(0, &[None], &alone);
        for number in 0..SLOTS as u32 {
            let slot = ring.enter(number, PATIENCE, || false).expect("it is free");
            assert_eq!(slot.range(0).take(3, 0, 1), Some(0));
        }
        // SAFETY: the child has forgotten the old range without freeing it, which is tested.
        assert_eq!(unsafe { &*old }.take(8, 1, 2), Some(5));
    }
}
