//! A gain as the profiler states it, and whether a measured one agrees with it.

use std::fmt;

use serde_json::Value;

/// A gain as the profiler states it, ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stated {
    /// An upper bound.
    AtMost(f64),
    /// An estimate, and by how much it may be wrong, either way.
    About(f64, f64),
}

/// What a repair won in pairs of runs without the profiler, ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    /// The median of the pairs.
    pub(super) median: f64,
    /// Between which of the pairs' gains the true median lies in at least 15 of 16 measurements.
    /// Of five pairs these are the least and the largest: all five are on one side of it once in
    /// 16. Of more pairs the outermost do not count.
    pub(super) range: (f64, f64),
}

impl Stated {
    /// Reads the gain of a change in a summary's JSON.
    pub(super) fn of_change(change: &Value) -> Option<Self> {
        let gain = change["gain_ns"].as_f64()?;
        let error = change["error_ns"].as_f64();
        Some(error.map_or(Self::AtMost(gain), |error| Self::About(gain, error)))
    }

    /// Whether a measured gain agrees with the interval that is stated, from nothing to a bound, or
    /// about an estimate: the median gain is positive, and the range of the pairs meets the
    /// interval. `None` if the pairs of a program that takes `planted` ns with its fault differ too
    /// much to tell: their range is partly inside the interval, and is not sharp.
    pub(super) fn holds(self, measured: Measured, planted: f64) -> Option<bool> {
        let (least, most) = self.interval();
        let (low, high) = measured.range;
        if high <= 0.0 || low > most || high < least {
            return Some(false);
        }
        let is_inside = low > 0.0 && low >= least && high <= most;
        (is_inside || measured.is_sharp(planted)).then_some(measured.median > 0.0)
    }

    fn interval(self) -> (f64, f64) {
        match self {
            Self::AtMost(bound) => (0.0, bound),
            Self::About(gain, error) => (gain - error, gain + error),
        }
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
        match *self {
            Self::AtMost(bound) => write!(f, "≤ {:.1} ms", bound / 1e6),
            Self::About(gain, error) => write!(f, "{:.1} ± {:.1} ms", gain / 1e6, error / 1e6),
        }
    }
}

impl Measured {
    /// The gains of the pairs of `with` and `without` the fault, at least one pair.
    pub(super) fn of_pairs(with: &[f64], without: &[f64]) -> Self {
        let pairs = with.iter().zip(without);
        let mut gains: Vec<f64> = pairs.map(|(with, without)| with - without).collect();
        gains.sort_by(f64::total_cmp);
        let left_out = outermost(gains.len());
        let range = (gains[left_out], gains[gains.len() - 1 - left_out]);
        Self { median: gains[gains.len() / 2], range }
    }

    /// Whether the pairs agree well enough to judge by where their range is partly inside what is
    /// stated: the range is at most `SHARP` of the time of the program with the fault, `planted`.
    fn is_sharp(self, planted: f64) -> bool {
        const SHARP: f64 = 0.15;
        let (low, high) = self.range;
        high - low <= SHARP * planted
    }
}

/// How many of the least of `pairs` gains, and as many of the largest, lie outside the interval
/// that holds the true median in at least 15 of 16 measurements; none if the pairs are too few.
///
/// Each gain is below the true median as often as above it, so the count of those below has a
/// binomial distribution, and the interval from the k-th least to the k-th largest misses it where
/// fewer than k are on one side.
fn outermost(pairs: usize) -> usize {
    const MISSES: f64 = 1.0 / 16.0;
    let mut of_one_count = 0.5_f64.powi(i32::try_from(pairs).unwrap_or(i32::MAX) - 1);
    let mut missed = of_one_count;
    let mut left_out = 0;
    while left_out < pairs / 2 {
        of_one_count *= (pairs - left_out) as f64 / (left_out + 1) as f64;
        missed += of_one_count;
        if missed > MISSES {
            break;
        }
        left_out += 1;
    }
    left_out
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, low, high] = [self.median, self.range.0, self.range.1].map(|ns| ns / 1e6);
        write!(f, "{median:.1} ms ({low:.1} to {high:.1})")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Measured, Stated, outermost};

    fn measured(low: f64, median: f64, high: f64) -> Measured {
        Measured { median, range: (low, high) }
    }

    #[test]
    fn a_change_is_a_bound_or_an_estimate() {
        let bound = Stated::of_change(&json!({"gain_ns": 5000000, "error_ns": null}));
        assert_eq!(bound, Some(Stated::AtMost(5e6)));
        let estimate = Stated::of_change(&json!({"gain_ns": 5000000, "error_ns": 400000}));
        assert_eq!(estimate, Some(Stated::About(5e6, 4e5)));
        let shown = [bound, estimate].map(|it| it.expect("a gain").to_string());
        assert_eq!(shown, ["≤ 5.0 ms", "5.0 ± 0.4 ms"]);
        assert_eq!(Stated::of_change(&json!({})), None);
    }

    #[test]
    fn a_gain_beside_the_interval_does_not_hold() {
        let holds =
            |stated: Stated, low, median, high| stated.holds(measured(low, median, high), 10.0);
        let bound = Stated::AtMost(4.0);
        assert_eq!(holds(bound, 3.0, 3.5, 4.0), Some(true), "all of it is below the bound");
        assert_eq!(holds(bound, 3.9, 4.1, 4.5), Some(true), "one pair is");
        assert_eq!(holds(bound, 4.1, 4.2, 4.5), Some(false), "no pair is");
        assert_eq!(holds(bound, -1.0, -0.5, 0.2), Some(false), "most pairs lose");
        assert_eq!(holds(bound, -2.0, -1.0, -0.5), Some(false), "nothing is gained");
        let estimate = Stated::About(4.0, 1.0);
        assert_eq!(holds(estimate, 2.0, 2.8, 3.1), Some(true));
        assert_eq!(holds(estimate, 2.0, 2.8, 2.9), Some(false));
        assert_eq!(holds(estimate, 5.1, 6.0, 7.0), Some(false));
    }

    #[test]
    fn pairs_that_differ_much_tell_only_what_is_clear() {
        let estimate = Stated::About(4.0, 2.0);
        assert_eq!(estimate.holds(measured(3.0, 4.0, 5.5), 10.0), Some(true), "all is inside");
        assert_eq!(estimate.holds(measured(7.0, 8.0, 12.0), 10.0), Some(false), "all is outside");
        assert_eq!(estimate.holds(measured(4.0, 5.0, 6.5), 10.0), None);
        let bound = Stated::AtMost(4.0);
        assert_eq!(bound.holds(measured(-1.0, 1.0, 3.0), 10.0), None, "it may gain nothing");
    }

    #[test]
    fn a_measured_gain_has_its_range() {
        let gains = Measured::of_pairs(&[1e7, 2e7, 4e7], &[5e6, 1.4e7, 3.2e7]);
        assert_eq!(gains, measured(5e6, 6e6, 8e6));
        assert_eq!(gains.to_string(), "6.0 ms (5.0 to 8.0)");
    }

    #[test]
    fn the_outermost_of_many_pairs_do_not_count() {
        assert_eq!([1, 2, 5, 8, 9, 11, 12, 15].map(outermost), [0, 0, 0, 0, 1, 1, 2, 3]);
        let with = [5.0, 1.0, 9.0, 2.0, 8.0, 3.0, 7.0, 4.0, 6.0];
        assert_eq!(Measured::of_pairs(&with, &[0.0; 9]), measured(2.0, 5.0, 8.0));
    }

    #[test]
    fn a_gain_shows_how_loose_it_is() {
        assert_eq!(Stated::AtMost(4.0).looseness(measured(2.0, 2.0, 2.0)), 2.0);
        assert_eq!(Stated::About(3.0, 1.0).looseness(measured(1.0, 2.0, 3.0)), 2.0);
        assert_eq!(Stated::AtMost(4.0).looseness(measured(-1.0, -1.0, 0.0)), f64::INFINITY);
    }
}
