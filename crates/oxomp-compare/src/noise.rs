//! How far two sets of measurements differ, without assuming how the measurements are distributed.
//!
//! The interval is Moses' for the shift between two samples: order statistics of all differences,
//! with the exact null distribution of the Mann-Whitney statistic (Hollander, Wolfe, Chicken,
//! "Nonparametric Statistical Methods", 3rd edition, 4.3).

/// The confidence asked for. Constructs are many: at 95 %, one in twenty would be a false alarm.
const WANTED: f64 = 0.99;
/// The least confidence that is worth an interval; three runs against three have 90 %.
const LEAST: f64 = 0.9;

/// The range in which the shift between two sets lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The smallest shift that the measurements support.
    pub low: f64,
    /// The largest shift that the measurements support.
    pub high: f64,
}

/// The rule for two sets of given sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Differences left out at each end, and the confidence of what remains; `None`: the sets are
    /// too small for a statement.
    rule: Option<(usize, f64)>,
}

impl Noise {
    /// The rule for `before` runs against `after` runs: as many differences are left out as the
    /// confidence allows.
    #[must_use]
    pub fn of(before: usize, after: usize) -> Self {
        let mut tail = 0.0;
        let mut rule = None;
        for (left_out, probability) in lower_tail(before, after).into_iter().enumerate() {
            tail += probability;
            let confidence = 1.0 - 2.0 * tail;
            // Sums of probabilities are a little off.
            let least = if left_out == 0 { LEAST } else { WANTED } - 1e-9;
            if confidence < least {
                break;
            }
            rule = Some((left_out, confidence));
        }
        Self { rule }
    }

    /// The probability with which an interval covers the true shift; `None` where the runs are too
    /// few to tell.
    #[must_use]
    pub fn confidence(&self) -> Option<f64> {
        self.rule.map(|(_, confidence)| confidence)
    }

    /// The interval of the shift from `before` to `after`; `None` where the runs are too few.
    #[must_use]
    pub fn interval(&self, before: &[f64], after: &[f64]) -> Option<Interval> {
        let (left_out, _) = self.rule?;
        let mut differences: Vec<f64> =
            before.iter().flat_map(|b| after.iter().map(move |a| a - b)).collect();
        differences.sort_by(f64::total_cmp);
        let last = differences.len().checked_sub(1 + left_out)?;
        Some(Interval { low: *differences.get(left_out)?, high: differences[last] })
    }
}

/// The probabilities of the Mann-Whitney statistic 0, 1, 2 … for sets of one distribution, up to
/// the median.
fn lower_tail(before: usize, after: usize) -> Vec<f64> {
    if before == 0 || after == 0 {
        return Vec::new();
    }
    // How many ways there are to choose `before` of all ranks, by how much their sum exceeds the
    // least: each chosen rank exceeds its least by the number of ranks of the other set below it,
    // so these are the partitions into at most `before` parts, none above `after`.
    let most = before * after / 2;
    let mut ways = vec![vec![0.0; most + 1]; before + 1];
    ways[0][0] = 1.0;
    for part in 0..=after {
        // A part may be taken any number of times: forward over the number of parts.
        for count in 1..=before {
            for sum in part..=most {
                ways[count][sum] += ways[count - 1][sum - part];
            }
        }
    }
    let all = (1..=before).fold(1.0, |all, k| all * (after + k) as f64 / k as f64);
    ways[before].iter().map(|ways| ways / all).collect()
}

/// The middle value; the mean of the two middle ones of an even number; 0 without values.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.get(middle), values.len() % 2) {
        (None, _) => 0.0,
        (Some(value), 1) => *value,
        (Some(value), _) => (values[middle - 1] + value) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, Noise, lower_tail, median};

    #[test]
    fn the_distribution_is_that_of_the_tables() {
        // 5 of 10 ranks: 252 ways, of which 1, 1, 2, 3, 5, 7 … have the sums 15, 16, 17 …
        let tail: Vec<f64> = lower_tail(5, 5).iter().map(|p| p * 252.0).collect();
        for (ways, expected) in tail.iter().zip([1.0, 1.0, 2.0, 3.0, 5.0, 7.0]) {
            assert!((ways - expected).abs() < 1e-9, "{tail:?}");
        }
        // 3 against 4: 35 ways; the critical value at 11.4 % of both sides is 1.
        let tail: Vec<f64> = lower_tail(3, 4).iter().map(|p| p * 35.0).collect();
        assert!((tail[0] + tail[1] - 2.0).abs() < 1e-9, "{tail:?}");
        assert_eq!(tail.len(), 7);
        for (n, m) in [(1, 1), (2, 7), (6, 6), (40, 30)] {
            let (one, other) = (lower_tail(n, m), lower_tail(m, n));
            assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn few_runs_give_the_confidence_that_they_can() {
        let confidence = |n, m| Noise::of(n, m).confidence();
        for (n, m) in [(0, 0), (1, 1), (1, 9), (2, 3), (3, 2)] {
            assert_eq!(confidence(n, m), None, "{n} {m}");
        }
        assert!((confidence(3, 3).unwrap() - 0.9).abs() < 1e-9);
        assert!((confidence(4, 4).unwrap() - (1.0 - 2.0 / 70.0)).abs() < 1e-9);
        assert!((confidence(5, 5).unwrap() - (1.0 - 2.0 / 252.0)).abs() < 1e-9);
        assert!(confidence(50, 50).unwrap() > 0.99);
    }

    #[test]
    fn an_interval_holds_every_difference_of_few_runs() {
        let (before, after) = ([1.0, 2.0, 3.0, 2.5, 1.5], [4.0, 5.0, 4.5, 6.0, 4.2]);
        let noise = Noise::of(5, 5);
        let all = Interval { low: 1.0, high: 5.0 };
        assert_eq!(noise.interval(&before, &after), Some(all));
        assert_eq!(noise.interval(&after, &before), Some(Interval { low: -5.0, high: -1.0 }));
    }

    #[test]
    fn with_many_runs_an_outlier_does_not_hide_a_change() {
        let mut before: Vec<f64> = (0..20).map(|run| 100.0 + f64::from(run % 5)).collect();
        let after: Vec<f64> = before.iter().map(|time| time + 20.0).collect();
        before[3] = 1000.0;
        let interval = Noise::of(20, 20).interval(&before, &after).unwrap();
        assert!(interval.low > 15.0 && interval.high < 25.0, "{interval:?}");
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
