//! The word of a nestable lock: who owns it, and whether somebody may sleep on it.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::spin::try_for_a_while;
use crate::sync::{AtomicU32, sleep_on, wake};

/// Nobody owns it and nobody sleeps: zero.
const FREE: u32 = 0;
/// Somebody may sleep on the word; the rest of it is the owner.
const CONTENDED: u32 = 1 << 31;

/// A lock that knows its owner: a number from 1 to 2^31 - 1.
///
/// Invariants:
/// 1. The word is the owner and `CONTENDED`, or `FREE`. Who changes `FREE` into something else owns
///    it, and only he makes it `FREE` again.
/// 2. A thread sleeps only on a word with `CONTENDED`; who makes such a word `FREE` wakes one.
/// 3. A thread that has slept takes it with `CONTENDED`: others may sleep still.
#[repr(transparent)]
#[derive(Debug)]
pub(crate) struct OwnerWord(AtomicU32);

impl OwnerWord {
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        OwnerWord(AtomicU32::new(FREE))
    }

    /// Makes the word a free lock, whatever it held.
    pub(crate) fn reset(&self) {
        self.0.store(FREE, Relaxed);
    }

    /// Whether `me`, who asks, is the owner.
    #[inline(always)]
    pub(crate) fn is_owned_by(&self, me: u32) -> bool {
        // Relaxed: only we ourselves can have made it ours.
        self.0.load(Relaxed) & !CONTENDED == me
    }

    /// `me` becomes the owner if there is none.
    #[inline(always)]
    pub(crate) fn try_own(&self, me: u32) -> bool {
        // Acquire: pairs with the Release of `give_up`.
        self.0.compare_exchange(FREE, me, Acquire, Relaxed).is_ok()
    }

    /// `me` becomes the owner, after `try_own` failed.
    pub(crate) fn own_contended(&self, me: u32) {
        if try_for_a_while(|| self.0.load(Relaxed) == FREE && self.try_own(me)) {
            return;
        }
        let mut seen = self.0.load(Relaxed);
        loop {
            let owner = if seen == FREE { me } else { seen };
            let wanted = owner | CONTENDED;
            // Acquire: as in `try_own` (Invariants 2 and 3).
            match self.0.compare_exchange(seen, wanted, Acquire, Relaxed) {
                Ok(FREE) => return,
                Ok(_) => {
                    sleep_on(&self.0, wanted);
                    seen = self.0.load(Relaxed);
                }
                Err(now) => seen = now,
            }
        }
    }

    /// The owner is it no more.
    #[inline(always)]
    pub(crate) fn give_up(&self) {
        // Release: what was done under the lock is seen by who owns it next.
        if self.0.swap(FREE, Release) & CONTENDED != 0 {
            self.wake_one();
        }
    }

    #[cold]
    #[inline(never)]
    fn wake_one(&self) {
        wake(&self.0, 1);
    }
}
