//! Regions and constructs for devices in all processes of a job.

use oxomp_analysis::ranks::{JobRegion, JobTarget};
use serde::Serialize;

use crate::json::places::Location;

/// A parallel construct in all processes, which are matched by function and line.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Region {
    /// The construct; null if the runtime did not tell.
    place: Option<Location>,
    /// Number of processes that executed it.
    processes: u64,
    /// Instances, all processes together.
    calls: u64,
    /// Sum of the instances' times, all processes together, ns.
    wall_ns: u64,
    /// Sum of the instances' times in the process in which it is largest, ns.
    max_ns: u64,
    /// That process.
    slowest: u64,
    /// What is lost inside it, all processes together, ns: an upper bound of what could be won if
    /// `bounds_hold`.
    gain_ns: u64,
}

impl Region {
    pub(super) fn new(region: &JobRegion) -> Self {
        Self {
            place: region.place.as_ref().map(|place| Location::new(place, place.short())),
            processes: region.processes as u64,
            calls: region.calls,
            wall_ns: region.wall_ns,
            max_ns: region.max_ns,
            slowest: region.slowest as u64,
            gain_ns: region.gain_ns,
        }
    }
}

/// A construct for a device in all processes, which are matched by function and line, whichever
/// devices it was for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TargetConstruct {
    /// The construct; null if the runtime did not tell.
    place: Option<Location>,
    /// Kind of construct: `target`, `enter data` (the begin of `target data`, too), `exit data`
    /// (its end), `update`, each of them with ` nowait` where the runtime tells, or
    /// `target (kind unknown)`.
    kind: &'static str,
    /// Number of processes that executed it.
    processes: u64,
    /// Executions, all processes together.
    calls: u64,
    /// Those of them that had not ended when their recording did.
    unfinished: u64,
    /// Sum of their times, all processes together, ns.
    time_ns: u64,
    /// Sum of their times in the process in which it is largest, ns.
    max_ns: u64,
    /// That process.
    slowest: u64,
    /// Kernels, all processes together.
    kernels: u64,
    /// Part of `time_ns` in kernels, ns; null if a runtime does not report the ends of operations.
    kernel_ns: Option<u64>,
    /// Bytes that were copied to devices, all processes together.
    to_bytes: u64,
    /// Bytes that were copied from devices, all processes together.
    from_bytes: u64,
}

impl TargetConstruct {
    pub(super) fn new(target: &JobTarget) -> Self {
        let all = &target.all;
        Self {
            place: all.place.as_ref().map(|place| Location::new(place, place.short())),
            kind: all.kind.name(),
            processes: target.processes as u64,
            calls: all.calls,
            unfinished: all.unfinished,
            time_ns: all.time_ns,
            max_ns: target.max_ns,
            slowest: target.slowest as u64,
            kernels: all.kernels,
            kernel_ns: all.kernel_ns,
            to_bytes: all.to_bytes,
            from_bytes: all.from_bytes,
        }
    }
}
