//! What recording took of a run, as the recording states it: by so much a time in a profile may
//! differ from the program's own.
//!
//! An event has one tick, from the begin of its callback, and the program reads its clock outside
//! of callbacks. So what the collector takes for an event is in a time of the profile and not in
//! the program's, or the other way round: a hold lasts from the callback of the acquisition on, and
//! a region until the callback of its end. A time that is the sum of several differs at most by
//! what all events of its class took.

use oxomp_analysis::summary::Summary;

/// What recording took for the events of a class, such as `regions`, ns.
pub(crate) fn took(summary: &Summary, class: &str) -> u64 {
    let costs = summary.quality.recording.iter();
    costs.filter(|cost| cost.class == class).map(|cost| cost.cost_ns).sum()
}
