//! The process, its recording, and the sums over its threads, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::threads::Classes;

/// Facts about the process and its recording.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Run {
    /// The program and its arguments.
    command: Vec<String>,
    /// Path of the executable.
    executable: String,
    /// Process id.
    pid: u32,
    /// Name of the machine.
    hostname: String,
    /// Processors that the process was allowed to use at its start.
    allowed_cpus: u32,
    /// Name and version of the OpenMP runtime, in its own words; empty if none was recorded.
    runtime: String,
    /// Path of the runtime's shared object, where it was found.
    runtime_path: Option<String>,
    /// The value of `_OPENMP`, year and month of the specification, that the runtime told.
    openmp_version: u32,
    /// Variables of the program's environment whose names begin with `OMP_`, `KMP_`, `GOMP_` or
    /// `OXOMP_`, in the environment's order.
    environment: Vec<Variable>,
    /// Start of the process, ns since 1970-01-01 00:00 UTC.
    started_unix_ns: u64,
    /// From the start of the process to the end of the recording, ns.
    wall_ns: u64,
    /// `wall_ns` without the time in which the program had paused the recording, ns; shares of a
    /// run are shares of this time.
    recorded_ns: u64,
    /// Processor time of the process, all threads, ns; null if the recording did not end with the
    /// process.
    cpu_ns: Option<u64>,
    /// The most threads that OpenMP knew at the same time, at least `max_team`.
    threads: u32,
    /// Threads in the largest team; 1 if there was no region.
    max_team: u32,
    /// True if the process went away without ending the recording (killed, crashed, `_exit`);
    /// `wall_ns` then ends at the last thing recorded.
    truncated: bool,
}

/// A variable of the environment.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Variable {
    /// Name of the variable.
    name: String,
    /// Value of the variable.
    value: String,
}

impl Run {
    pub(super) fn new(header: &summary::Header) -> Self {
        let variables = header.environment.iter();
        Self {
            command: header.command.clone(),
            executable: header.executable.clone(),
            pid: header.pid,
            hostname: header.hostname.clone(),
            allowed_cpus: header.allowed_cpus,
            runtime: header.runtime.clone(),
            runtime_path: header.runtime_path.clone(),
            openmp_version: header.omp_version,
            environment: variables
                .map(|(name, value)| Variable { name: name.clone(), value: value.clone() })
                .collect(),
            started_unix_ns: header.started_unix_ns,
            wall_ns: header.wall_ns,
            recorded_ns: header.recorded_ns,
            cpu_ns: header.cpu_ns,
            threads: header.threads,
            max_team: header.max_team,
            truncated: header.truncated,
        }
    }
}

/// Where the threads' time went.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Budget {
    /// Sum of the lifetimes of all threads that OpenMP knew, ns.
    total_ns: u64,
    /// The threads' time by class, all threads together, ns.
    classes: Classes,
    /// Sum of the classes / `total_ns`: 1.0 when every nanosecond has its class.
    accounted: f64,
    /// Useful and serial time / (`threads` · `recorded_ns`), from 0 to 1.
    parallel_efficiency: f64,
    /// Useful and serial time / `recorded_ns`: threads that did useful work on average.
    average_concurrency: f64,
}

impl Budget {
    pub(super) fn new(budget: &summary::Budget) -> Self {
        Self {
            total_ns: budget.total_ns,
            classes: Classes::new(&budget.by_class),
            accounted: budget.accounted,
            parallel_efficiency: budget.parallel_efficiency,
            average_concurrency: budget.average_concurrency,
        }
    }
}
