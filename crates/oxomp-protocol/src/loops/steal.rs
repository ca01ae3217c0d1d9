//! Work stealing for loops: chunks divided in advance, and stolen by threads that have none left.

use core::sync::atomic::Ordering::Relaxed;

use crate::shim::AtomicU64;

/// The range of chunks that a thread has still to execute, in one word: its first in the low half,
/// its end in the high half, counted from 1.
///
/// Invariants:
/// 1. 0 is the range as divided in advance, which every thread can compute, so no thread has to
///    initialize it. As chunks count from 1 no other range is 0.
/// 2. Each chunk is in one range only. Taking the first and stealing the rear are compare-exchanges
///    on the one word; an exhausted range (`first == end`) is changed by its owner alone.
/// 3. A value that comes back describes the same chunks, still to be executed; so a thief's
///    compare-exchange may succeed on it (no ABA).
///
/// While a range is on its way from victim to thief, no other thread sees it: others may leave the
/// loop early, which costs balance, not chunks.
#[derive(Debug)]
pub struct StealRange(AtomicU64);

/// The most chunks that ranges can have, since a half has 32 bits; a counter hands out more.
pub const MOST_CHUNKS: u64 = u32::MAX as u64 - 1;

/// First and end of a range.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    end: u32,
}

impl Span {
    /// The share of `chunks` that thread `index` of `size` has in advance. A thread calls it once
    /// per loop; it is a function of its own, so that its divisions stay out of the path of the
    /// next chunks.
    #[cold]
    #[inline(never)]
    fn in_advance(chunks: u64, index: u32, size: u32) -> Self {
        let cut = |index: u32| (1 + chunks * u64::from(index) / u64::from(size)) as u32;
        Span { first: cut(index), end: cut(index + 1) }
    }

    fn of_word(word: u64, chunks: u64, index: u32, size: u32) -> Self {
        if word == 0 {
            return Span::in_advance(chunks, index, size);
        }
        Span { first: word as u32, end: (word >> 32) as u32 }
    }

    fn word(self) -> u64 {
        u64::from(self.end) << 32 | u64::from(self.first)
    }
}

impl StealRange {
    /// A range as divided in advance.
    pub fn untouched() -> Self {
        StealRange(AtomicU64::new(0))
    }

    /// Makes the range as divided in advance. Only while no thread is in the loop.
    #[inline]
    pub fn reset(&self) {
        self.0.store(0, Relaxed);
    }

    /// The owner, thread `index` of `size`, takes its next chunk, counted from 0. All threads of
    /// the loop name the same number of `chunks`, and the same `size`.
    #[inline(always)]
    pub fn take(&self, chunks: u64, index: u32, size: u32) -> Option<u64> {
        // Relaxed here and below: a chunk publishes nothing; the region's barriers order the
        // iterations.
        let mut word = self.0.load(Relaxed);
        loop {
            let span = Span::of_word(word, chunks, index, size);
            if span.first >= span.end {
                return None;
            }
            let rest = Span { first: span.first + 1, ..span };
            match self.0.compare_exchange_weak(word, rest.word(), Relaxed, Relaxed) {
                Ok(_) => return Some(u64::from(span.first) - 1),
                Err(now) => word = now,
            }
        }
    }

    /// Steals the rear half of this range, which is thread `victim`'s. Returns its first chunk, to
    /// execute at once; the rest becomes `own`, the thief's exhausted range. All threads of the
    /// loop name the same number of `chunks`, and the same `size`.
    pub fn steal(&self, own: &StealRange, chunks: u64, victim: u32, size: u32) -> Option<u64> {
        let mut word = self.0.load(Relaxed);
        loop {
            let span = Span::of_word(word, chunks, victim, size);
            if span.first >= span.end {
                return None;
            }
            let middle = span.first + (span.end - span.first) / 2;
            let left = Span { end: middle, ..span };
            match self.0.compare_exchange_weak(word, left.word(), Relaxed, Relaxed) {
                Ok(_) => {
                    // Only the thief changes its exhausted range (Invariant 2).
                    own.0.store(Span { first: middle + 1, end: span.end }.word(), Relaxed);
                    return Some(u64::from(middle) - 1);
                }
                Err(now) => word = now,
            }
        }
    }
}
