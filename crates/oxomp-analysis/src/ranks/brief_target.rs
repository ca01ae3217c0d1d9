//! Constructs for devices in one recording of several.

use std::cmp::Reverse;

use oxomp_symbols::Place;

use crate::analysis::Analysis;
use crate::summary::{SiteId, TargetKind};

/// How many constructs of a recording are kept: those with the most time.
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
    /// The executions that had not ended when the recording did.
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

impl BriefTarget {
    /// The constructs of `analysis` with the most time, largest first.
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

    pub(super) fn add(&mut self, other: &Self) {
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
