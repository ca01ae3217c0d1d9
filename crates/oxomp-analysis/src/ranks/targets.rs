//! Constructs for devices in one recording, and in all recordings together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxomp_symbols::Place;
use serde::Serialize;

use super::construct::{Key, key, slowest};
use crate::analysis::Analysis;
use crate::summary::{SiteId, TargetKind};

/// How many constructs of a recording are kept: those with the most time.
const KEPT: usize = 100;

/// A construct for a device in all processes, which are matched by function and line, whichever
/// devices it was for.
// Those of a `Brief` are of one process: `processes` is 1, `slowest` 0, and `max_ns` is `time_ns`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TargetConstruct"))]
pub struct JobTarget {
    /// The construct's name.
    #[serde(skip)]
    pub place: Option<Place>,
    /// Kind of construct: `target`, `enter data` (the begin of `target data`, too), `exit data`
    /// (its end), `update`, each of them with ` nowait` where the runtime tells, or
    /// `target (kind unknown)`.
    pub kind: TargetKind,
    /// Number of processes that executed it.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub processes: usize,
    /// Executions, all processes together.
    pub calls: u64,
    /// Those of them that had not ended when their recording did.
    pub unfinished: u64,
    /// Sum of their times, all processes together, ns.
    pub time_ns: u64,
    /// Sum of their times in the process in which it is largest, ns.
    pub max_ns: u64,
    /// That process.
    // By its position in `Job::processes`.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub slowest: usize,
    /// Kernels, all processes together.
    pub kernels: u64,
    /// Part of `time_ns` in kernels, ns; null if a runtime does not report the ends of operations.
    pub kernel_ns: Option<u64>,
    /// Bytes that were copied to devices, all processes together.
    pub to_bytes: u64,
    /// Bytes that were copied from devices, all processes together.
    pub from_bytes: u64,
}

impl JobTarget {
    /// The constructs of `analysis` with the most time, largest first.
    pub(super) fn of(analysis: &Analysis) -> Vec<Self> {
        let name = |site: Option<SiteId>| analysis.places.get(site?.0 as usize);
        let constructs = &analysis.summary.offload.constructs;
        let mut targets: Vec<Self> = constructs
            .iter()
            .map(|one| Self {
                place: name(one.site).cloned(),
                kind: one.kind,
                processes: 1,
                calls: one.calls,
                unfinished: one.unfinished.map_or(0, |unfinished| unfinished.calls),
                time_ns: one.time_ns,
                max_ns: one.time_ns,
                slowest: 0,
                kernels: one.kernels,
                kernel_ns: one.parts.map(|parts| parts.kernel_ns),
                to_bytes: one.to_bytes,
                from_bytes: one.from_bytes,
            })
            .collect();
        targets.sort_by_cached_key(|one| Reverse(one.time_ns));
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
    sums: JobTarget,
    times: BTreeMap<usize, u64>,
}

/// Adds up the constructs of each of `processes`: those of all, by time, largest first.
pub(super) fn merge_targets<'a>(
    processes: impl Iterator<Item = &'a [JobTarget]>,
) -> Vec<JobTarget> {
    let mut merged = BTreeMap::<(Key, TargetKind), Merged>::new();
    for (position, targets) in processes.enumerate() {
        for target in targets {
            let key = (key(target.place.as_ref()), target.kind);
            let one = merged
                .entry(key)
                .and_modify(|one| one.sums.add(target))
                .or_insert_with(|| Merged { sums: target.clone(), times: BTreeMap::new() });
            let time = one.times.entry(position).or_default();
            *time = time.saturating_add(target.time_ns);
        }
    }
    let mut targets: Vec<JobTarget> = merged
        .into_values()
        .map(|Merged { sums, times }| {
            let (slowest, max_ns) = slowest(&times);
            JobTarget { processes: times.len(), max_ns, slowest, ..sums }
        })
        .collect();
    targets.sort_by_cached_key(|one| Reverse(one.time_ns));
    targets
}
