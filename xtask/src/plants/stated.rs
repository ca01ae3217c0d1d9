//! A gain as the profiler states it, and whether a measured one agrees with it.

use std::fmt;

use serde_json::Value;

/// A gain as the profiler states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stated {
    /// The gain, and by how much it may be wrong, either way, ns.
    amount: Amount,
    /// The recorded time, of which the gain is a part, ns.
    recorded: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Amount {
    /// An upper bound.
    AtMost(f64),
    /// An estimate, and by how much it may be wrong, either way.
    About(f64, f64),
}

/// What a repair won in pairs of runs without the profiler, as a part of the time of the program
/// with the fault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    /// The median of the pairs.
    pub(super) median: f64,
    /// The least and the largest of the pairs. With five pairs the gain's true median lies between
    /// them in 15 of 16 measurements: all five are on one side of it once in 16.
    pub(super) range: (f64, f64),
}

impl Stated {
    /// A gain of `gain` ns in a run of `recorded` ns, an upper bound if there is no `error`.
    pub(super) fn new(gain: f64, error: Option<f64>, recorded: f64) -> Self {
        let amount = error.map_or(Amount::AtMost(gain), |error| Amount::About(gain, error));
        Self { amount, recorded }
    }

    /// Reads the gain of a change in a summary's JSON, of a run of `recorded` ns.
    pub(super) fn of_change(change: &Value, recorded: f64) -> Option<Self> {
        let gain = change["gain_ns"].as_f64()?;
        Some(Self::new(gain, change["error_ns"].as_f64(), recorded))
    }

    /// Whether a measured gain agrees with the interval that is stated: from nothing to a bound, or
    /// about an estimate. Both are parts of the time of their own runs, since the machine may have
    /// been faster or slower in one of them.
    pub(super) fn holds(self, measured: Measured) -> bool {
        let (least, most) = self.interval();
        let (low, high) = measured.range;
        measured.median > 0.0 && low <= most && high >= least
    }

    /// The stated interval, as parts of the recorded time.
    fn interval(self) -> (f64, f64) {
        let (least, most) = match self.amount {
            Amount::AtMost(bound) => (0.0, bound),
            Amount::About(gain, error) => (gain - error, gain + error),
        };
        (least / self.recorded, most / self.recorded)
    }

    /// How many times the measured gain the most that is stated is: the bound, or the upper end of
    /// an estimate. Infinite where nothing is gained.
    pub(super) fn looseness(self, measured: Measured) -> f64 {
        let (_, most) = self.interval();
        if measured.median > 0.0 { most / measured.median } else { f64::INFINITY }
    }
}

impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |ns: f64| 100.0 * ns / self.recorded;
        match self.amount {
            Amount::AtMost(bound) => {
                write!(f, "≤ {:.1} ms (≤ {:.1} %)", bound / 1e6, part(bound))
            }
            Amount::About(gain, error) => write!(
                f,
                "{:.1} ± {:.1} ms ({:.1} ± {:.1} %)",
                gain / 1e6,
                error / 1e6,
                part(gain),
                part(error)
            ),
        }
    }
}

impl Measured {
    /// The gains of the pairs of `with` and `without` the fault, at least one pair.
    pub(super) fn of_pairs(with: &[f64], without: &[f64]) -> Self {
        let pairs = with.iter().zip(without);
        let mut gains: Vec<f64> = pairs.map(|(with, without)| (with - without) / with).collect();
        gains.sort_by(f64::total_cmp);
        Self { median: gains[gains.len() / 2], range: (gains[0], gains[gains.len() - 1]) }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.range;
        write!(f, "{:.1} % ({:.1} to {:.1})", 100.0 * self.median, 100.0 * low, 100.0 * high)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Measured, Stated};

    fn measured(low: f64, median: f64, high: f64) -> Measured {
        Measured { median, range: (low, high) }
    }

    #[test]
    fn a_change_is_a_bound_or_an_estimate() {
        let bound = Stated::of_change(&json!({"gain_ns": 5000000, "error_ns": null}), 2e7);
        assert_eq!(bound, Some(Stated::new(5e6, None, 2e7)));
        let estimate = Stated::of_change(&json!({"gain_ns": 5000000, "error_ns": 400000}), 2e7);
        assert_eq!(estimate, Some(Stated::new(5e6, Some(4e5), 2e7)));
        let shown = [bound, estimate].map(|it| it.expect("a gain").to_string());
        assert_eq!(shown, ["≤ 5.0 ms (≤ 25.0 %)", "5.0 ± 0.4 ms (25.0 ± 2.0 %)"]);
        assert_eq!(Stated::of_change(&json!({}), 1.0), None);
    }

    #[test]
    fn a_gain_beside_the_interval_does_not_hold() {
        let bound = Stated::new(4.0, None, 10.0);
        assert!(bound.holds(measured(0.3, 0.35, 0.4)), "all of it is below the bound");
        assert!(bound.holds(measured(0.39, 0.41, 0.45)), "one pair is");
        assert!(!bound.holds(measured(0.41, 0.42, 0.45)), "no pair is");
        assert!(!bound.holds(measured(-0.2, -0.1, 0.1)), "nothing is gained");
        let estimate = Stated::new(4.0, Some(1.0), 10.0);
        assert!(estimate.holds(measured(0.2, 0.28, 0.31)));
        assert!(!estimate.holds(measured(0.2, 0.28, 0.29)));
        assert!(!estimate.holds(measured(0.51, 0.6, 0.7)));
    }

    #[test]
    fn a_gain_is_a_part_of_the_faulty_run_of_its_pair() {
        let gains = Measured::of_pairs(&[10.0, 20.0, 40.0], &[5.0, 14.0, 36.0]);
        assert_eq!(gains, measured(0.1, 0.3, 0.5));
        assert_eq!(gains.to_string(), "30.0 % (10.0 to 50.0)");
    }

    #[test]
    fn a_gain_shows_how_loose_it_is() {
        let one = measured(0.2, 0.2, 0.2);
        assert_eq!(Stated::new(4.0, None, 10.0).looseness(one), 2.0);
        assert_eq!(Stated::new(3.0, Some(1.0), 10.0).looseness(one), 2.0);
        assert_eq!(
            Stated::new(4.0, None, 10.0).looseness(measured(-1.0, -1.0, 0.0)),
            f64::INFINITY
        );
    }
}
