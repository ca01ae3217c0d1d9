//! The first advice of a summary's text.

/// A piece of advice.
#[derive(Debug, PartialEq)]
pub(super) struct Advice {
    /// The place and the change.
    pub(super) text: String,
    /// What it wins, or could win at most, and the part of the wall time: `≤ 1.5 ms (24.7 %)`, or
    /// `1.5 ms ± 0.2 ms (24.7 %)`.
    pub(super) gain: String,
    /// Whether the summary says that its gains are firm.
    pub(super) is_firm: bool,
}

/// A span of time, ns, in which a gain lies by what a summary says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Advice {
    /// The interval in which the gain lies: from nothing to a bound, or about an estimate.
    pub(super) fn interval(&self) -> Option<Interval> {
        let gain = self.gain.split_once(" (")?.0;
        if let Some(bound) = gain.strip_prefix("≤ ") {
            return Some(Interval { least: 0.0, most: nanoseconds(bound)? });
        }
        let (about, error) = gain.split_once(" ± ")?;
        let (about, error) = (nanoseconds(about)?, nanoseconds(error)?);
        Some(Interval { least: about - error, most: about + error })
    }
}

/// A time as a summary has it: `1 204 s`, `3.47 ms`.
fn nanoseconds(text: &str) -> Option<f64> {
    let (number, unit) = text.rsplit_once([' ', '\u{a0}'])?;
    let number: String = number.chars().filter(|it| !it.is_whitespace()).collect();
    let scale = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| number * scale)
}

/// The first advice of `summary`, if there is one. Gains that are not firm have no numbers before
/// them, and come after a remark that has no gain.
pub(super) fn first(summary: &str) -> Option<Advice> {
    let (_, advice) = summary.split_once("Try first")?;
    let advice = &advice[..advice.find("\n\n").unwrap_or(advice.len())];
    let numbered = advice.split_once("\n  1 ").map(|(_, first)| first);
    let is_firm = numbered.is_some();
    let first = match numbered {
        Some(first) => &first[..first.find("\n  2 ").unwrap_or(first.len())],
        None => advice.split("\n  - ").skip(1).find(|one| one.contains(": gain"))?,
    };
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, gain) = first.rsplit_once(": gain ")?;
    let gain = &gain[..=gain.find(')')?];
    let gain = gain.strip_prefix("about ").unwrap_or(gain);
    Some(Advice { text: text.to_owned(), gain: gain.to_owned(), is_firm })
}

#[cfg(test)]
mod tests {
    use super::{Advice, Interval, first};

    #[test]
    fn the_first_of_two_pieces_is_joined_to_one_line() {
        let summary = "Try first (gains are upper bounds)\n  - a remark: on CPUs\n  1 a.c:7  \
                       balance: schedule(dynamic)\n    or so: gain ≤ 1.5 ms (24.7 %)\n  2 b: gain \
                       ≤ 1 ms (3 %)\n\nData\n";
        let found = first(summary).expect("an advice");
        assert_eq!(found.text, "a.c:7 balance: schedule(dynamic) or so");
        assert_eq!((found.gain.as_str(), found.is_firm), ("≤ 1.5 ms (24.7 %)", true));
        assert_eq!(found.interval(), Some(Interval { least: 0.0, most: 1.5e6 }));
        let predicted = "Try first (x)\n  1 a: b: gain about 1.5 ms ±\n    0.2 ms (24.7 %)\n\n";
        let gain = "1.5 ms ± 0.2 ms (24.7 %)".to_owned();
        let found = Advice { text: "a: b".to_owned(), gain, is_firm: true };
        assert_eq!(first(predicted), Some(found));
        assert_eq!(first("Data\n"), None);
    }

    #[test]
    fn gains_that_are_not_firm_have_no_numbers() {
        let summary = "Try first (threads lacked a processor for 31 % of the time: these gains are \
                       not firm)\n  - 4 threads share 2 CPUs\n  - a.c:7  less: gain about 1.50 s ± \
                       900.0 ms (50.0 %)\n  - b: gain about 1 ms ± 1 ms (3 %)\n\nData\n";
        let found = first(summary).expect("an advice");
        assert_eq!((found.text.as_str(), found.is_firm), ("a.c:7 less", false));
        assert_eq!(found.interval(), Some(Interval { least: 0.6e9, most: 2.4e9 }));
    }
}
