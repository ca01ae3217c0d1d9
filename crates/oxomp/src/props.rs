//! The command line as plain data.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// One call of `oxomp`.
#[derive(Debug)]
pub(crate) enum Command {
    Run(RunProps),
    Profile(ProfileProps),
    Report(ReportProps),
    /// `oxomp report --json-schema`.
    JsonSchema,
    Doctor(DoctorProps),
    Debug(DebugProps),
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
    /// What is written instead of the text, and where to; without a place, beside the recording.
    pub(crate) outputs: Vec<(Format, Option<PathBuf>)>,
}

/// A form in which other programs read a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// The numbers of the summary, by a schema.
    Json,
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

/// `oxomp debug`.
#[derive(Debug)]
pub(crate) struct DebugProps {
    pub(crate) subject: DebugSubject,
    /// The file that the text is written to; `None`: a standard stream.
    pub(crate) output: Option<PathBuf>,
    /// A program that has made no progress for so long is looked at.
    pub(crate) after: Duration,
    /// A deadlock ends the program.
    pub(crate) end_on_deadlock: bool,
    pub(crate) verbose: bool,
}

/// The words that say what is to be explained.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DebugSubject {
    /// The number of a process.
    Process(OsString),
    /// The number of a process, or a core file and perhaps its program; never empty.
    Named(Vec<OsString>),
    /// A program to be run, and its arguments; never empty.
    Program(Vec<OsString>),
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
