//! Constructs for devices in one recording of several, and in all of them together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxomp_symbols::Place;

use super::brief::Brief;
use super::job::{Key, key, slowest};
use crate::analysis::Analysis;
use crate::summary::{SiteId, TargetKind};

/// Constructs kept of a recording: those of the most time.
const KEPT: usize = 100;

/// The executions of a construct for a device in one recording.
#[derive(Debug, Clone, PartialEq)]
pub struct BriefTarget {
    /// The construct's name.
    pub place: Option<Place>,
    /// The kind of construct.
    pub kind: TargetKind,
    /// How often it was executed.
    pub calls: u64,
    /// Those of them that had not ended when the recording did.
    pub unfinished: u64,
    /// The time of the threads in it, ns.
    pub time_ns: u64,
    /// Kernels that it submitted.
    pub kernels: u64,
    /// Their time, ns; `None` if the runtime does not report the ends of operations.
    pub kernel_ns: Option<u64>,
    /// Bytes that were copied to the device.
    pub to_bytes: u64,
    /// Bytes that were copied from the device.
    pub from_bytes: u64,
}

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

impl BriefTarget {
    /// Those of `analysis` that have the most time, largest first.
    pub(super) fn of(analysis: &Analysis) -> Vec<Self> {
        let name = |site: Option<SiteId>| analysis.places.get(site?.0 as usize);
        let constructs = &analysis.summary.offload.constructs;
        let mut targets: Vec<Self> = constructs
            .iter()
            .map(|one| Self {
                place: name(one.site).cloned(),
                kind: one.kind,
                calls: one.calls,
                unfinished: one.unfinished.map_or(0, |unfinished| unfinished.calls),
                time_ns: one.time_ns,
                kernels: one.kernels,
                kernel_ns: one.parts.map(|parts| parts.kernel_ns),
                to_bytes: one.to_bytes,
                from_bytes: one.from_bytes,
            })
            .collect();
        targets.sort_by_key(|one| Reverse(one.time_ns));
        targets.truncate(KEPT);
        targets
    }

    fn add(&mut self, other: &Self) {
        let add = |sum: &mut u64, number: u64| *sum = sum.saturating_add(number);
        add(&mut self.calls, other.calls);
        add(&mut self.unfinished, other.unfinished);
        add(&mut self.time_ns, other.time_ns);
        add(&mut self.kernels, other.kernels);
        add(&mut self.to_bytes, other.to_bytes);
        add(&mut self.from_bytes, other.from_bytes);
        let both = self.kernel_ns.zip(other.kernel_ns);
        self.kernel_ns = both.map(|(one, other)| one.saturating_add(other));
    }
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
