//! What oxomp says on standard error, one line a message.

use std::fmt::Display;
use std::io::{Error, Write, stderr};

/// The beginning of the number that the standard library puts behind the words of an error.
const NUMBER: &str = " (os error ";

/// Says `message`. Where standard error is closed or full, the message is lost and the work goes
/// on.
pub(crate) fn say(message: impl Display) {
    writeln!(stderr(), "oxomp: {}", without_numbers(&message.to_string())).ok();
}

/// The system's reason in words, which follow a colon: `permission denied`.
pub(crate) fn reason(error: &Error) -> String {
    let words = without_numbers(&error.to_string());
    let mut letters = words.chars();
    match (letters.next(), letters.next()) {
        // A name of capitals stays.
        (Some(first), Some(second)) if second.is_lowercase() => {
            format!("{}{}", first.to_lowercase(), &words[first.len_utf8()..])
        }
        _ => words,
    }
}

/// The text without the numbers of the system's errors: the words beside them say the same.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split(NUMBER);
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let behind =
            part.trim_start_matches('-').trim_start_matches(|it: char| it.is_ascii_digit());
        match behind.strip_prefix(')') {
            Some(behind) => words += behind,
            None => {
                words += NUMBER;
                words += part;
            }
        }
    }
    words
}

/// Says each of `messages`.
pub(crate) fn say_all(messages: impl IntoIterator<Item = impl Display>) {
    for message in messages {
        say(message);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::{reason, without_numbers};

    #[test]
    fn reasons_are_words() {
        assert_eq!(reason(&Error::from_raw_os_error(2)), "no such file or directory");
        assert_eq!(reason(&Error::from_raw_os_error(13)), "permission denied");
        assert_eq!(reason(&Error::other("CSV needs a folder")), "CSV needs a folder");
        let said = "a: No such file (os error 2); b: (os error in it); c: Denied (os error 13)";
        assert_eq!(without_numbers(said), "a: No such file; b: (os error in it); c: Denied");
    }
}
