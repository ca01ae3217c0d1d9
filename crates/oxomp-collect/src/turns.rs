//! Which of a thread's short regions, short tasks, or acquisitions of mutexes are timed: bursts of
//! consecutive ones, at random distances.
//!
//! The number of untimed ones between two bursts is random, so that no rhythm of the program
//! decides which ones are timed. Bursts are timed rather than single ones, since the times between
//! two successive ones are measured, too, and the collector's data stay in the processor's caches.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The limits of regions. Timing one on all its threads takes about 1.25 µs: the row `regions`, of
/// 3 µs each, with and without the collector. From a mean time of 67 µs on, where that would be 2
/// %, all are timed. The regions of the row `time_loop`, of 30 and 34 µs, are timed in turns, those
/// of the row `coarse`, of 10 ms, always.
pub(crate) static REGIONS: Limits = Limits::new(800_000, 15_000, 32, 100, 32);

/// The limits of tasks. Timing one takes about 200 ns: the row `tasks`, of 1 µs each, with and
/// without the collector. From a mean time of 10 µs on, where that would be 2 %, all are timed: the
/// row `fib_cut_off` has tasks of that size, all of them timed, since tasks create them.
pub(crate) static TASKS: Limits = Limits::new(5_000_000, 100_000, 32, 100, 32);

/// The limits of acquisitions. Timing one takes about 100 ns: the rows `lock` and `critical`, with
/// and without the collector. From one in a microsecond on, all are timed. The bursts are short, so
/// that a phase of a region has many of them.
pub(crate) static ACQUISITIONS: Limits = Limits::new(10_000_000, 1_000_000, 4, 10, 32);

/// The limits of acquisitions of mutexes that another thread seems to have. Timing one also delays
/// the threads that wait behind it: about 480 ns in the row `critical` with 16 threads on as many
/// processors.
pub(crate) static CONTENDED: Limits = Limits::new(2_500_000, 1_000_000, 4, 10, 32);

/// The limits of acquisitions of a mutex that go unreported in between ([`crate::unreported`]).
/// Timing one of a burst takes about 400 ns, since the processor has forgotten the collector's code
/// by then: the rows `lock` and `lock_often`, with gcc's code. That may be a twentieth of the time,
/// so from one in eight microseconds on, all are timed.
pub(crate) static UNREPORTED: Limits = Limits::new(2_500_000, 125_000, 4, 20, 512);

/// What timing one costs, and from which length on all are timed.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Parts of a second.
    cost_part: u64,
    long_part: u64,
    /// How many are timed in succession: the length of a burst.
    burst: u32,
    /// Timing may take 1/`part` of the time.
    part: u64,
    /// The largest mean distance from the begin of a burst to the begin of the next one, in lengths
    /// of a burst.
    most: u64,
    /// The same in ticks.
    cost: AtomicU64,
    long: AtomicU64,
}

/// Notes the rate of the ticks, before any region or task begins.
pub(crate) fn prepare(ticks_per_second: u64) {
    for limits in [&REGIONS, &TASKS, &ACQUISITIONS, &CONTENDED, &UNREPORTED] {
        limits.prepare(ticks_per_second);
    }
}

impl Limits {
    /// The first two as parts of a second.
    const fn new(cost_part: u64, long_part: u64, burst: u32, part: u64, most: u64) -> Self {
        let (cost, long) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { cost_part, long_part, burst, part, most, cost, long }
    }

    fn prepare(&self, ticks_per_second: u64) {
        self.cost.store(ticks_per_second / self.cost_part, Relaxed);
        self.long.store(ticks_per_second / self.long_part, Relaxed);
    }

    /// Whether `number` of them, which took `ticks` together, are so long that all are timed.
    #[inline]
    pub(crate) fn are_long(&self, number: u64, ticks: u64) -> bool {
        ticks > self.long.load(Relaxed) * number
    }
}

/// The turns of one thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turns {
    /// How many are left in the burst, and then in the distance after it.
    timed: u32,
    counted: u32,
    /// When the burst began, and how many belong to it and to the distance after it.
    begin: u64,
    all: u32,
    /// For how many each one of the burst stands: itself, and its share of the distances.
    weight: u32,
    /// State of the random numbers; 0: none yet.
    random: u64,
}

impl Turns {
    pub(crate) const NEW: Self =
        Self { timed: 0, counted: 0, begin: 0, all: 0, weight: 1, random: 0 };

    /// Whether the next one is timed; the clock tells the tick.
    #[inline]
    pub(crate) fn is_timed(&mut self, limits: &Limits, clock: impl FnOnce() -> u64) -> bool {
        self.is_timed_among(limits, 1, clock)
    }

    /// As [`Self::is_timed`], where timing one delays `threads` threads.
    #[inline]
    pub(crate) fn is_timed_among(
        &mut self,
        limits: &Limits,
        threads: u32,
        clock: impl FnOnce() -> u64,
    ) -> bool {
        if self.timed > 0 {
            self.timed -= 1;
            return true;
        }
        if self.counted > 0 {
            self.counted -= 1;
            return false;
        }
        self.begin_burst(limits, threads, clock());
        true
    }

    /// For how many the one stands that is timed now: a burst stands for itself and for half of the
    /// distances before and after it. So the weights of all that are timed add up to the number of
    /// all, up to half of the last distance, and where quick ones are followed by slow ones,
    /// neither kind has the other's part.
    #[inline]
    pub(crate) fn weight(&self) -> u64 {
        self.weight.into()
    }

    /// If the burst is over, how many untimed ones follow: the caller counts them.
    pub(crate) fn take_counted(&mut self) -> u32 {
        if self.timed > 0 { 0 } else { std::mem::take(&mut self.counted) }
    }

    /// `counted` of the untimed ones after the burst were not counted after all: they are still to
    /// come.
    pub(crate) fn put_back(&mut self, counted: u64) {
        self.counted += u32::try_from(counted).unwrap_or(0);
    }

    #[cold]
    fn begin_burst(&mut self, limits: &Limits, threads: u32, now: u64) {
        let period = match now.checked_sub(self.begin) {
            Some(passed) if self.all > 0 => (passed / u64::from(self.all)).max(1),
            _ => u64::MAX,
        };
        let burst = u64::from(limits.burst);
        let cost = burst * limits.cost.load(Relaxed) * u64::from(threads);
        let all = (cost * limits.part / period).min(limits.most * burst);
        // Between 0 and twice the mean distance, so that the mean is right.
        let before = self.all.saturating_sub(limits.burst) / limits.burst / 2;
        let after = (self.draw() % (all.saturating_sub(burst) / burst + 1)) as u32;
        self.weight = 1 + before + after;
        self.timed = limits.burst - 1;
        self.counted = 2 * after * limits.burst;
        self.begin = now;
        self.all = limits.burst + self.counted;
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
    use super::{Limits, Turns};

    const BURST: u64 = 32;
    const MOST: u64 = 32;

    /// Limits under which timing one costs 50 ticks.
    fn limits() -> Limits {
        let limits = Limits::new(20, 10, BURST as u32, 100, MOST);
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
            assert!(longest > BURST, "{longest}");
        }
    }

    #[test]
    fn one_that_delays_others_is_timed_as_seldom_as_that_costs() {
        let limits = limits();
        let timed = |threads| {
            let mut turns = Turns::NEW;
            let times = 1_000_000;
            let clock = |index: u64| 1 + index * 20_000;
            (0..times).filter(|&at| turns.is_timed_among(&limits, threads, || clock(at))).count()
        };
        assert_eq!(timed(1), 1_000_000);
        let part = timed(16) as f64 / 1e6;
        assert!((part * 4.0 - 1.0).abs() < 0.1, "{part}");
    }

    #[test]
    fn the_shortest_are_timed_now_and_then() {
        let (timed, longest) = timed(1, 1_000_000);
        assert!(longest <= 2 * MOST * BURST, "{longest}");
        assert!(timed > 1_000_000 / 40, "{timed}");
    }

    #[test]
    fn weights_stand_for_all() {
        let (mut turns, limits) = (Turns::NEW, limits());
        let (mut ticks, mut all, mut weights, mut open) = (1, 0_u64, 0_u64, 0_u64);
        for index in 0..1_000_000_u64 {
            // Slow and quick ones in turns.
            ticks += if index / 50_000 % 2 == 0 { 3 } else { 4000 };
            all += 1;
            open += 1;
            if turns.is_timed(&limits, || ticks) {
                weights += turns.weight();
                open = 0;
            }
        }
        // Up to half of the last distance, and the rest of a burst that the end cuts off.
        assert!(weights.abs_diff(all - open) <= 2 * MOST * BURST, "{weights} of {all}");
    }

    #[test]
    fn slow_ones_have_their_part_of_the_weights() {
        let limits = limits();
        let (mut ticks, mut weights) = (1, 0_u64);
        let mut turns = Turns::NEW;
        for index in 0..4_000_000_u64 {
            let is_slow = index / 20_000 % 2 == 1;
            ticks += if is_slow { 4000 } else { 3 };
            if turns.is_timed(&limits, || ticks) && is_slow {
                weights += turns.weight();
            }
        }
        assert!((1_940_000..2_060_000).contains(&weights), "{weights}");
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
