//! The word of a lock: its owner. Steps and argument: README.md beside this file.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::sleepers::{Sleeper, may_sleep_on};
use super::spin::try_for_a_while;
use crate::shim::{AtomicU32, Deadline, sleep_on, wake};

/// No owner: zero, so that zero-initialised memory is a ready lock.
const FREE: u32 = 0;
/// The owner of a destroyed lock: no thread has this number.
pub const DESTROYED: u32 = 0x7fff_fffe;

/// A lock whose word names its owner: a number from 1 to 2^31 - 1.
///
/// Invariants:
/// 1. The word is `FREE` or the owner. The thread that changes `FREE` into its number owns the
///    lock, and only that thread makes the word `FREE` again.
/// 2. A thread that sleeps on the word is a `Sleeper` from before its last look at the word. The
///    owner first makes the word `FREE`, then asks whether the word may have sleepers, and wakes
///    one if so.
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
        // Relaxed: no thread has written under the lock. On failure another thread has already
        // freed it.
        let _ = self.0.compare_exchange(owner, FREE, Relaxed, Relaxed);
    }

    /// The owner, as far as the caller can see; 0 for none.
    #[inline]
    pub fn owner(&self) -> u32 {
        self.0.load(Relaxed)
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

    /// `me` becomes the owner, after `own_within` did not succeed.
    #[cold]
    pub fn own_after_sleep(&self, me: u32) {
        self.own_or_sleep(me, None);
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
        self.own_awake(me) || self.own_or_sleep(me, Some(deadline))
    }

    /// Tries to make `me` the owner, and sleeps between two tries, until the deadline is past.
    /// Returns whether `me` is the owner.
    fn own_or_sleep(&self, me: u32, deadline: Option<Deadline>) -> bool {
        let _sleeper = Sleeper::on(&self.0);
        loop {
            let seen = self.0.load(Relaxed);
            if seen == FREE {
                if self.try_own(me) {
                    return true;
                }
            } else if let Some(deadline) = deadline {
                if !deadline.sleep_on(&self.0, seen) {
                    return false;
                }
            } else {
                sleep_on(&self.0, seen);
            }
        }
    }

    /// Frees the lock. Returns whether it had an owner.
    #[inline(always)]
    pub fn give_up(&self) -> bool {
        // Relaxed: the owner reads its own number.
        let had_owner = self.0.load(Relaxed) != FREE;
        // Release: the next owner sees what was done under the lock.
        self.0.store(FREE, Release);
        // After the store (Invariant 2), without a fence: the sleeper makes it for this thread
        // (README.md).
        if may_sleep_on(&self.0) {
            self.wake_one();
        }
        had_owner
    }

    #[cold]
    #[inline(never)]
    fn wake_one(&self) {
        wake(&self.0, 1);
    }
}
