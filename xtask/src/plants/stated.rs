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

impl Stated {
    /// Reads the gain of a change in a summary's JSON.
    pub(super) fn of_change(change: &Value) -> Option<Self> {
        let gain = change["gain_ns"].as_f64()?;
        let error = change["error_ns"].as_f64();
        Some(error.map_or(Self::AtMost(gain), |error| Self::About(gain, error)))
    }

    /// Whether a measured gain lies in the interval that is stated: from nothing to a bound, or
    /// about an estimate.
    pub(super) fn holds(self, measured: f64) -> bool {
        match self {
            Self::AtMost(bound) => (0.0..=bound).contains(&measured),
            Self::About(gain, error) => (gain - measured).abs() <= error,
        }
    }

    /// How many times the measured gain the most that is stated is: the bound, or the upper end of
    /// an estimate. Infinite where nothing is gained.
    pub(super) fn looseness(self, measured: f64) -> f64 {
        let most = match self {
            Self::AtMost(bound) => bound,
            Self::About(gain, error) => gain + error,
        };
        if measured > 0.0 { most / measured } else { f64::INFINITY }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Stated;

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
        let bound = Stated::AtMost(4.0);
        assert_eq!([-0.1, 0.0, 4.0, 4.1].map(|gain| bound.holds(gain)), [false, true, true, false]);
        let estimate = Stated::About(4.0, 1.0);
        assert_eq!([2.9, 3.0, 5.0, 5.1].map(|it| estimate.holds(it)), [false, true, true, false]);
    }

    #[test]
    fn a_gain_shows_how_loose_it_is() {
        assert_eq!(Stated::AtMost(4.0).looseness(2.0), 2.0);
        assert_eq!(Stated::About(3.0, 1.0).looseness(2.0), 2.0);
        assert_eq!(Stated::AtMost(4.0).looseness(-1.0), f64::INFINITY);
    }
}
