//! A quota of bytes that threads take from and give back to, and its end: exactly one thread learns
//! that nothing is taken any more after the quota has ended.
//!
//! **Word.** The bytes taken, and in the top bit whether the quota has ended.
//!
//! **Steps.** `take` reads the word, and exchanges it for the sum if the quota has not ended and
//! the sum is within the limit. `give_back` subtracts. `end` sets the top bit.
//!
//! **The limit holds**: the word only grows by an exchange whose new value was compared with the
//! limit, so at no time is more taken than the limit. An addition that is undone where it was too
//! much would not do: in between, other threads that ask for little would be refused.
//!
//! **One last thread**: all changes of the word are in one order. After `end` no `take` succeeds,
//! so the word only falls; it becomes "ended, nothing taken" once, by `end` itself or by one
//! `give_back`, and that call returns true.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::AtomicU64;

/// The quota has ended. Sizes are below: an address space has at most 2^57 bytes.
const ENDED: u64 = 1 << 63;

/// How much of a quota is taken. The user of the quota passes its limit to each call.
#[derive(Debug)]
pub struct Quota(AtomicU64);

impl Quota {
    const_unless_model! {
        /// A quota that has ended, and of which nothing is taken.
        pub fn new() -> Self {
            Quota(AtomicU64::new(ENDED))
        }
    }

    /// Begins anew. Only after a call has returned that the caller is the last, or after `new`.
    pub fn begin(&self) {
        self.0.store(0, Relaxed);
    }

    /// The bytes that are taken.
    pub fn taken(&self) -> u64 {
        self.0.load(Relaxed) & !ENDED
    }

    /// Takes `bytes`, less than 2^62, unless more than `limit` would be taken or the quota has
    /// ended. Returns whether the bytes were taken.
    #[inline]
    pub fn take(&self, bytes: u64, limit: u64) -> bool {
        let mut taken = self.0.load(Relaxed);
        loop {
            // An ended quota's word is above every limit that lets something be taken.
            let sum = taken.saturating_add(bytes);
            if sum > limit || taken >= ENDED {
                return false;
            }
            // Acquire: pairs with the AcqRel of `give_back`, so that memory is given back before it
            // is taken again.
            match self.0.compare_exchange_weak(taken, sum, Acquire, Relaxed) {
                Ok(_) => return true,
                Err(now) => taken = now,
            }
        }
    }

    /// Gives `bytes` back that were taken. Returns whether the quota has ended and the caller was
    /// the last.
    #[inline]
    pub fn give_back(&self, bytes: u64) -> bool {
        // AcqRel: the last one acquires what all others did before.
        self.0.fetch_sub(bytes, AcqRel) == ENDED | bytes
    }

    /// Ends the quota: nothing can be taken from it. Returns whether nothing was taken, so that the
    /// caller is the last. Once.
    pub fn end(&self) -> bool {
        self.0.fetch_or(ENDED, AcqRel) == 0
    }
}
