//! The phases that the program marks, and how long each lasts.
//!
//! The program says that a phase begins or ends; the phases that have begun are nested, and the
//! innermost one counts. Each change has a number, from 1, and the last ones are kept in a ring
//! without a lock: a thread finds there what it has missed. All the rest belongs to the thread that
//! marks, behind a mutex. `oxomp_trace::phases` has the form of the chunk.

mod table;

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU64};

pub(crate) use table::{begin, begin_anew, close, end};

/// Changes that are kept for threads that look late.
const KEPT: u64 = 256;

/// How many changes there have been.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// The last changes, by their numbers: when they were, in ticks, and the phase that became the
/// innermost one. A thread that reads a change while a later one replaces it finds another phase of
/// this program, for a stretch of time that lies that many changes back.
static TICKS: [AtomicU64; KEPT as usize] = [const { AtomicU64::new(0) }; KEPT as usize];
static NUMBERS: [AtomicU16; KEPT as usize] = [const { AtomicU16::new(0) }; KEPT as usize];

/// The innermost phase is another one from `tick` on. Under the mutex of the table.
fn tell(tick: u64, number: u16) {
    let count = COUNT.load(Relaxed) + 1;
    let place = place_of(count);
    TICKS[place].store(tick, Relaxed);
    NUMBERS[place].store(number, Relaxed);
    // Release: a thread that sees the count sees the change.
    COUNT.store(count, Release);
}

fn place_of(count: u64) -> usize {
    (count % KEPT) as usize
}

/// The changes that a thread has seen, and the phase in which it is by these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    count: u64,
    number: u16,
}

impl Seen {
    /// Nothing.
    pub(crate) const NONE: Self = Self { count: 0, number: 0 };

    /// All changes so far.
    pub(crate) fn all() -> Self {
        let count = COUNT.load(Acquire);
        let number = if count == 0 { 0 } else { NUMBERS[place_of(count)].load(Relaxed) };
        Self { count, number }
    }

    /// The number of the phase; 0: outside every phase.
    pub(crate) fn number(self) -> u16 {
        self.number
    }

    /// Whether there are changes that the thread has not seen.
    #[inline(always)]
    pub(crate) fn is_over(self) -> bool {
        COUNT.load(Relaxed) != self.count
    }

    /// Sees the next change, if it was at `until` or before. Returns when the phase before it
    /// ended: a change that is not kept any more was when the next one was.
    pub(crate) fn next(&mut self, until: u64) -> Option<u64> {
        let count = COUNT.load(Acquire);
        if count == self.count {
            return None;
        }
        let next = (self.count + 1).max((count + 1).saturating_sub(KEPT / 2));
        let place = place_of(next);
        let (tick, number) = (TICKS[place].load(Relaxed), NUMBERS[place].load(Relaxed));
        if tick > until {
            return None;
        }
        *self = Self { count: next, number };
        Some(tick)
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Seen, tell};

    /// One test, since the changes are the process's.
    #[test]
    fn a_thread_finds_what_it_has_missed() {
        let mut seen = Seen::all();
        assert!(!seen.is_over() && seen.next(u64::MAX).is_none());
        tell(10, 1);
        tell(20, 2);
        tell(30, 1);
        assert!(seen.is_over());
        let mut next = |until| (seen.next(until), seen.number());
        assert_eq!(next(9), (None, 0), "it has not come yet");
        assert_eq!(next(25), (Some(10), 1));
        assert_eq!(next(25), (Some(20), 2));
        assert_eq!(next(25), (None, 2));
        assert_eq!(next(30), (Some(30), 1));
        assert!(!seen.is_over());
        for tick in 0..2 * KEPT {
            tell(40 + tick, (tick % 3) as u16);
        }
        let mut ticks = Vec::new();
        while let Some(tick) = seen.next(u64::MAX) {
            ticks.push(tick);
        }
        assert!(ticks.is_sorted() && ticks.len() as u64 == KEPT / 2, "{ticks:?}");
        assert_eq!(seen, Seen::all());
    }
}
