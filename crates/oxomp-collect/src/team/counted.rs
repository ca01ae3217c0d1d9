//! How many regions were only counted.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

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
