//! The run by slices of time.

use std::slice;

use oxomp_trace::Profile;

use super::summarize;
use crate::summary::SliceSums;

/// The slices, each with what the threads did in it; empty if the recording has none.
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
    sums.collect()
}
