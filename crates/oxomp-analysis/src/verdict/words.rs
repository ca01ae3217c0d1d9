//! Shares and places as the words of a sentence.

use crate::report::units::percent;
use crate::report::{self, file_name};
use crate::summary::{Blocked, HotCode};

/// Shares that have a word of their own, each from and up to.
const WORDS: [(f64, f64, &str); 8] = [
    (0.97, f64::INFINITY, "almost all"),
    (0.885, 0.915, "nine tenths"),
    (0.73, 0.77, "three quarters"),
    (0.645, 0.685, "two thirds"),
    (0.475, 0.525, "half"),
    (0.315, 0.35, "a third"),
    (0.235, 0.265, "a quarter"),
    (0.19, 0.21, "a fifth"),
];

/// ` at line 12 of bins.c`; empty if the line is not known.
pub(super) fn line_of(one: &Blocked) -> String {
    one.line.as_ref().map_or_else(String::new, |line| format!(" at {}", line_name(line)))
}

/// `line 12 of bins.c`.
pub(super) fn line_name((file, line): &(String, u32)) -> String {
    format!("line {line} of {}", file_name(file))
}

/// `read_input (solver.c:42)`.
pub(super) fn code_name(code: &HotCode) -> String {
    match &code.line {
        Some(line) => format!("{} ({})", code.function, report::line_name(line)),
        None => code.function.clone(),
    }
}

/// A share in words where it is near one that has a word.
pub(super) fn amount(part: f64) -> String {
    let word = WORDS.iter().find(|(from, to, _)| (*from..*to).contains(&part));
    match word {
        Some((_, _, word)) => (*word).to_owned(),
        None if part >= 0.1 => format!("{:.0} %", part * 100.0),
        None => percent(part),
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn shares_near_a_simple_fraction_have_its_word() {
        let all = [
            (1.0, "almost all"),
            (0.5, "half"),
            (0.333, "a third"),
            (0.25, "a quarter"),
            (0.42, "42 %"),
            (0.068, "6.8 %"),
            (0.2, "a fifth"),
            (0.96, "96 %"),
        ];
        for (part, words) in all {
            assert_eq!(amount(part), words);
        }
    }
}
