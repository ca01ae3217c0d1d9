//! A construct in all processes: its name, and the process in which it takes longest.

use std::collections::BTreeMap;

use oxomp_symbols::Place;

/// A construct's name across processes, which have it at different addresses.
pub(super) type Key = Option<(Option<String>, Option<(String, u32)>, Option<String>, u64)>;

pub(super) fn key(place: Option<&Place>) -> Key {
    let place = place?;
    // With a line, the offset does not matter: copies of the construct are one.
    let offset = if place.line.is_some() { 0 } else { place.offset };
    Some((place.function.clone(), place.line.clone(), place.module.clone(), offset))
}

/// The process with the most of `times`, which are by position in
/// [`Job::processes`](super::Job::processes), and its time; the first of several.
pub(super) fn slowest(times: &BTreeMap<usize, u64>) -> (usize, u64) {
    let most = times.iter().max_by_key(|(position, ns)| (**ns, usize::MAX - **position));
    most.map_or((0, 0), |(&position, &ns)| (position, ns))
}
