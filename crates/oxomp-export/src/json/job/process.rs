//! A process of a job in brief.

use oxomp_analysis::ranks::Brief;
use oxomp_analysis::summary::Classes;
use serde::Serialize;

/// A process in brief; its own document has everything.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Process {
    /// Number in its parallel job; null without one.
    rank: Option<u32>,
    /// Name of the recording's file; null if unknown.
    recording: Option<String>,
    /// Process id.
    pid: u32,
    /// Name of the machine.
    hostname: String,
    /// The program and its arguments.
    command: Vec<String>,
    /// Name and version of the OpenMP runtime, in its own words; empty if none was recorded.
    runtime: String,
    /// Processors that the process was allowed to use at its start.
    allowed_cpus: u32,
    /// Start of the process, ns since 1970-01-01 00:00 UTC.
    started_unix_ns: u64,
    /// From the start of the process to the end of the recording, ns.
    wall_ns: u64,
    /// `wall_ns` without the time in which the program had paused the recording, ns.
    recorded_ns: u64,
    /// Processor time of the process, all threads, ns; null if it is not known.
    cpu_ns: Option<u64>,
    /// The most threads that OpenMP knew at the same time.
    threads: u32,
    /// Threads in the largest team; 1 if there was no region.
    max_team: u32,
    /// Sum of the lifetimes of all threads, ns.
    total_ns: u64,
    /// The threads' time by class, all threads together, ns.
    classes: Classes,
    /// Time of the first thread inside regions, its waits for the process's own threads included,
    /// without time that it lacked a processor, ns.
    in_regions_ns: u64,
    /// Time of the first thread outside every region, MPI's calls included, ns.
    outside_ns: u64,
    /// Time of the first thread in MPI's functions, ns, estimated by samples; null without samples.
    mpi_ns: Option<u64>,
    /// What recording took the threads, ns; null if it is not known.
    recording_ns: Option<u64>,
    /// True if the process went away without ending the recording.
    truncated: bool,
    /// True if events, or parts of the file, are missing.
    damaged: bool,
    /// False if the process did not use OpenMP.
    active: bool,
}

impl Process {
    pub(super) fn new(one: &Brief, recording: Option<&String>) -> Self {
        Self {
            rank: one.rank.as_ref().map(|rank| rank.number),
            recording: recording.cloned(),
            pid: one.pid,
            hostname: one.hostname.clone(),
            command: one.command.clone(),
            runtime: one.runtime.clone(),
            allowed_cpus: one.allowed_cpus,
            started_unix_ns: one.started_unix_ns,
            wall_ns: one.wall_ns,
            recorded_ns: one.recorded_ns,
            cpu_ns: one.cpu_ns,
            threads: one.threads,
            max_team: one.max_team,
            total_ns: one.total_ns,
            classes: Classes(one.by_class),
            in_regions_ns: one.in_regions_ns,
            outside_ns: one.outside_ns,
            mpi_ns: one.mpi_ns(),
            recording_ns: one.recording_ns,
            truncated: one.truncated,
            damaged: one.damaged,
            active: one.active,
        }
    }
}
