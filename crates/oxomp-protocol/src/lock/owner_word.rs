//! The word of a lock: who has it, and whether somebody may sleep on it.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::spin::try_for_a_while;
use crate::shim::{AtomicU32, Deadline, sleep_on, wake};

/// Nobody owns it and nobody sleeps: zero, so that the compilers' zero-initialised criticals are
/// ready locks.
const FREE: u32 = 0;
/// Somebody may sleep on the word; the rest of it is the owner.
const CONTENDED: u32 = 1 << 31;
/// The owner of a destroyed lock: nobody's number.
pub const DESTROYED: u32 = 0x7fff_fffe;

/// A lock that knows its owner: a number from 1 to 2^31 - 1.
///
/// Invariants:
/// 1. The word is the owner and `CONTENDED`, or `FREE`. Who changes `FREE` into something else owns
///    it, and only he makes it `FREE` again.
/// 2. A thread sleeps only on a word with `CONTENDED`; who makes such a word `FREE` wakes one.
/// 3. A thread that has slept takes it with `CONTENDED`: others may sleep still.
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

    /// Makes the word that of a lock which nobody may use before it is initialized again.
    pub fn destroy(&self) {
        self.0.store(DESTROYED, Relaxed);
    }

    /// Makes a lock free that has the impossible owner `owner`.
    pub fn disown(&self, owner: u32) {
        for word in [owner, owner | CONTENDED] {
            // Relaxed: nobody has written under the lock. Who fails has been preceded.
            let _ = self.0.compare_exchange(word, FREE, Relaxed, Relaxed);
        }
    }

    /// The owner, as far as the caller can see; 0 for none.
    pub fn owner(&self) -> u32 {
        self.0.load(Relaxed) & !CONTENDED
    }

    /// Whether `me`, who asks, is the owner.
    #[inline(always)]
    pub fn is_owned_by(&self, me: u32) -> bool {
        // Relaxed: only we ourselves can have made it ours.
        self.owner() == me
    }

    /// `me` becomes the owner if there is none.
    #[inline(always)]
    pub fn try_own(&self, me: u32) -> bool {
        // Acquire: pairs with the Release of `give_up`.
        self.0.compare_exchange(FREE, me, Acquire, Relaxed).is_ok()
    }

    /// `me` becomes the owner as soon as there is none.
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

    /// The same, of a thread that may have slept and been woken, so that others wait for its mark
    /// (Invariant 3).
    #[cold]
    pub fn own_after_sleep(&self, me: u32) {
        self.own_or_sleep(me, |seen| {
            sleep_on(&self.0, seen);
            true
        });
    }

    /// `me` tries for a while to become the owner, after `try_own` failed: whether it did.
    #[inline(always)]
    fn own_awake(&self, me: u32) -> bool {
        try_for_a_while(|| self.0.load(Relaxed) == FREE && self.try_own(me))
    }

    /// As `own_contended`, for `nanoseconds` at most: whether `me` is the owner. If not, the one wake of
    /// a `give_up` may have come here: `own_after_sleep` is next, or the end of the process.
    pub fn own_within(&self, me: u32, nanoseconds: u64) -> bool {
        let deadline = Deadline::after(nanoseconds);
        self.own_awake(me) || self.own_or_sleep(me, |seen| deadline.sleep_on(&self.0, seen))
    }

    /// Tries, and calls `sleep` with the word that it may sleep on, until that says no: whether `me`
    /// is the owner.
    #[inline(always)]
    fn own_or_sleep(&self, me: u32, sleep: impl Fn(u32) -> bool) -> bool {
        let mut seen = self.0.load(Relaxed);
        loop {
            let owner = if seen == FREE { me } else { seen };
            let wanted = owner | CONTENDED;
            // Acquire: as in `try_own` (Invariants 2 and 3).
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

    /// The owner is it no more: whether there was one.
    #[inline(always)]
    pub fn give_up(&self) -> bool {
        // Release: what was done under the lock is seen by who owns it next.
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
