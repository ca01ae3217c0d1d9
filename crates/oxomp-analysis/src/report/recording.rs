//! What the collector takes of a recorded run, in which its cost lies where the program's does.
//!
//! Where it counts events and times a few, they cost it little; where it keeps each, as much as
//! stands here, or, of locks, as was measured in the run. So of a loss it is taken to be half of
//! that, and may be all or nothing.

use crate::summary::Summary;

/// For a region, a thread that passes a barrier, one that takes a lock, a task, and a chunk, ns: by
/// how much longer the plants of `cargo xtask plants` took when they were recorded.
pub(super) const REGION_NS: u64 = 900;
pub(super) const BARRIER_NS: u64 = 400;
const LOCK_NS: u64 = 200;
pub(super) const CHUNK_NS: u64 = 40;

/// What recording took for each acquisition of a lock, ns: a request, an acquisition and a release,
/// or one number more.
pub(super) fn lock_ns(summary: &Summary) -> u64 {
    let (mut acquisitions, mut cost_ns) = (0_u64, 0_u64);
    for cost in &summary.quality.recording {
        let events = match cost.class {
            "locks" => 3,
            "locks without events" => 1,
            _ => continue,
        };
        acquisitions += cost.events / events;
        cost_ns = cost_ns.saturating_add(cost.cost_ns);
    }
    cost_ns.checked_div(acquisitions).unwrap_or(LOCK_NS)
}

/// Half of what `events` of `each_ns` take each of `threads`, ns.
pub(super) fn half(events: u64, each_ns: u64, threads: u32) -> u64 {
    events.saturating_mul(each_ns) / u64::from(threads.max(1)) / 2
}
