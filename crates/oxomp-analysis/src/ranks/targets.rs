//! Constructs for devices in all recordings together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::brief::Brief;
use super::brief_target::BriefTarget;
use super::construct::{Key, key, slowest};
use crate::summary::TargetKind;

/// The executions of a construct for a device in all processes, whichever devices they were for.
#[derive(Debug, Clone, PartialEq)]
pub struct JobTarget {
    /// The sums of all processes.
    pub all: BriefTarget,
    /// The number of processes that executed it.
    pub processes: usize,
    /// Time in the process in which it is largest, ns.
    pub max_ns: u64,
    /// That process: a position in [`Job::processes`](super::Job::processes).
    pub slowest: usize,
}

/// A construct in the processes so far, and its time by position in the job's processes, ns.
struct Merged {
    all: BriefTarget,
    times: BTreeMap<usize, u64>,
}

/// The constructs of all `processes`, by time, largest first.
pub(super) fn merge_targets(processes: &[Brief]) -> Vec<JobTarget> {
    let mut merged = BTreeMap::<(Key, TargetKind), Merged>::new();
    for (position, process) in processes.iter().enumerate() {
        for target in &process.targets {
            let key = (key(target.place.as_ref()), target.kind);
            let one = merged
                .entry(key)
                .and_modify(|one| one.all.add(target))
                .or_insert_with(|| Merged { all: target.clone(), times: BTreeMap::new() });
            let time = one.times.entry(position).or_default();
            *time = time.saturating_add(target.time_ns);
        }
    }
    let mut targets: Vec<JobTarget> = merged
        .into_values()
        .map(|Merged { all, times }| {
            let (slowest, max_ns) = slowest(&times);
            JobTarget { all, processes: times.len(), max_ns, slowest }
        })
        .collect();
    targets.sort_by_key(|one| Reverse(one.all.time_ns));
    targets
}
