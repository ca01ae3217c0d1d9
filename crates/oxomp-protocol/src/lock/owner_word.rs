//! The word of a lock: its owner, and whether a thread may sleep on it. Steps and argument:
//! README.md beside this file.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::spin::try_for_a_while;
use crate::shim::{AtomicU32, Deadline, sleep_on, wake};

/// No owner, no sleeper: zero, so that zero-initialised memory is a ready lock.
const FREE: u32 = 0;
/// A thread may sleep on the word; the rest of the word is the owner.
const CONTENDED: u32 = 1 << 31;
/// The owner of a destroyed lock: no thread has this number.
pub const DESTROYED: u32 = 0x7fff_fffe;

/// A lock whose word names its owner: a number from 1 to 2^31 - 1.
///
/// Invariants:
/// 1. The word is `FREE`, or the owner with or without `CONTENDED`. The thread that changes `FREE`
///    into something else owns the lock, and only that thread makes it `FREE` again.
/// 2. A thread sleeps only on a word with `CONTENDED`; the thread that makes such a word `FREE`
///    wakes one sleeper.
/// 3. A thread that has slept takes the lock with `CONTENDED`, since others may still sleep.
#[repr(transparent)]
#[derive(Debug)]
pub struct OwnerWord(AtomicU32);

impl OwnerWord {
    const_unless_model! {
        /// A free lock.
        pub fn new() -> Self {
            OwnerWord(AtomicU32::new(FREE))
        }
    }

    /// Makes the word a free lock, whatever it held.
    pub fn reset(&self) {
        self.0.store(FREE, Relaxed);
    }

    /// Makes the lock one that no thread may use before it is initialized again.
    pub fn destroy(&self) {
        self.0.store(DESTROYED, Relaxed);
    }

    /// Frees a lock whose word names `owner`, which no thread can be.
    pub fn disown(&self, owner: u32) {
        for word in [owner, owner | CONTENDED] {
            // Relaxed: no thread has written under the lock. On failure another thread has already
            // freed it.
            let _ = self.0.compare_exchange(word, FREE, Relaxed, Relaxed);
        }
    }

    /// The owner, as far as the caller can see; 0 for none.
    #[inline]
    pub fn owner(&self) -> u32 {
        self.0.load(Relaxed) & !CONTENDED
    }

    /// Whether `me`, the caller, is the owner.
    #[inline(always)]
    pub fn is_owned_by(&self, me: u32) -> bool {
        // Relaxed: only the caller itself can have made it the owner.
        self.owner() == me
    }

    /// `me` becomes the owner if the lock has no owner.
    #[inline(always)]
    pub fn try_own(&self, me: u32) -> bool {
        // Acquire: pairs with the Release of `give_up`.
        self.0.compare_exchange(FREE, me, Acquire, Relaxed).is_ok()
    }

    /// `me` becomes the owner as soon as the lock has no owner.
    #[inline(always)]
    pub fn own(&self, me: u32) {
        if !self.try_own(me) {
            self.own_contended(me);
        }
    }

    /// `me` becomes the owner, after `try_own` failed.
    #[cold]
    pub fn own_contended(&self, me: u32) {
        if !self.own_awake(me) {
            self.own_after_sleep(me);
        }
    }

    /// `me` becomes the owner, for a thread that may have been woken: keeps `CONTENDED`, since
    /// others may still sleep (Invariant 3).
    #[cold]
    pub fn own_after_sleep(&self, me: u32) {
        self.own_or_sleep(me, |seen| {
            sleep_on(&self.0, seen);
            true
        });
    }

    /// `me` tries for a while to become the owner, after `try_own` failed. Returns whether it did.
    #[inline(always)]
    fn own_awake(&self, me: u32) -> bool {
        try_for_a_while(|| self.0.load(Relaxed) == FREE && self.try_own(me))
    }

    /// `me` tries to become the owner, for `nanoseconds` at most. Returns whether it did. If not,
    /// it may have consumed the one wake-up of a `give_up`: the caller must call `own_after_sleep`
    /// next, or end the process.
    pub fn own_within(&self, me: u32, nanoseconds: u64) -> bool {
        let deadline = Deadline::after(nanoseconds);
        self.own_awake(me) || self.own_or_sleep(me, |seen| deadline.sleep_on(&self.0, seen))
    }

    /// Tries to make `me` the owner, and between two tries calls `sleep` with the word to sleep on,
    /// until `sleep` says that the time is over. Returns whether `me` is the owner.
    #[inline(always)]
    fn own_or_sleep(&self, me: u32, sleep: impl Fn(u32) -> bool) -> bool {
        let mut seen = self.0.load(Relaxed);
        loop {
            let owner = if seen == FREE { me } else { seen };
            let wanted = owner | CONTENDED;
            // Acquire: pairs with the Release of `give_up` (Invariants 2 and 3).
            match self.0.compare_exchange(seen, wanted, Acquire, Relaxed) {
                Ok(FREE) => return true,
                Ok(_) => {
                    if !sleep(wanted) {
                        return false;
                    }
                    seen = self.0.load(Relaxed);
                }
                Err(now) => seen = now,
            }
        }
    }

    /// Frees the lock. Returns whether it had an owner.
    #[inline(always)]
    pub fn give_up(&self) -> bool {
        // Release: the next owner sees what was done under the lock.
        let word = self.0.swap(FREE, Release);
        // As a signed number a word with `CONTENDED` is negative, and `FREE` is 0.
        word.cast_signed() > 0 || self.wake_one(word)
    }

    #[cold]
    #[inline(never)]
    fn wake_one(&self, word: u32) -> bool {
        if word == FREE {
            return false;
        }
        wake(&self.0, 1);
        true
    }
}
