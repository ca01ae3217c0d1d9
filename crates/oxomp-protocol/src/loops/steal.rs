//! Chunks of a loop, divided in advance and stolen by threads that have none left.

use core::sync::atomic::Ordering::Relaxed;

use crate::shim::AtomicU64;

/// The chunks that a thread has still to execute, in one word: the first in the low half, the end
/// in the high half, counted from 1.
///
/// Invariants:
/// 1. 0 is the range as divided in advance, which every thread can compute: no thread need come
///    first. As chunks count from 1 no other range is 0.
/// 2. Each chunk is in one range only. Taking the first and stealing the rear are compare-exchanges
///    on the one word; an exhausted range (`first == end`) is changed by its owner alone.
/// 3. A range value that comes back describes the same chunks, still to be executed; so it does no
///    harm if a thief's comparison succeeds on it.
///
/// A range on its way from victim to thief is seen by nobody: others may leave the loop early,
/// which costs balance, not chunks.
#[derive(Debug)]
pub struct StealRange(AtomicU64);

/// More chunks than this are handed out by a counter: a half has 32 bits.
pub const MOST_CHUNKS: u64 = u32::MAX as u64 - 1;

/// First and end of a range.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    end: u32,
}

impl Span {
    /// The share of `chunks` that thread `index` of `size` has in advance. Once a loop and thread,
    /// and apart, so that its divisions stay out of the way of the next chunks.
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

    /// The owner, thread `index` of `size`, takes its next chunk, counted from 0.
    #[inline(always)]
    pub fn take(&self, chunks: u64, index: u32, size: u32) -> Option<u64> {
        // Relaxed here and below: chunks publish nothing; the region's barriers do.
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

    /// Takes the rear half of the range, which is that of thread `victim`: its first chunk to
    /// execute at once, the rest for `own`, the thief's exhausted range.
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
                    // Nobody but us changes our exhausted range (Invariant 2).
                    own.0.store(Span { first: middle + 1, end: span.end }.word(), Relaxed);
                    return Some(u64::from(middle) - 1);
                }
                Err(now) => word = now,
            }
        }
    }
}
