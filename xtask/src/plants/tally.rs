//! The closing line over all programs, and whether the command fails.

use std::fmt;

use super::measure::Outcome;

/// How many answers were right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Share {
    right: usize,
    of: usize,
}

impl Share {
    fn add(&mut self, is_right: bool) {
        self.right += usize::from(is_right);
        self.of += 1;
    }

    /// Whether nine of ten were right.
    fn suffices(self) -> bool {
        10 * self.right >= 9 * self.of
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.right, self.of)
    }
}

/// What is summed up over programs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    advices: Share,
    gains: Share,
    predictions: Share,
    not_firm: usize,
    /// Programs whose pairs of runs differ too much.
    unclear: usize,
    /// How many times the measured gain the most that is stated is, of each gain.
    looseness: Vec<f64>,
}

impl Tally {
    pub(super) fn add(&mut self, outcome: &Outcome) {
        self.advices.add(outcome.is_right);
        outcome.is_within.into_iter().for_each(|it| self.gains.add(it));
        outcome.is_predicted.into_iter().for_each(|it| self.predictions.add(it));
        self.unclear += usize::from(outcome.is_unclear);
        self.not_firm += usize::from(outcome.is_firm == Some(false));
        self.looseness.extend(outcome.looseness);
        self.looseness.sort_by(f64::total_cmp);
    }

    /// Whether nine of ten advices are right, and nine of ten gains within what is stated, of which
    /// nine of ten could be judged.
    pub(super) fn suffices(&self) -> bool {
        let is_judged = 10 * self.unclear <= self.advices.of;
        self.advices.suffices() && self.gains.suffices() && is_judged
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { advices, gains, predictions, .. } = self;
        write!(f, "{advices} first advices right, {gains} gains within what is stated")?;
        if self.not_firm > 0 {
            write!(f, " ({} not firm)", self.not_firm)?;
        }
        if self.unclear > 0 {
            write!(f, ", {} not judged since their pairs differ", self.unclear)?;
        }
        write!(f, ", {predictions} predictions of oxomp advise within their errors.")?;
        if let Some(most) = self.looseness.last() {
            let median = self.looseness[self.looseness.len() / 2];
            write!(
                f,
                " The most that is stated is {median:.1} times the gain in the median, {most:.1} in one."
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Tally};

    fn tally(advices: [usize; 2], gains: [usize; 2]) -> Tally {
        let mut tally = Tally::default();
        for number in 0..advices[1] {
            tally.add(&Outcome {
                is_right: number < advices[0],
                is_within: (number < gains[1]).then_some(number < gains[0]),
                ..Outcome::default()
            });
        }
        tally
    }

    #[test]
    fn nine_of_ten_advices_and_gains_have_to_be_right() {
        assert!(tally([9, 10], [9, 10]).suffices());
        assert!(!tally([8, 10], [10, 10]).suffices());
        assert!(!tally([10, 10], [8, 10]).suffices());
        assert!(!tally([10, 10], [7, 8]).suffices(), "seven of eight are fewer");
        let mut noisy = tally([10, 10], [10, 10]);
        noisy.add(&Outcome { is_right: true, is_unclear: true, ..Outcome::default() });
        assert!(noisy.suffices(), "one of eleven");
        noisy.add(&Outcome { is_right: true, is_unclear: true, ..Outcome::default() });
        assert!(!noisy.suffices(), "two of twelve");
    }

    #[test]
    fn the_closing_line_has_every_count() {
        let mut tally = tally([2, 3], [1, 2]);
        let line = "2 of 3 first advices right, 1 of 2 gains within what is stated, \
                    0 of 0 predictions of oxomp advise within their errors.";
        assert_eq!(tally.to_string(), line);
        for looseness in [4.0, 1.5, 2.0] {
            tally.add(&Outcome {
                is_right: true,
                is_within: Some(true),
                is_unclear: false,
                is_firm: Some(looseness > 3.0),
                is_predicted: Some(looseness > 3.0),
                looseness: Some(looseness),
            });
        }
        let line = "5 of 6 first advices right, 4 of 5 gains within what is stated (2 not firm), \
                    1 of 3 predictions of oxomp advise within their errors. \
                    The most that is stated is 2.0 times the gain in the median, 4.0 in one.";
        assert_eq!(tally.to_string(), line);
    }
}
