//! Facts about the run.

use oxomp_arch::read::Machine;
use serde::Serialize;

use super::scope::{Scope, Window};
use super::written::as_list;

/// Facts about the process and its recording.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Run"))]
pub struct Header {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Path of the executable.
    pub executable: String,
    /// Process id.
    pub pid: u32,
    /// The phase of the program of which all numbers are, with the phases inside it; null: they are
    /// of the whole recording.
    pub phase: Option<String>,
    /// The window of time of which all numbers are, from the begin of its first slice to the end of
    /// its last one; null: they are of the whole recording, or of a phase.
    pub window: Option<Window>,
    /// If these are the last seconds of a longer recording, why they were written; null: it is a
    /// recording of its own.
    pub excerpt: Option<String>,
    /// Name of the machine.
    pub hostname: String,
    /// Linux's name of the kind of processor, as `uname -m` tells it.
    pub processor: String,
    /// Processors that the process was allowed to use at its start.
    pub allowed_cpus: u32,
    /// Name and version of the OpenMP runtime, in its own words; empty if none was recorded.
    pub runtime: String,
    /// Path of the runtime's shared object, where it was found.
    pub runtime_path: Option<String>,
    /// The value of `_OPENMP`, year and month of the specification, that the runtime told.
    #[serde(rename = "openmp_version")]
    pub omp_version: u32,
    /// Variables of the program's environment whose names begin with `OMP_`, `KMP_`, `GOMP_` or
    /// `OXOMP_`, in the environment's order.
    #[serde(serialize_with = "as_list::<Variable, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Variable>"))]
    pub environment: Vec<(String, String)>,
    /// Start of the process, ns since 1970-01-01 00:00 UTC.
    pub started_unix_ns: u64,
    /// From the start of the process to the end of the recording, ns.
    pub wall_ns: u64,
    /// `wall_ns` without the time in which the program had paused the recording, ns; shares of a
    /// run are shares of this time.
    pub recorded_ns: u64,
    /// Processor time of the process, all threads, ns; null if the recording did not end with the
    /// process.
    pub cpu_ns: Option<u64>,
    /// The most threads that OpenMP knew at the same time, at least `max_team`.
    pub threads: u32,
    /// Threads in the largest team; 1 if there was no region.
    pub max_team: u32,
    /// True if the process went away without ending the recording (killed, crashed, `_exit`);
    /// `wall_ns` then ends at the last thing recorded.
    pub truncated: bool,
}

impl Header {
    /// The part of the run that all numbers are of.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match (&self.phase, self.window) {
            (Some(phase), _) => Scope::Phase(phase.clone()),
            (None, Some(window)) => Scope::Window(window),
            (None, None) => Scope::Run,
        }
    }

    /// Makes it the header of numbers of a part of the run.
    pub(crate) fn set_scope(&mut self, scope: Scope) {
        (self.phase, self.window) = match scope {
            Scope::Run => (None, None),
            Scope::Phase(phase) => (Some(phase), None),
            Scope::Window(window) => (None, Some(window)),
        };
    }

    /// The name of the processor, if this machine has another.
    #[must_use]
    pub fn foreign_processor(&self) -> Option<&str> {
        let name = self.processor.as_str();
        (!name.is_empty() && name != Machine::OWN.name()).then_some(name)
    }

    /// The name of a processor that this version does not know.
    #[must_use]
    pub fn unknown_processor(&self) -> Option<&str> {
        self.foreign_processor().filter(|name| Machine::named(name).is_none())
    }
}

/// A variable of the environment.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Variable {
    /// Name of the variable.
    name: String,
    /// Value of the variable.
    value: String,
}

impl From<&(String, String)> for Variable {
    fn from((name, value): &(String, String)) -> Self {
        Self { name: name.clone(), value: value.clone() }
    }
}
