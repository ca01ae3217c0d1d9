//! Several processes of one run, as a document of its own beside those of the processes.

use oxomp_analysis::ranks::{
    self, JobRegion, JobTarget, MpiCall, Oversubscription, Pop, RankImbalance,
};
use oxomp_analysis::report::{job_advice, job_bounds_hold};
use oxomp_analysis::summary::{Class, Classes};
use serde::Serialize;

use super::conclusions::Advice;
use super::version::JOB_SCHEMA_VERSION;
use located::Located;
use process::Process;
use waits::Waits;

mod located;
mod process;
mod waits;

/// Facts about a job beyond its recordings.
#[derive(Debug, Clone, Copy)]
pub struct JobFacts<'a> {
    /// What is amiss with the recordings, in words.
    pub warnings: &'a [String],
    /// How to see one process: the command's words for each one, in the order of
    /// [`ranks::Job::processes`].
    pub commands: &'a [String],
    /// The names of the processes' files, in the same order.
    pub recordings: &'a [String],
}

/// The recorded processes of one run side by side: the ranks of a parallel job, or a program and
/// its children. Each process has a document of its own besides. Times are in nanoseconds, named
/// `…_ns`. A quantity that was not measured is null, never zero. Processes are named by their
/// position in `processes`, from 0.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct JobDocument<'a> {
    /// Version of this schema, `MAJOR.MINOR.PATCH`: a reader needs to know the first part.
    schema_version: &'static str,
    /// Always `job`: the document of a single process has no such property.
    document: &'static str,
    /// The program that wrote the document, and its version.
    producer: String,
    /// True if the processes are ranks of a parallel job.
    has_ranks: bool,
    /// How many ranks there should be; null without ranks, or if no launcher told.
    ranks: Option<u32>,
    /// Ranks of which there is no recording.
    missing_ranks: &'a [u32],
    /// True if the recordings come from more than one job.
    mixed: bool,
    /// What is amiss with the recordings, in words: ranks that were killed, or have not ended.
    warnings: &'a [String],
    /// From the start of the longest process to its end, ns.
    wall_ns: u64,
    /// Processor time of all processes, ns; null if it is not known of one of them.
    cpu_ns: Option<u64>,
    /// Sum of the lifetimes of all threads of all processes, ns.
    total_ns: u64,
    /// The threads' time by class, all processes together, ns.
    classes: Classes,
    /// What recording took the threads of all processes, ns; null if it is not known of one.
    recording_ns: Option<u64>,
    /// Mean part of the processes' time that is spent in MPI, from 0 to 1; null if it is not known.
    mpi_share: Option<f64>,
    /// True if lost time is an upper bound of what a change wins: every thread had a processor.
    bounds_hold: bool,
    /// What to try first, for the job as a whole.
    advice: Advice,
    /// The efficiencies of POP's hybrid multiplicative model; null unless the calls of MPI were
    /// timed in all ranks.
    pop: Option<Pop>,
    /// How evenly the ranks compute; null for fewer than two ranks.
    between: Option<&'a RankImbalance>,
    /// The processes, by rank, then by start; those without a rank come first.
    processes: Vec<Process<'a>>,
    /// The parallel constructs of all processes, by time, largest first.
    regions: Vec<Located<'a, JobRegion>>,
    /// The constructs for devices of all processes, by time, largest first.
    target_constructs: Vec<Located<'a, JobTarget>>,
    /// MPI's functions, largest share first; empty if nothing is known of them.
    mpi: &'a [MpiCall],
    /// The time in MPI's calls in which ranks waited for others; null if nothing was recorded of
    /// it.
    mpi_waits: Option<Waits<'a>>,
    /// Machines on which threads lacked processors.
    oversubscribed: &'a [Oversubscription],
}

impl<'a> JobDocument<'a> {
    pub(super) fn new(job: &'a ranks::Job, facts: JobFacts<'a>, producer: &str) -> Self {
        let processes = job.processes.iter();
        let recordings = facts.recordings.iter().map(|name| Some(name.as_str()));
        let recordings = recordings.chain(std::iter::repeat(None));
        let regions = job.regions.iter().map(|row| Located::new(row.place.as_ref(), row));
        let targets = job.targets.iter().map(|row| Located::new(row.place.as_ref(), row));
        Self {
            schema_version: JOB_SCHEMA_VERSION,
            document: "job",
            producer: producer.to_owned(),
            has_ranks: job.has_ranks(),
            ranks: job.size,
            missing_ranks: &job.missing,
            mixed: job.mixed,
            warnings: facts.warnings,
            wall_ns: job.wall_ns(),
            cpu_ns: processes.clone().map(|one| one.cpu_ns).sum(),
            total_ns: processes.clone().map(|one| one.total_ns).sum(),
            classes: Classes(Class::ALL.map(|class| job.class_ns(class))),
            recording_ns: job.recording_ns(),
            mpi_share: job.mpi_share(),
            bounds_hold: job_bounds_hold(job),
            advice: Advice::of_job(job_advice(job, facts.commands)),
            pop: job.pop,
            between: job.imbalance.as_ref(),
            processes: processes.zip(recordings).map(|(one, at)| Process::new(one, at)).collect(),
            regions: regions.collect(),
            target_constructs: targets.collect(),
            mpi: &job.mpi,
            mpi_waits: job.waits.as_ref().map(Waits::new),
            oversubscribed: &job.oversubscribed,
        }
    }
}
