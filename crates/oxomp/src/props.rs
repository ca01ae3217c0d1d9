//! The command line as plain data.

use std::ffi::OsString;
use std::path::PathBuf;

/// One call of `oxomp`.
#[derive(Debug)]
pub(crate) enum Command {
    Run(RunProps),
    Profile(ProfileProps),
    Report(ReportProps),
    Doctor(DoctorProps),
}

/// `oxomp run`.
#[derive(Debug)]
pub(crate) struct RunProps {
    pub(crate) verbose: bool,
    /// The program and its arguments; never empty.
    pub(crate) program: Vec<OsString>,
}

/// `oxomp profile`.
#[derive(Debug)]
pub(crate) struct ProfileProps {
    pub(crate) verbose: bool,
    /// Where the data goes; `None`: a new folder named for the program.
    pub(crate) output: Option<PathBuf>,
    pub(crate) runtime: RuntimePolicy,
    /// The program and its arguments; never empty.
    pub(crate) program: Vec<OsString>,
}

/// `oxomp report`.
#[derive(Debug)]
pub(crate) struct ReportProps {
    /// A file, or a folder with files.
    pub(crate) path: PathBuf,
}

/// `oxomp doctor`.
#[derive(Debug)]
pub(crate) struct DoctorProps {
    /// The runtime to be checked for conformity, or a folder with one; `None`: the subject is the
    /// program.
    pub(crate) runtime: Option<PathBuf>,
    /// Report each check as a line of JSON.
    pub(crate) json: bool,
    /// Make only the checks whose name or group contains this.
    pub(crate) only: Option<String>,
    /// The program whose runtimes are of interest; `None`: those of the system.
    pub(crate) program: Option<OsString>,
}

/// Which OpenMP runtime a program is to be run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuntimePolicy {
    /// The program's own if it has OMPT, else ours.
    Auto,
    /// Ours.
    Oxomp,
    /// The program's own.
    Keep,
}
