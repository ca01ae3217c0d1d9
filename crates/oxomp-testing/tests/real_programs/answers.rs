//! Comparing what two runs printed: words must be equal, and numbers equal but for the order in
//! which the threads of a team added them up.

/// How far two numbers may lie apart, as a part of the larger one.
const TOLERANCE: f64 = 1e-9;

/// Checks that `ours` has the words and numbers of `theirs`.
///
/// # Errors
///
/// The first line that differs.
pub(crate) fn compare(theirs: &str, ours: &str) -> Result<(), String> {
    compare_within(theirs, ours, 0.0)
}

/// As [`compare`]; numbers may also lie `apart`, for a program that prints so few digits that the
/// last one differs.
///
/// # Errors
///
/// The first line that differs.
pub(crate) fn compare_within(theirs: &str, ours: &str, apart: f64) -> Result<(), String> {
    if theirs.trim().is_empty() {
        return Err("the program printed nothing on the runtime it came with".to_owned());
    }
    let (expected, found) = (theirs.lines().count(), ours.lines().count());
    for (number, (theirs, ours)) in (1..).zip(theirs.lines().zip(ours.lines())) {
        if !same_line(theirs, ours, apart) {
            return Err(format!("line {number} is\n    {ours}\nand should be\n    {theirs}"));
        }
    }
    match expected == found {
        true => Ok(()),
        false => Err(format!("{found} lines were printed and should be {expected}:\n{ours}")),
    }
}

fn same_line(theirs: &str, ours: &str, apart: f64) -> bool {
    let (theirs, ours) = (theirs.split_whitespace(), ours.split_whitespace());
    let mut words = theirs.clone().zip(ours.clone());
    theirs.count() == ours.count() && words.all(|(theirs, ours)| same_word(theirs, ours, apart))
}

fn same_word(theirs: &str, ours: &str, apart: f64) -> bool {
    match (theirs.parse::<f64>(), ours.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b || (a - b).abs() <= apart.max(TOLERANCE * a.abs().max(b.abs())),
        _ => theirs == ours,
    }
}

#[test]
fn only_the_last_digits_of_numbers_may_differ() {
    assert_eq!(compare("a 1.00000000000001 7\n", "a 1.0 7\n"), Ok(()));
    for ours in ["a 1.0 8\n", "b 1.0 7\n", "a 1.0\n", "a 1.00001 7\n", "", "a NaN 7\n"] {
        assert!(compare("a 1.0 7\n", ours).is_err(), "{ours}");
    }
    assert!(compare("", "").is_err());
    assert_eq!(compare_within("a 0.00001\n", "a 0.00002\n", 1.1e-5), Ok(()));
    assert!(compare_within("a 0.00001\n", "a 0.00003\n", 1.1e-5).is_err());
}
