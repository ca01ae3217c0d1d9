//! How many regions were only counted.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::Team;

/// How many regions were only counted, and how long they took.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Counts {
    regions: AtomicU64,
    ticks: AtomicU64,
}

/// A copy of [`Counts`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) regions: u64,
    pub(crate) ticks: u64,
}

impl Counts {
    #[inline]
    pub(super) fn get(&self) -> Counted {
        Counted { regions: self.regions.load(Relaxed), ticks: self.ticks.load(Relaxed) }
    }

    #[inline]
    pub(super) fn set(&self, counted: Counted) {
        self.regions.store(counted.regions, Relaxed);
        self.ticks.store(counted.ticks, Relaxed);
    }
}

impl Team {
    /// The region `id` at `code` begins, which is only counted, in the series of `key`. Returns
    /// whether it is the first one of the series.
    #[inline]
    pub(crate) fn open_counted(&self, id: u64, code: u64, key: u64) -> bool {
        self.id.store(id, Relaxed);
        self.counted_code.store(code, Relaxed);
        self.own.shared.asked.store(false, Relaxed);
        let is_first = self.series() != key;
        if is_first {
            self.series.key.store(key, Relaxed);
        }
        is_first
    }

    /// The number and the code address of the present region, which is only counted.
    pub(crate) fn counted_region(&self) -> (u64, u64) {
        (self.id.load(Relaxed), self.counted_code.load(Relaxed))
    }

    /// The key of the series to which the present region belongs; 0: it is not only counted.
    #[inline]
    pub(crate) fn series(&self) -> u64 {
        self.series.key.load(Relaxed)
    }

    /// The next regions are not only counted.
    #[inline]
    pub(crate) fn end_series(&self) {
        if self.series() != 0 {
            self.series.key.store(0, Relaxed);
        }
    }

    /// The region that is only counted ends on the primary thread, after `ticks` ticks.
    #[inline]
    pub(crate) fn count(&self, ticks: u64) {
        let totals = &self.own.totals;
        let Counted { regions, ticks: before } = totals.counted.get();
        totals.counted.set(Counted { regions: regions + 1, ticks: before + ticks });
        totals.busy.store(totals.busy.load(Relaxed) + ticks, Relaxed);
    }

    /// The regions that were only counted before the present one, for its members to read.
    #[inline]
    pub(crate) fn counted_before(&self) -> Counted {
        self.counted.get()
    }

    /// The regions that have been only counted so far. For a thread other than the primary one, the
    /// two numbers may belong to different moments.
    #[cold]
    pub(crate) fn counted_so_far(&self) -> Counted {
        self.own.totals.counted.get()
    }
}
