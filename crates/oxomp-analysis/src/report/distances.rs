//! The iterations of a doacross loop nest for which others wait, as text.

use super::units::{count, plural};
use crate::summary::Distance;

/// Distances that are shown, those that are met most often.
const SHOWN: usize = 3;

/// `iteration 1 before (299 times)`, `iterations (-1, 0) (140 times) and (0, -1) (130 times)`;
/// `None` if no distance is known.
#[must_use]
pub fn awaited(distances: &[Distance]) -> Option<String> {
    let times = |what: &str, number: u64| format!("{what} ({})", plural(number, "time"));
    let (others, last) = in_words(distances, times)?;
    Some(if others.is_empty() { last } else { format!("{others} and {last}") })
}

/// As [`awaited`], in a table: `iterations (-1, 0): 140, (0, -1): 130`.
pub(super) fn counted(distances: &[Distance]) -> Option<String> {
    let times = |what: &str, number: u64| format!("{what}: {}", count(number));
    let (others, last) = in_words(distances, times)?;
    Some(if others.is_empty() { last } else { format!("{others}, {last}") })
}

/// The distances with their numbers, the last one apart.
fn in_words(
    distances: &[Distance],
    times: impl Fn(&str, u64) -> String,
) -> Option<(String, String)> {
    if distances.iter().all(|one| one.steps.is_empty()) {
        return None;
    }
    let shown = distances.iter().filter(|one| !one.steps.is_empty()).take(SHOWN);
    let mut parts: Vec<String> =
        shown.clone().map(|one| times(&steps(&one.steps), one.count)).collect();
    let all = distances.iter().map(|one| one.count).fold(0, u64::saturating_add);
    let others = all.saturating_sub(shown.map(|one| one.count).fold(0, u64::saturating_add));
    if others > 0 {
        parts.push(times("others", others));
    }
    let noun = if parts.len() == 1 { "iteration" } else { "iterations" };
    let last = parts.pop()?;
    Some(match parts.is_empty() {
        true => (String::new(), format!("{noun} {last}")),
        false => (format!("{noun} {}", parts.join(", ")), last),
    })
}

/// The distance in each loop: `1 before` where there is one, else `(-1, 0)`.
fn steps(steps: &[i64]) -> String {
    match steps {
        [step @ ..0] => format!("{} before", count(step.unsigned_abs())),
        [step] => format!("{} after", count(step.unsigned_abs())),
        _ => {
            let parts: Vec<String> = steps.iter().map(i64::to_string).collect();
            format!("({})", parts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{awaited, counted};
    use crate::summary::Distance;

    fn all(distances: &[(&[i64], u64)]) -> Vec<Distance> {
        let of = |&(steps, count): &(&[i64], u64)| Distance { steps: steps.to_vec(), count };
        distances.iter().map(of).collect()
    }

    fn text(distances: &[(&[i64], u64)]) -> Option<String> {
        awaited(&all(distances))
    }

    #[test]
    fn distances_are_named_with_how_often_they_were_met() {
        for (distances, expected) in [
            (&[(&[-1][..], 1499)][..], "iteration 1 before (1 499 times)"),
            (&[(&[2], 1)], "iteration 2 after (1 time)"),
            (&[(&[-1], 9), (&[-2], 8)], "iterations 1 before (9 times) and 2 before (8 times)"),
            (&[(&[-1, 0], 9), (&[0, -1], 9)], "iterations (-1, 0) (9 times) and (0, -1) (9 times)"),
            (&[(&[-1], 9), (&[], 4)], "iterations 1 before (9 times) and others (4 times)"),
            (
                &[(&[-1], 9), (&[-2], 8), (&[-3], 7), (&[-4], 6), (&[-5], 5), (&[], 4)],
                "iterations 1 before (9 times), 2 before (8 times), 3 before (7 times) and others \
                 (15 times)",
            ),
        ] {
            assert_eq!(text(distances).as_deref(), Some(expected));
        }
        let grid = all(&[(&[-1, 0], 1900), (&[0, -1], 9)]);
        assert_eq!(counted(&grid).as_deref(), Some("iterations (-1, 0): 1 900, (0, -1): 9"));
        assert_eq!(counted(&all(&[(&[-1], 9)])).as_deref(), Some("iteration 1 before: 9"));
        assert_eq!(text(&[]), None);
        assert_eq!(text(&[(&[], 3)]), None, "nothing is known of others alone");
    }
}
