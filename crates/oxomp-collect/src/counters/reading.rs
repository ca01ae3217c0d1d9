//! The state of a thread's counters at a moment, and what lies between two moments.

use oxomp_trace::counters::{Counts, MOST_COUNTERS};

/// A counter at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Value {
    /// What it has counted.
    pub(crate) count: u64,
    /// For how long its thread has been on a processor since it was opened, and for how much of
    /// that the counter was there, too, ns.
    pub(crate) enabled_ns: u64,
    pub(crate) running_ns: u64,
}

/// All counters of a thread at a moment; those behind the last one are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reading {
    pub(crate) values: [Value; MOST_COUNTERS],
    /// How many there are.
    pub(crate) used: usize,
    /// The thread's processor time since its counters were opened, ns.
    pub(crate) time_ns: u64,
}

impl Reading {
    /// What the counters have counted up to the `later` reading, which takes the place of this one.
    ///
    /// Where a processor has too few counters, the kernel lets them take turns. So counts are
    /// scaled up to the whole interval. A counter that had no turn in it stays as it is here: the
    /// next interval is scaled from this moment on.
    pub(crate) fn advance(&mut self, later: &Self) -> Counts {
        let time_ns = later.time_ns.saturating_sub(self.time_ns);
        let mut counts = Counts { readings: 1, time_ns, running_ns: time_ns, ..Counts::default() };
        let pairs = self.values.iter_mut().zip(&later.values).take(later.used);
        for ((before, now), sum) in pairs.zip(&mut counts.values) {
            let enabled = now.enabled_ns.saturating_sub(before.enabled_ns);
            let running = now.running_ns.saturating_sub(before.running_ns);
            let count = now.count.saturating_sub(before.count);
            if running > 0 || enabled == 0 {
                *before = *now;
                *sum = scaled(count, enabled, running);
            }
            counts.running_ns = counts.running_ns.min(running);
        }
        (self.used, self.time_ns) = (later.used, later.time_ns);
        counts
    }
}

fn scaled(count: u64, enabled: u64, running: u64) -> u64 {
    if running == 0 || running >= enabled {
        return count;
    }
    let whole = u128::from(count) * u128::from(enabled) / u128::from(running);
    u64::try_from(whole).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Reading, Value};

    /// Counters by count, enabled and running time.
    fn reading(values: &[(u64, u64, u64)]) -> Reading {
        let time_ns = values[0].1;
        let mut reading = Reading { used: values.len(), time_ns, ..Reading::default() };
        for (place, &(count, enabled_ns, running_ns)) in reading.values.iter_mut().zip(values) {
            *place = Value { count, enabled_ns, running_ns };
        }
        reading
    }

    #[test]
    fn counters_that_take_turns_are_scaled() {
        let mut before = reading(&[(100, 1000, 1000), (7, 1000, 400)]);
        let counts = before.advance(&reading(&[(350, 2000, 2000), (17, 2000, 650)]));
        assert_eq!(counts.values[..3], [250, 40, 0]);
        assert_eq!((counts.readings, counts.time_ns, counts.running_ns), (1, 1000, 250));
        // Numbers that a product of 64 bits would not hold.
        let mut before = reading(&[(0, 0, 0)]);
        let counts = before.advance(&reading(&[(1 << 62, 1 << 40, 1 << 39)]));
        assert_eq!(counts.values[0], 1 << 63);
    }

    #[test]
    fn a_counter_without_a_turn_is_scaled_with_the_next_interval() {
        let mut before = reading(&[(0, 0, 0), (0, 0, 0)]);
        let first = before.advance(&reading(&[(10, 100, 100), (0, 100, 0)]));
        assert_eq!((first.values[0], first.values[1]), (10, 0));
        assert_eq!((first.time_ns, first.running_ns), (100, 0));
        let second = before.advance(&reading(&[(30, 200, 200), (5, 200, 50)]));
        assert_eq!((second.values[0], second.values[1]), (20, 20), "5 in a quarter of 200 ns");
        assert_eq!((second.time_ns, second.running_ns), (100, 50));
    }

    #[test]
    fn a_counter_that_went_back_counts_nothing() {
        let mut before = reading(&[(10, 100, 100)]);
        let counts = before.advance(&reading(&[(3, 50, 50)]));
        assert_eq!((counts.values[0], counts.time_ns), (0, 0));
    }
}
