//! The first advice of a summary's text.

/// A piece of advice.
#[derive(Debug, PartialEq)]
pub(super) struct Advice {
    /// The place and the change.
    pub(super) text: String,
    /// What it wins, or could win at most, and the part of the wall time: `≤ 1.5 ms (24.7 %)`, or
    /// `1.5 ms ± 0.2 ms (24.7 %)`.
    pub(super) gain: String,
}

/// The first numbered advice of `summary`, if there is one.
pub(super) fn first(summary: &str) -> Option<Advice> {
    let (_, advice) = summary.split_once("Try first")?;
    let (_, first) = advice.split_once("\n  1 ")?;
    let end = first.find("\n  2 ").or(first.find("\n\n")).unwrap_or(first.len());
    let first = first[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, gain) = first.rsplit_once(": gain ")?;
    let gain = &gain[..=gain.find(')')?];
    let gain = gain.strip_prefix("about ").unwrap_or(gain);
    Some(Advice { text: text.to_owned(), gain: gain.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{Advice, first};

    #[test]
    fn the_first_of_two_pieces_is_joined_to_one_line() {
        let summary = "Try first (gains are upper bounds)\n  - a remark: on CPUs\n  1 a.c:7  \
                       balance: schedule(dynamic)\n    or so: gain ≤ 1.5 ms (24.7 %)\n  2 b: gain \
                       ≤ 1 ms (3 %)\n\nData\n";
        let text = "a.c:7 balance: schedule(dynamic) or so".to_owned();
        assert_eq!(first(summary), Some(Advice { text, gain: "≤ 1.5 ms (24.7 %)".to_owned() }));
        let predicted = "Try first (x)\n  1 a: b: gain about 1.5 ms ±\n    0.2 ms (24.7 %)\n\n";
        let gain = "1.5 ms ± 0.2 ms (24.7 %)".to_owned();
        assert_eq!(first(predicted), Some(Advice { text: "a: b".to_owned(), gain }));
        assert_eq!(first("Data\n"), None);
    }
}
