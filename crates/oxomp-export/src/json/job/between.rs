//! How the processes of a job stand to each other.

use oxomp_analysis::ranks;
use serde::Serialize;

/// How evenly the ranks compute.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Between {
    /// True if the time in MPI is known and left out of the times below; if not, they are those in
    /// regions.
    without_mpi: bool,
    /// Mean of the ranks' times, ns.
    mean_ns: u64,
    /// The longest of them, ns.
    max_ns: u64,
    /// The shortest of them, ns.
    min_ns: u64,
    /// `mean_ns` / `max_ns`: 1.0 is perfect; null if nobody computed.
    balance: Option<f64>,
    /// The process with the longest time.
    slowest: u64,
    /// The process with the shortest time.
    fastest: u64,
    /// The region in which the slowest rank is furthest above the mean; null if there is none.
    region: Option<Farthest>,
}

/// A region in which one rank takes longer than the others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Farthest {
    /// The region: a position in `regions`.
    region: u64,
    /// Time of the slowest rank in it, ns.
    slowest_ns: u64,
    /// Mean over all ranks, ns.
    mean_ns: u64,
}

impl Between {
    pub(super) fn new(between: &ranks::Between, job: &ranks::Job) -> Self {
        let fastest = &job.processes[between.fastest];
        Self {
            without_mpi: between.without_mpi,
            mean_ns: between.mean_ns,
            max_ns: between.max_ns,
            min_ns: fastest.compute_ns(between.without_mpi),
            balance: (between.max_ns > 0).then(|| between.mean_ns as f64 / between.max_ns as f64),
            slowest: between.slowest as u64,
            fastest: between.fastest as u64,
            region: between.region.map(|(region, slowest_ns, mean_ns)| Farthest {
                region: region as u64,
                slowest_ns,
                mean_ns,
            }),
        }
    }
}
