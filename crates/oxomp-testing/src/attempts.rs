//! Checks of times: each is tried several times, and most attempts have to hold.
//!
//! A check tells on standard output how many did, in a line that `cargo xtask accuracy` collects.

/// Attempts that are judged.
pub const JUDGED: u32 = 5;

/// Attempts in all, with those that other processes disturbed.
const MOST: u32 = 12;

/// The begin of the line that tells how many attempts held.
pub const HELD: &str = "attempts that held: ";

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// What is demanded was so.
    Held,
    /// What is demanded was not so, for this reason.
    Missed(String),
    /// The attempt knows that other processes took so much that its result says nothing.
    Disturbed(String),
}

impl From<Result<(), String>> for Attempt {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::Missed, |()| Self::Held)
    }
}

/// Makes attempts until [`JUDGED`] of them were not disturbed, and tells how many of those held.
///
/// # Errors
///
/// How many held, and why the last one did not, unless most did.
pub fn most_hold(mut attempt: impl FnMut() -> Attempt) -> Result<(), String> {
    let (mut held, mut judged, mut made) = (0, 0, 0);
    let mut last = String::new();
    while judged < JUDGED && made < MOST {
        made += 1;
        match attempt() {
            Attempt::Held => (held, judged) = (held + 1, judged + 1),
            Attempt::Missed(reason) => (last, judged) = (reason, judged + 1),
            Attempt::Disturbed(reason) if judged == held => last = reason,
            Attempt::Disturbed(_) => {}
        }
    }
    let told = match made - judged {
        0 => format!("{held} of {judged}"),
        disturbed => format!("{held} of {judged}, {disturbed} disturbed"),
    };
    println!("{HELD}{told}");
    if 2 * held > judged { Ok(()) } else { Err(format!("{HELD}{told}; {last}")) }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, JUDGED, most_hold};

    /// The result of attempts that go by the letters of `course` in turn, and how many were made.
    fn after(course: &str) -> (Result<(), String>, usize) {
        let mut letters = course.chars().cycle();
        let mut made = 0;
        let result = most_hold(|| {
            made += 1;
            match letters.next() {
                Some('h') => Attempt::Held,
                Some('m') => Attempt::Missed("missed".to_owned()),
                _ => Attempt::Disturbed("disturbed".to_owned()),
            }
        });
        (result, made)
    }

    #[test]
    fn one_right_attempt_among_many_is_not_enough() {
        let told = |text: &str| Err(format!("attempts that held: {text}"));
        assert_eq!(after("mmmmh"), (told("1 of 5; missed"), 5));
        assert_eq!(after("hmhmm"), (told("2 of 5; missed"), 5));
        assert_eq!(after("mhmhh"), (Ok(()), 5));
    }

    #[test]
    fn disturbed_attempts_are_made_again_and_none_that_was_judged_holds_nothing() {
        assert_eq!(after("hd"), (Ok(()), 2 * JUDGED as usize - 1));
        let (result, made) = after("d");
        let none = "attempts that held: 0 of 0, 12 disturbed; disturbed".to_owned();
        assert_eq!((result, made), (Err(none), 12));
    }
}
