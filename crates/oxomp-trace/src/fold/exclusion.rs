//! Positions in the entries of mutexes.

#[cfg(doc)]
use super::FoldKind;

/// Positions in a [`FoldKind::Mutex`] entry.
pub mod mutex {
    /// How often the thread acquired a mutex at this place.
    pub const ACQUISITIONS: usize = 0;
    /// Acquisitions during whose wait another thread held the mutex.
    pub const CONTENDED: usize = 1;
    /// Sum of the times from request to acquisition, in ticks.
    pub const WAIT: usize = 2;
    /// The longest wait, in ticks; readers take the largest over threads.
    pub const MAX_WAIT: usize = 3;
    /// Sum of the times that mutexes acquired at this place were held, in ticks.
    pub const HOLD: usize = 4;
    /// The longest hold, in ticks; readers take the largest over threads.
    pub const MAX_HOLD: usize = 5;
    /// Part of the wait in which no thread held the mutex, in ticks.
    pub const HANDOFF: usize = 6;
    /// Part of the wait whose holder was no longer known, in ticks.
    pub const UNATTRIBUTED: usize = 7;
    /// Four positions: a set of bits, one of which [`place_of`] gives for each mutex.
    pub const DISTINCT: usize = 8;

    /// In the place of a region's code address: the thread was in a region that is only counted.
    pub const COUNTED_REGION: u64 = 1;

    /// The bit of a mutex: the position of its word among those of [`DISTINCT`], and the bit there.
    #[must_use]
    pub const fn place_of(wait_id: u64) -> (usize, u64) {
        let hash = wait_id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        ((hash >> 6) as usize, 1 << (hash & 63))
    }

    /// About how many mutexes have set these bits: exactly, as long as they are few.
    #[must_use]
    pub fn distinct(words: [u64; 4]) -> u64 {
        let set: u32 = words.iter().map(|word| word.count_ones()).sum();
        let free = f64::from(256 - set.min(255)) / 256.0;
        (-256.0 * free.ln()).round() as u64
    }
}

/// Positions in a [`FoldKind::Spread`] entry. A time of t ticks that stands for w of its kind
/// adds w(w − 1)t² to the sum of squares. Such a sum is the variance of the sum of times, unless it
/// overflows.
pub mod spread {
    /// Sum of squares of the waits.
    pub const WAIT: usize = 0;
    /// Sum of squares of the holds.
    pub const HOLD: usize = 1;
    /// How many acquisitions stand for others.
    pub const TIMED: usize = 2;
}

/// Positions in a [`FoldKind::Tests`] entry.
pub mod lock_tests {
    /// Calls that found the lock held by another thread, and after which the thread tested it again
    /// at the same place, unless it had acquired it.
    pub const FAILED: usize = 0;
    /// Sum of the times from the first of such calls to the last one in a row, in ticks.
    pub const TIME: usize = 1;
}
