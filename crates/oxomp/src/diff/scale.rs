//! `oxomp diff` of two folders that `oxomp scale` wrote.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oxomp_compare::Comparison;
use oxomp_scale::{CountComparison, ScaleComparison};

use crate::failure::Failure;
use crate::messages::say_all;
use crate::runs::ReadRuns;
use crate::scale::folder::counts;

/// The comparison for each number of threads, and whether runs are missing; `None` if neither is a
/// folder of a scale.
///
/// # Errors
///
/// If only one of them is, or no number of threads is in both.
pub(super) fn compare(
    before: &Path,
    after: &Path,
    threshold: f64,
) -> Result<Option<(ScaleComparison, bool)>, Failure> {
    let [ones, others] =
        [before, after].map(|path| counts(path).into_iter().collect::<BTreeMap<u32, PathBuf>>());
    let (scale, other) = match (ones.is_empty(), others.is_empty()) {
        (true, true) => return Ok(None),
        (false, false) => (before, after),
        (false, true) => (before, after),
        (true, false) => (after, before),
    };
    if ones.is_empty() || others.is_empty() {
        let of = if ones.is_empty() { &others } else { &ones };
        let first = of.values().next().map(|path| path.display().to_string()).unwrap_or_default();
        return Err(Failure::own(format!(
            "{}: holds the runs of `oxomp scale`, and {} does not: name one number of threads, \
             such as {first}",
            scale.display(),
            other.display()
        )));
    }
    let common: Vec<u32> =
        ones.keys().filter(|count| others.contains_key(count)).copied().collect();
    if common.is_empty() {
        return Err(Failure::own(format!(
            "{} and {}: no number of threads is in both",
            before.display(),
            after.display()
        )));
    }
    let mut is_partial = false;
    let mut compared = Vec::new();
    for threads in common.iter().copied() {
        let (one, other) = (ReadRuns::read(&ones[&threads])?, ReadRuns::read(&others[&threads])?);
        say_all(one.messages.iter().chain(&other.messages));
        is_partial |= one.is_partial || other.is_partial;
        let comparison = Comparison::of(one.set, other.set, threshold);
        compared.push(CountComparison { threads, comparison });
    }
    let mut unmatched: Vec<u32> =
        ones.keys().chain(others.keys()).filter(|count| !common.contains(count)).copied().collect();
    unmatched.sort_unstable();
    Ok(Some((ScaleComparison { counts: compared, unmatched }, is_partial)))
}
