//! What is kept of one recording of several.

use oxomp_symbols::Place;
use oxomp_trace::Rank;
use serde::Serialize;

use crate::analysis::Analysis;
use crate::ranks::mpi::{MpiShare, as_time};
use crate::ranks::pop::Useful;
use crate::ranks::targets::JobTarget;
use crate::summary::written::as_one;
use crate::summary::{Class, Classes, Summary};

/// How many regions of a recording are kept: those with the most time.
const REGIONS: usize = 100;

/// The classes of a thread that is in a region and has a processor.
const IN_REGIONS: [Class; 8] = [
    Class::Useful,
    Class::Imbalance,
    Class::Barrier,
    Class::Mutex,
    Class::Taskwait,
    Class::Starved,
    Class::Dispatch,
    Class::ForkJoin,
];

/// One recording in brief.
// Documents put the rank's number and the recording's name before these properties.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Brief {
    /// The process's place in its job.
    #[serde(skip)]
    pub rank: Option<Rank>,
    /// Process id.
    pub pid: u32,
    /// Name of the machine.
    pub hostname: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Name and version of the OpenMP runtime, in its own words; empty if none was recorded.
    pub runtime: String,
    /// Processors that the process was allowed to use at its start.
    pub allowed_cpus: u32,
    /// Start of the process, ns since 1970-01-01 00:00 UTC.
    pub started_unix_ns: u64,
    /// The same on `CLOCK_MONOTONIC`, which the processes of a machine share, ns.
    #[serde(skip)]
    pub started_monotonic_ns: u64,
    /// From the start of the process to the end of the recording, ns.
    pub wall_ns: u64,
    /// `wall_ns` without the time in which the program had paused the recording, ns.
    pub recorded_ns: u64,
    /// Processor time of the process, all threads, ns; null if it is not known.
    pub cpu_ns: Option<u64>,
    /// The most threads that OpenMP knew at the same time.
    pub threads: u32,
    /// Threads in the largest team; 1 if there was no region.
    pub max_team: u32,
    /// Sum of the lifetimes of all threads, ns.
    pub total_ns: u64,
    /// The threads' time by class, all threads together, ns.
    // By position in `Class::ALL`.
    #[serde(rename = "classes", serialize_with = "as_one::<Classes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Classes"))]
    pub by_class: [u64; Class::COUNT],
    /// Time of the first thread inside regions, its waits for the process's own threads included,
    /// without time that it lacked a processor, ns.
    // Also without the time for which a thread that it waited for lacked one.
    pub in_regions_ns: u64,
    /// Time of the first thread outside every region, MPI's calls included, ns.
    pub outside_ns: u64,
    /// Time of the first thread in MPI's functions, ns: that of the calls if `mpi_is_timed`, else
    /// estimated by samples; null without both.
    // The samples by function are in documents for the job as a whole.
    #[serde(rename = "mpi_ns", serialize_with = "as_time")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub mpi: Option<MpiShare>,
    /// True if the calls of MPI's functions were timed.
    pub mpi_is_timed: bool,
    /// What recording took the threads, ns; null if it is not known.
    pub recording_ns: Option<u64>,
    /// True if the process went away without ending the recording.
    pub truncated: bool,
    /// True if events, or parts of the file, are missing.
    pub damaged: bool,
    /// False if the process used neither OpenMP nor, as far as its calls were timed, MPI.
    pub active: bool,
    /// The part of [`Brief::outside_ns`] in which it waited without a processor, ns; a lower bound.
    #[serde(skip)]
    pub waited_ns: u64,
    /// The useful computation of its threads.
    #[serde(skip)]
    pub useful: Useful,
    /// Whether counts of the recording disagree with each other.
    #[serde(skip)]
    pub disagrees: bool,
    /// The change to try first in this process, in words, if the caller has told it.
    #[serde(skip)]
    pub first: Option<String>,
    /// The number of its events in [`JobEvents`](super::JobEvents), if they were added.
    #[serde(skip)]
    pub events: Option<u32>,
    /// The regions of the most time.
    #[serde(skip)]
    pub regions: Vec<BriefRegion>,
    /// The constructs for devices of the most time, of this process alone.
    #[serde(skip)]
    pub targets: Vec<JobTarget>,
}

/// A parallel construct in one recording.
#[derive(Debug, Clone, PartialEq)]
pub struct BriefRegion {
    /// The construct's name.
    pub place: Option<Place>,
    /// How many instances there were.
    pub calls: u64,
    /// Their time, ns.
    pub wall_ns: u64,
    /// What could be won inside them, ns.
    pub gain_ns: u64,
    /// Whether all instances were inside another region.
    pub nested: bool,
}

impl Brief {
    /// The recording in brief.
    #[must_use]
    pub fn new(analysis: &Analysis) -> Self {
        let Summary { header, budget, threads, quality, .. } = &analysis.summary;
        let summary = &analysis.summary;
        let start = analysis.profile.header.start_monotonic_ns;
        let first = threads.iter().find(|thread| thread.initial);
        let mut regions: Vec<BriefRegion> = summary
            .regions
            .iter()
            .map(|region| BriefRegion {
                place: region.site.and_then(|site| analysis.places.get(site.0 as usize)).cloned(),
                calls: region.calls,
                wall_ns: region.wall_ns,
                gain_ns: region.gain.total_ns(),
                nested: region.nested == region.calls,
            })
            .collect();
        regions.sort_by_cached_key(|region| std::cmp::Reverse(region.wall_ns));
        regions.truncate(REGIONS);
        let outside_ns = first.map_or(0, |first| {
            let of = |class: Class| first.by_class[class as usize];
            of(Class::Serial) + of(Class::SerialWait)
        });
        Self {
            rank: analysis.profile.info.rank.clone(),
            hostname: header.hostname.clone(),
            pid: header.pid,
            command: header.command.clone(),
            runtime: header.runtime.clone(),
            started_unix_ns: header.started_unix_ns,
            started_monotonic_ns: start.saturating_sub(analysis.profile.info.age_ns),
            wall_ns: header.wall_ns,
            recorded_ns: header.recorded_ns,
            cpu_ns: header.cpu_ns,
            threads: header.threads,
            max_team: header.max_team,
            allowed_cpus: header.allowed_cpus,
            total_ns: budget.total_ns,
            by_class: budget.by_class,
            in_regions_ns: first.map_or(0, |first| {
                IN_REGIONS.iter().map(|class| first.by_class[*class as usize]).sum()
            }),
            outside_ns,
            waited_ns: first.map_or(0, |first| first.by_class[Class::SerialWait as usize]),
            recording_ns: (!quality.recording.is_empty()).then(|| quality.recording_ns()),
            truncated: header.truncated,
            damaged: !quality.damaged.is_empty()
                || quality.lost_events > 0
                || quality.stopped.is_some(),
            first: None,
            disagrees: !quality.disagreements.is_empty(),
            // An excerpt may have none of the program's regions.
            active: summary.header.excerpt.is_some()
                || !summary.regions.is_empty()
                || !summary.mpi.is_empty()
                || !summary.offload.is_empty()
                || !summary.mutexes.is_empty()
                || !summary.barriers.is_empty()
                || quality.stopped.is_some(),
            mpi: MpiShare::new(&summary.mpi, &analysis.calls, outside_ns),
            mpi_is_timed: !summary.mpi.is_empty(),
            useful: Useful::of(analysis),
            events: None,
            regions,
            targets: JobTarget::of(analysis),
        }
    }

    /// Nanoseconds of `class`.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        self.by_class[class as usize]
    }

    /// The first thread's time in MPI's functions, ns ([`MpiShare::ns`]); `None` if it is not
    /// known.
    #[must_use]
    pub fn mpi_ns(&self) -> Option<u64> {
        self.mpi.as_ref().map(|share| share.ns)
    }

    /// The time in which the process computed, ns: in regions, and outside of them if
    /// `mpi_is_known`, without the calls of MPI. Where these were timed it is all the time without
    /// them.
    #[must_use]
    pub fn compute_ns(&self, mpi_is_known: bool) -> u64 {
        match &self.mpi {
            // A call in which the thread lacked a processor is a call, too.
            Some(MpiShare { timed: Some(_), ns, .. }) if mpi_is_known => {
                self.recorded_ns.saturating_sub(*ns)
            }
            // Samples do not tell of waits without a processor.
            Some(share) if mpi_is_known => {
                self.in_regions_ns + self.outside_ns.saturating_sub(share.ns.max(self.waited_ns))
            }
            _ => self.in_regions_ns,
        }
    }

    /// Whether MPI's part of the serial time of a rank is unknown.
    #[must_use]
    pub fn is_mpi_unknown(&self) -> bool {
        self.rank.is_some() && self.mpi.is_none()
    }

    /// What the threads worked, in regions and outside of them, ns: as in a single report
    /// ([`Budget::work_ns`](crate::summary::Budget::work_ns)), without MPI's calls. Where they
    /// cannot be told from serial work, work in regions alone.
    #[must_use]
    pub fn work_ns(&self) -> u64 {
        // Part of the time in MPI is waiting already.
        let mpi = self.mpi_ns().unwrap_or(0).saturating_sub(self.waited_ns);
        let serial = self.class_ns(Class::Serial).saturating_sub(mpi);
        self.class_ns(Class::Useful) + if self.is_mpi_unknown() { 0 } else { serial }
    }
}

/// The class in which most of the time was lost; `None` if no time was lost.
#[must_use]
pub fn most_lost(by_class: &[u64; Class::COUNT]) -> Option<Class> {
    let is_loss = |class: &Class| !matches!(class, Class::Useful | Class::Serial | Class::Paused);
    let most = Class::ALL.into_iter().filter(is_loss).max_by_key(|class| by_class[*class as usize]);
    most.filter(|class| by_class[*class as usize] > 0)
}
