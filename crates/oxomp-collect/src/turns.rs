//! Which of a thread's short regions, or of its short tasks, are timed: bursts of consecutive ones,
//! at random distances.
//!
//! The number of those between two bursts is random, so that no rhythm of the program decides which
//! ones are timed. A burst rather than single ones: the times between two of them are measured too,
//! and what the collector needs stays in the processor's caches.

use std::sync::atomic::AtomicU64;

use crate::fold::RELAXED;

/// How many are timed in succession.
const BURST: u32 = 32;
/// The most from the begin of one burst to that of the next, on the average.
const MOST: u64 = 32 * BURST as u64;

/// Timing may take one such part of the time. The rows `regions` and `tasks` of
/// `cargo xtask overhead` show what it takes.
const PART: u64 = 100;

/// The limits of regions. Timing one on all its threads takes about 1.25 µs: the row `regions`, of
/// 3 µs each, with and without the collector. From a mean time of 67 µs on, where that would be
/// 2 %, all are timed: the row `time_loop`, of 30 and 34 µs, is of those in turns, and the row
/// `coarse`, of 10 ms, is not.
pub(crate) static REGIONS: Limits = Limits::new(800_000, 15_000);

/// The limits of tasks. Timing one takes about 200 ns: the row `tasks`, of 1 µs each, with and
/// without the collector. From a mean time of 10 µs on, where that would be 2 %, all are timed: the
/// row `fib_cut_off` has tasks of that size, all of them timed, since tasks create them.
pub(crate) static TASKS: Limits = Limits::new(5_000_000, 100_000);

/// What timing one costs, and how long those are that are all timed.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Parts of a second.
    cost_part: u64,
    long_part: u64,
    /// The same in ticks.
    cost: AtomicU64,
    long: AtomicU64,
}

/// Notes the rate of the ticks, before any region or task begins.
pub(crate) fn prepare(ticks_per_second: u64) {
    for limits in [&REGIONS, &TASKS] {
        limits.prepare(ticks_per_second);
    }
}

impl Limits {
    /// Both limits as parts of a second.
    const fn new(cost_part: u64, long_part: u64) -> Self {
        Self { cost_part, long_part, cost: AtomicU64::new(0), long: AtomicU64::new(0) }
    }

    fn prepare(&self, ticks_per_second: u64) {
        self.cost.store(ticks_per_second / self.cost_part, RELAXED);
        self.long.store(ticks_per_second / self.long_part, RELAXED);
    }

    /// Whether so many that took `ticks` together are so long that all are timed.
    #[inline]
    pub(crate) fn are_long(&self, number: u64, ticks: u64) -> bool {
        ticks > self.long.load(RELAXED) * number
    }
}

/// The turns of one thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turns {
    /// How many are left in the burst, and in the distance after it.
    timed: u32,
    counted: u32,
    /// When the burst began, and how many belong to it and to the distance after it.
    begin: u64,
    all: u32,
    /// State of the random numbers; 0: none yet.
    random: u64,
}

impl Turns {
    pub(crate) const NEW: Self = Self { timed: 0, counted: 0, begin: 0, all: 0, random: 0 };

    /// Whether the next one is timed; the clock tells the tick.
    #[inline]
    pub(crate) fn is_timed(&mut self, limits: &Limits, clock: impl FnOnce() -> u64) -> bool {
        if self.timed > 0 {
            self.timed -= 1;
            return true;
        }
        if self.counted > 0 {
            self.counted -= 1;
            return false;
        }
        self.begin_burst(limits.cost.load(RELAXED), clock());
        true
    }

    #[cold]
    fn begin_burst(&mut self, cost: u64, now: u64) {
        let period = match now.checked_sub(self.begin) {
            Some(passed) if self.all > 0 => (passed / u64::from(self.all)).max(1),
            _ => u64::MAX,
        };
        let all = (u64::from(BURST) * cost * PART / period).min(MOST);
        let counted = all.saturating_sub(BURST.into());
        self.timed = BURST - 1;
        // Between none and twice as many: the average is right.
        self.counted = (self.draw() % (2 * counted + 1)) as u32;
        self.begin = now;
        self.all = BURST + self.counted;
    }

    /// A random number: xorshift64*.
    fn draw(&mut self) -> u64 {
        let mut state = if self.random == 0 { self.begin | 1 } else { self.random };
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.random = state;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33
    }
}

#[cfg(test)]
mod tests {
    use super::{BURST, Limits, MOST, Turns};

    /// Limits by which one costs 50 ticks.
    fn limits() -> Limits {
        let limits = Limits::new(20, 10);
        limits.prepare(1000);
        limits
    }

    /// How many of `number` are timed that begin every `period` ticks, and the longest distance.
    fn timed(period: u64, number: u64) -> (u64, u64) {
        let (mut turns, mut timed, mut distance, mut longest) = (Turns::NEW, 0, 0, 0);
        let limits = limits();
        for index in 0..number {
            if turns.is_timed(&limits, || 1 + index * period) {
                timed += 1;
                distance = 0;
            } else {
                distance += 1;
                longest = longest.max(distance);
            }
        }
        (timed, longest)
    }

    #[test]
    fn the_mean_decides_what_is_long() {
        let limits = limits();
        assert!(!limits.are_long(3, 300));
        assert!(limits.are_long(3, 301));
    }

    #[test]
    fn long_ones_are_all_timed() {
        assert_eq!(timed(5000, 100_000), (100_000, 0));
    }

    #[test]
    fn short_ones_cost_the_part_that_they_may() {
        for period in [500, 1000, 2500] {
            let (timed, longest) = timed(period, 1_000_000);
            let part = timed as f64 / 1e6;
            assert!((part * 5000.0 / period as f64 - 1.0).abs() < 0.1, "{period}: {part}");
            assert!(longest > u64::from(BURST), "{longest}");
        }
    }

    #[test]
    fn the_shortest_are_timed_now_and_then() {
        let (timed, longest) = timed(1, 1_000_000);
        assert!(longest <= 2 * MOST, "{longest}");
        assert!(timed > 1_000_000 / 40, "{timed}");
    }

    #[test]
    fn no_rhythm_decides() {
        // Every eighth is another one: it is timed as often as the others.
        let mut turns = Turns::NEW;
        let mut times = [0_u32; 8];
        let limits = limits();
        for index in 0..4_000_000 {
            if turns.is_timed(&limits, || 1 + index * 1000) {
                times[(index % 8) as usize] += 1;
            }
        }
        let (least, most) = (times.iter().min(), times.iter().max());
        assert!(least.zip(most).is_some_and(|(least, most)| most - least < most / 50), "{times:?}");
    }
}
