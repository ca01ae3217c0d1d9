//! Conversion of ticks to nanoseconds.

/// A line through pairs of (tick, `CLOCK_MONOTONIC` ns) read at the same moment.
#[derive(Debug, Clone)]
pub struct Clock {
    /// Strictly rising in ticks and in nanoseconds; never empty.
    pairs: Vec<(u64, u64)>,
    ticks_per_second: u64,
    /// Time 0 is this long before the first pair, ns.
    before: u64,
}

/// The longest recording, ns (104 days): later times, which only a damaged tick gives, are cut to
/// it, so that sums of times do not overflow.
const LONGEST: u64 = 1 << 53;

/// Pairs closer than this do not tell the rate well enough, ns.
const SHORTEST_BASE: u64 = 1_000_000;

impl Clock {
    /// A clock from the pair `start` and the rate measured then, and the `later` pairs in any
    /// order; pairs that contradict others are left out.
    #[must_use]
    pub fn new(start: (u64, u64), ticks_per_second: u64, later: &[(u64, u64)]) -> Self {
        let mut sorted = later.to_vec();
        sorted.sort_unstable();
        let mut pairs = vec![start];
        let mut last = start;
        for pair in sorted {
            if pair.0 > last.0 && pair.1 > last.1 && pair.1 - last.1 >= SHORTEST_BASE {
                pairs.push(pair);
                last = pair;
            }
        }
        Self { pairs, ticks_per_second: ticks_per_second.max(1), before: 0 }
    }

    /// The same clock, whose time 0 is `before` ns earlier.
    #[must_use]
    pub fn since(self, before: u64) -> Self {
        Self { before: before.min(LONGEST), ..self }
    }

    /// Nanoseconds from time 0 to `tick`; a tick before the first pair counts as the first pair's.
    #[must_use]
    pub fn ns(&self, tick: u64) -> u64 {
        let start = self.pairs[0];
        // The interval that holds the tick; for a tick after all pairs, the last one.
        let next = self.pairs.partition_point(|pair| pair.0 <= tick);
        if next == 0 {
            return self.before;
        }
        let from = self.pairs[next - 1];
        let (nanoseconds, ticks) = match self.pairs.get(next) {
            Some(to) => (to.1 - from.1, to.0 - from.0),
            // Beyond the last pair the rate of the whole run holds.
            None if self.pairs.len() > 1 => (from.1 - start.1, from.0 - start.0),
            None => (1_000_000_000, self.ticks_per_second),
        };
        let delta = u128::from(tick - from.0) * u128::from(nanoseconds) / u128::from(ticks);
        let since_start = (from.1 - start.1).saturating_add(self.before);
        since_start.saturating_add(u64::try_from(delta).unwrap_or(u64::MAX)).min(LONGEST)
    }
}

impl Clock {
    /// The duration of `ticks` in nanoseconds, by the rate of the whole run.
    #[must_use]
    pub fn span(&self, ticks: u64) -> u64 {
        let start = self.pairs[0];
        let (nanoseconds, base) = match self.pairs.last() {
            Some(last) if self.pairs.len() > 1 => (last.1 - start.1, last.0 - start.0),
            _ => (1_000_000_000, self.ticks_per_second),
        };
        let span = u128::from(ticks) * u128::from(nanoseconds) / u128::from(base);
        u64::try_from(span).unwrap_or(u64::MAX).min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use proptest::prelude::{any, proptest};

    #[test]
    fn the_rate_of_the_start_serves_a_short_run() {
        let clock = Clock::new((1_000, 5), 2_000_000_000, &[]);
        assert_eq!(clock.ns(1_000), 0);
        assert_eq!(clock.ns(3_000), 1_000);
        assert_eq!(clock.ns(500), 0);
    }

    #[test]
    fn later_pairs_correct_the_rate() {
        let clock = Clock::new((0, 0), 1_000_000_000, &[(4_000_000, 2_000_000)]);
        assert_eq!(clock.ns(2_000_000), 1_000_000);
        assert_eq!(clock.ns(8_000_000), 4_000_000);
    }

    proptest! {
        #[test]
        fn any_pairs_and_ticks_are_taken_and_time_never_runs_back(
            start in any::<(u64, u64)>(),
            rate in any::<u64>(),
            pairs in proptest::collection::vec(any::<(u64, u64)>(), 0..5),
            mut ticks in proptest::collection::vec(any::<u64>(), 2..10),
        ) {
            let clock = Clock::new(start, rate, &pairs);
            ticks.sort_unstable();
            let times: Vec<u64> = ticks.iter().map(|&tick| clock.ns(tick)).collect();
            assert!(times.is_sorted());
        }
    }
}
