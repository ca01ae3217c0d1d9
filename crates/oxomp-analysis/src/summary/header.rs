//! Facts about the run.

/// Facts about the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The executable's path.
    pub executable: String,
    /// Process id.
    pub pid: u32,
    /// The runtime's name and version, in its own words.
    pub runtime: String,
    /// The path of the runtime's shared object, where it was found.
    pub runtime_path: Option<String>,
    /// `_OPENMP` as the runtime told the tool.
    pub omp_version: u32,
    /// Variables of the program's environment whose names begin with `OMP_`, `KMP_`, `GOMP_`,
    /// `OXOMP_`, in the environment's order.
    pub environment: Vec<(String, String)>,
    /// Name of the machine.
    pub hostname: String,
    /// Processors the process was allowed to use at its start.
    pub allowed_cpus: u32,
    /// Start of the process, nanoseconds since 1970.
    pub started_unix_ns: u64,
    /// From the start of the process to the end of the recording, ns.
    pub wall_ns: u64,
    /// CPU time of the process, all threads; `None` if the recording did not end with the process,
    /// for it is known only at the end.
    pub cpu_ns: Option<u64>,
    /// [`Header::wall_ns`] without the intervals in which the program had
    /// paused it, ns: shares of a run are shares of this time.
    pub recorded_ns: u64,
    /// The size of the largest team; 1 if the recording has no region.
    pub max_team: u32,
    /// The most threads that the runtime knew at the same time, and at least [`Header::max_team`].
    pub threads: u32,
    /// True if the process went away without ending the recording (killed, crashed, `_exit`);
    /// [`Header::wall_ns`] then ends at the last thing recorded.
    pub truncated: bool,
}
