//! The lock in a 32-bit word on which all others are made.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::spin::try_for_a_while;
use crate::sync::{AtomicU32, sleep_on, wake};

/// Nobody has it: zero, so that the compilers' zero-initialised criticals are ready locks.
const FREE: u32 = 0;
/// Somebody has it, nobody sleeps on it.
const HELD: u32 = 1;
/// Somebody has it and somebody may sleep on it.
const CONTENDED: u32 = 2;

/// A lock of one word.
///
/// Invariants:
/// 1. Who changes `FREE` into something else has the lock, and only he makes it `FREE` again.
/// 2. A thread sleeps only on `CONTENDED`; who makes a `CONTENDED` lock `FREE` wakes one.
/// 3. A thread that has slept takes the lock as `CONTENDED`: others may sleep still.
#[repr(transparent)]
#[derive(Debug)]
pub(crate) struct RawLock(AtomicU32);

impl RawLock {
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        RawLock(AtomicU32::new(FREE))
    }

    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        RawLock(AtomicU32::new(FREE))
    }

    /// What a tool knows the lock by: its address.
    #[inline(always)]
    pub(crate) fn wait_id(&self) -> u64 {
        core::ptr::from_ref(self) as u64
    }

    /// Makes the word a free lock, whatever it held.
    pub(crate) fn reset(&self) {
        self.0.store(FREE, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn try_lock(&self) -> bool {
        // Acquire: pairs with the Release of `unlock`.
        self.0.compare_exchange(FREE, HELD, Acquire, Relaxed).is_ok()
    }

    /// Takes the lock after `try_lock` failed.
    #[cold]
    pub(crate) fn lock_contended(&self) {
        if try_for_a_while(|| self.0.load(Relaxed) == FREE && self.try_lock()) {
            return;
        }
        // Acquire: as in `try_lock` (Invariants 2 and 3).
        while self.0.swap(CONTENDED, Acquire) != FREE {
            sleep_on(&self.0, CONTENDED);
        }
    }

    /// Takes the lock.
    pub(crate) fn lock(&self) {
        if !self.try_lock() {
            self.lock_contended();
        }
    }

    /// Gives the lock back.
    #[inline(always)]
    pub(crate) fn unlock(&self) {
        // Release: what was done under the lock is seen by who takes it next.
        if self.0.swap(FREE, Release) == CONTENDED {
            self.wake_one();
        }
    }

    #[cold]
    #[inline(never)]
    fn wake_one(&self) {
        wake(&self.0, 1);
    }
}
