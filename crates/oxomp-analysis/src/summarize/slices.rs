//! The run by slices of time.

use std::slice;

use oxomp_trace::Profile;

use super::summarize;
use crate::summary::SliceSums;

/// The slices, each with what the threads did in it; empty if the recording has none, or knows of
/// no thread.
pub(super) fn slices(profile: &Profile) -> Vec<SliceSums> {
    let clock = profile.clock();
    let sums = profile.slices.iter().filter_map(|one| {
        let view = profile.sums_of_slices(slice::from_ref(one))?;
        Some(SliceSums {
            from_ns: clock.ns(one.begin),
            to_ns: clock.ns(one.end),
            by_class: summarize(&view).budget.by_class,
        })
    });
    let sums: Vec<SliceSums> = sums.collect();
    // Of a program without OpenMP nothing is known.
    let is_known = sums.iter().any(|one| one.by_class.iter().any(|ns| *ns > 0));
    if is_known { sums } else { Vec::new() }
}
