//! A table of atomics, one an index, which the threads of a loop make when one needs it. Steps and
//! argument: README.md beside this file.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::Alone;
use crate::line::Line;
use crate::shim::{AtomicPtr, AtomicU64, Entry, IS_MODEL, free, zeroed};

/// The number of different pairs of cache lines on which neighbouring indices lie: threads that
/// write the entries of neighbouring iterations, or of neighbouring rows, do not share a line
/// (`doacross`).
const LANES: usize = if IS_MODEL { 1 } else { 64 };

/// The number of lanes by which the next round of indices begins further. So the distances between
/// the entries of a line are not powers of two, as those between equal shares of a loop often are.
const SKEW: usize = if IS_MODEL { 0 } else { 5 };

/// The bytes of the table that is kept from loop to loop.
const KEPT_BYTES: usize = if IS_MODEL { 16 } else { 16 * 1024 };

/// A larger table is not made. Pages that no thread has written use no memory.
const MOST_BYTES: usize = if IS_MODEL { 64 } else { 1 << 40 };

/// A table for a loop at a time.
///
/// Invariants:
/// 1. A pointer is null or leads to a table: `kept` to one of `KEPT` entries, `large` to one of as
///    `large_length` says, as many as the loop needs. All threads of a loop need the same number.
/// 2. Within a loop, a pointer that is not null does not change.
#[derive(Debug)]
pub(super) struct Table<T> {
    kept: AtomicPtr<T>,
    large: AtomicPtr<T>,
    large_length: AtomicU64,
}

/// The number of entries on a pair of lines.
const fn per_line<T>() -> usize {
    if IS_MODEL { 1 } else { size_of::<Line<u8>>() / size_of::<T>() }
}

/// The position of entry `index` in its table.
#[inline(always)]
fn position<T>(index: usize) -> usize {
    let block = LANES * per_line::<T>();
    let (base, within) = (index / block * block, index % block);
    let depth = within / LANES;
    let lane = (within + SKEW * depth) % LANES;
    base + lane * per_line::<T>() + depth
}

impl<T: Entry> Table<T> {
    const KEPT: usize = KEPT_BYTES / size_of::<T>();

    pub(super) fn new() -> Self {
        Table {
            kept: AtomicPtr::new(ptr::null_mut()),
            large: AtomicPtr::new(ptr::null_mut()),
            large_length: AtomicU64::new(0),
        }
    }

    /// The pointer to the table of a loop that needs `count` entries.
    #[inline(always)]
    fn at(&self, count: u64) -> &AtomicPtr<T> {
        if count <= Self::KEPT as u64 { &self.kept } else { &self.large }
    }

    /// Entry `index`, of `count` that the loop needs. `None` if no thread has made the table.
    ///
    /// # Safety
    /// The index is below `count`. The calling thread is in the loop as long as it uses the entry,
    /// and all threads of the loop pass the same `count`.
    #[inline(always)]
    pub(super) unsafe fn get(&self, index: u64, count: u64) -> Option<&T> {
        // Acquire: pairs with the exchange in `make`, so that the zeros are seen.
        let table = self.at(count).load(Acquire);
        // SAFETY: Invariants 1 and 2; the position of an index below `count` is in the table, whose
        // length is a multiple of a block.
        (!table.is_null()).then(|| unsafe { &*table.add(position::<T>(index as usize)) })
    }

    /// Entry `index`, of `count` that the loop needs. `None` if the table would be too large, or
    /// there is no memory.
    ///
    /// # Safety
    /// As for `get`.
    #[inline(always)]
    pub(super) unsafe fn get_or_make(&self, index: u64, count: u64) -> Option<&T> {
        // SAFETY: the caller's (`# Safety`).
        unsafe { self.get(index, count).or_else(|| self.make(index, count)) }
    }

    /// Makes the table of which `get` has found none.
    ///
    /// # Safety
    /// As for `get`.
    #[cold]
    unsafe fn make(&self, index: u64, count: u64) -> Option<&T> {
        if count > (MOST_BYTES / size_of::<T>()) as u64 {
            return None;
        }
        let length = if count <= Self::KEPT as u64 {
            Self::KEPT
        } else {
            let block = LANES * per_line::<T>();
            let length = (count as usize).next_multiple_of(block);
            // Relaxed: every thread of the loop stores the same, and only the thread that leaves
            // last, after all of them, reads it.
            self.large_length.store(length as u64, Relaxed);
            length
        };
        let made = zeroed::<T>(length);
        // AcqRel: the zeros come before the pointer; on failure another thread's are seen.
        if !made.is_null()
            && self.at(count).compare_exchange(ptr::null_mut(), made, AcqRel, Acquire).is_err()
        {
            // SAFETY: this thread has just made the table, and no other has seen it.
            unsafe { free(made, length) };
        }
        // Without memory here, another thread may have had more luck. SAFETY: the caller's
        // (`# Safety`).
        unsafe { self.get(index, count) }
    }

    /// Frees the table of a loop, unless it is the one that is kept.
    ///
    /// # Safety
    /// Every thread has left the loop.
    pub(super) unsafe fn clean(&self) {
        let large = self.large.load(Relaxed);
        if !large.is_null() {
            self.large.store(ptr::null_mut(), Relaxed);
            // SAFETY: `make` made it with this length, and no thread uses it any more (`# Safety`).
            unsafe { free(large, self.large_length.load(Relaxed) as usize) };
        }
    }

    /// Sets all entries of the table that is kept to 0. Every thread has left the loop.
    pub(super) fn clear_kept(&self) {
        let kept = self.kept.load(Relaxed);
        if !kept.is_null() {
            for index in 0..Self::KEPT {
                // SAFETY: Invariant 1.
                unsafe { &*kept.add(index) }.clear();
            }
        }
    }

    /// In the child of a fork(2): forgets the tables without freeing them, since the surviving
    /// thread may still use one.
    pub(super) fn forget(&self, _: &Alone) {
        self.kept.store(ptr::null_mut(), Relaxed);
        self.large.store(ptr::null_mut(), Relaxed);
    }
}
