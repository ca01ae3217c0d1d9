//! The phases of a region. A phase is what the threads do between two barriers; the last phase ends
//! with the barrier at the region's end.
//!
//! No thread can be two barriers ahead of another one, so a few slots suffice, which phases use in
//! turn. Ticks only grow, so nothing is reset: if a slot holds ticks of an earlier phase or region,
//! they are older than the last arrival at the barrier before this phase.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_arch::{prefetch, prefetch_to_write};

use super::arrivals::raise;

/// Slots for phases.
const SLOTS: usize = 4;
/// The last end of a task that other threads read is written anew if it is later by this number of
/// ticks, about 3 µs: each time, the threads wait for the cache line.
const TELLING_TICKS: u64 = 1 << 13;

/// The arrivals at the barriers that end phases.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Arrivals([Last; SLOTS]);

#[derive(Debug)]
struct Last {
    /// The last arrival.
    real: AtomicU64,
    /// When it would have been if no thread had waited for locks in the phase.
    without_locks: AtomicU64,
}

/// The explicit tasks of phases.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Tasks([Course; SLOTS]);

#[derive(Debug)]
struct Course {
    /// The begin of the first task, and the end of the last one.
    first: AtomicU64,
    last: AtomicU64,
}

impl Arrivals {
    /// Fetches the line in which [`Self::add`] will write: without this, a thread would wait for it
    /// twice, for its content and for the right to write.
    #[inline]
    pub(super) fn prefetch_to_add(&self) {
        prefetch_to_write(self);
    }

    /// Fetches the line for [`Self::last`].
    #[inline]
    pub(super) fn prefetch(&self) {
        prefetch(self);
    }

    /// A thread arrives at `tick`. It has waited for locks for `locks` ticks in the phase.
    pub(super) fn add(&self, phase: u32, tick: u64, locks: u64) {
        let slot = &self.0[phase as usize % SLOTS];
        raise(&slot.real, tick);
        raise(&slot.without_locks, tick.saturating_sub(locks));
    }

    /// The last arrival at a barrier that the calling thread has just left.
    pub(super) fn last(&self, phase: u32) -> u64 {
        self.0[phase as usize % SLOTS].real.load(Relaxed)
    }

    /// By how much sooner the last thread would have arrived there without locks.
    pub(super) fn lock_gain(&self, phase: u32) -> u64 {
        let slot = &self.0[phase as usize % SLOTS];
        slot.real.load(Relaxed).saturating_sub(slot.without_locks.load(Relaxed))
    }
}

impl Tasks {
    /// A task begins at `now` in the phase, which began at `since` or before.
    #[inline]
    pub(super) fn begin(&self, phase: u32, since: u64, now: u64) {
        let first = &self.0[phase as usize % SLOTS].first;
        let known = first.load(Relaxed);
        if known < since {
            // If another thread is faster, its task is the first.
            let _ = first.compare_exchange(known, now, Relaxed, Relaxed);
        }
    }

    /// A task ends at `now`.
    #[inline]
    pub(super) fn end(&self, phase: u32, now: u64) {
        let last = &self.0[phase as usize % SLOTS].last;
        if now > last.load(Relaxed).saturating_add(TELLING_TICKS) {
            last.fetch_max(now, Relaxed);
        }
    }

    /// The time from the begin of the phase's first task to the end of its last one; `None` if the
    /// phase had no tasks.
    #[inline]
    pub(super) fn span(&self, phase: u32, since: u64) -> Option<(u64, u64)> {
        let slot = &self.0[phase as usize % SLOTS];
        let (first, last) = (slot.first.load(Relaxed), slot.last.load(Relaxed));
        (first >= since && last > first).then_some((first, last))
    }
}
