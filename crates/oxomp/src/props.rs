//! The command line as plain data.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use oxomp_analysis::summary::Scope;
use oxomp_compare::Gate;
use oxomp_export::Extent;

use crate::part::Part;
use crate::trigger::Trigger;

/// One call of `oxomp`.
#[derive(Debug)]
pub(crate) enum Command {
    Run(RunProps),
    Profile(ProfileProps),
    /// `oxomp profile --pid`.
    Attach(AttachProps),
    Top(TopProps),
    Report(ReportProps),
    /// `oxomp report --json-schema`.
    JsonSchema(DocumentKind),
    Diff(DiffProps),
    Scale(ScaleProps),
    Advise(AdviseProps),
    Doctor(DoctorProps),
    Debug(DebugProps),
    Paths(PathsProps),
    Generate(GenerateProps),
}

/// The kinds of JSON documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    /// Of one process.
    Process,
    /// Of several processes side by side.
    Job,
    /// Of a program at several numbers of threads.
    Scale,
}

/// `oxomp run`.
#[derive(Debug)]
pub(crate) struct RunProps {
    pub(crate) verbose: bool,
    /// The program and its arguments; never empty.
    pub(crate) program: Vec<OsString>,
}

/// `oxomp profile`.
#[derive(Debug, Clone)]
pub(crate) struct ProfileProps {
    pub(crate) verbose: bool,
    /// Where the data goes; `None`: a new folder named for the program.
    pub(crate) output: Option<PathBuf>,
    /// How often the program is to be run; `None`: once, into the folder itself.
    pub(crate) repeat: Option<u32>,
    pub(crate) runtime: RuntimePolicy,
    /// Call paths sampled per second of a thread; 0: none; `None`: as the collector sees fit.
    pub(crate) hz: Option<u32>,
    /// The names of counters that threads read with each sample; `None`: no counters.
    pub(crate) counters: Option<String>,
    /// What happens is shown meanwhile, at this interval; `None`: it is not.
    pub(crate) live: Option<Duration>,
    /// Only the last seconds are recorded; `None`: all is.
    pub(crate) last: Option<LastProps>,
    /// What happened is kept apart by slices of time, of this length at first; `None`: it is not.
    pub(crate) slices: Option<Duration>,
    /// Variables that the program is given besides.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// The program and its arguments; never empty.
    pub(crate) program: Vec<OsString>,
}

/// A recording of the last seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastProps {
    /// How long what happens is kept.
    pub(crate) last: Duration,
    /// Regions that take longer than this make it be written.
    pub(crate) triggers: Vec<Trigger>,
}

/// `oxomp profile --pid`.
#[derive(Debug)]
pub(crate) struct AttachProps {
    pub(crate) verbose: bool,
    /// The process.
    pub(crate) pid: u32,
    /// How long it is recorded; `None`: until the user interrupts or the process ends.
    pub(crate) duration: Option<Duration>,
    /// As of [`ProfileProps`].
    pub(crate) output: Option<PathBuf>,
    /// As of [`ProfileProps`].
    pub(crate) hz: Option<u32>,
    /// As of [`ProfileProps`].
    pub(crate) counters: Option<String>,
    /// As of [`ProfileProps`].
    pub(crate) live: Option<Duration>,
    /// As of [`ProfileProps`].
    pub(crate) last: Option<LastProps>,
    /// As of [`ProfileProps`].
    pub(crate) slices: Option<Duration>,
}

/// `oxomp top`.
#[derive(Debug)]
pub(crate) struct TopProps {
    /// The process.
    pub(crate) pid: u32,
    /// The time between two views.
    pub(crate) interval: Duration,
    /// How many views there are; `None`: until the user interrupts or the process ends.
    pub(crate) count: Option<u32>,
}

/// `oxomp report`.
#[derive(Debug)]
pub(crate) struct ReportProps {
    /// A file, or a folder with files.
    pub(crate) path: PathBuf,
    /// What is written instead of the text, and where to; without a place, beside the recording.
    pub(crate) outputs: Vec<(Format, Option<PathBuf>)>,
    /// The part of the run that is shown.
    pub(crate) scope: Scope,
    /// The part of the run that timelines show, and their size.
    pub(crate) extent: Extent,
}

/// A form in which other programs read a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A page for a browser.
    Html,
    /// The numbers of the summary, by a schema.
    Json,
    /// The summary as tables, one file each, in a folder.
    Csv,
    /// The timeline as a Perfetto trace.
    Perfetto,
    /// The timeline and the samples as a profile of the Firefox Profiler.
    Firefox,
    /// The timeline as Chrome's trace JSON.
    Chrome,
    /// The timeline as an archive of the Open Trace Format 2, in a folder.
    Otf2,
    /// The samples as collapsed stacks.
    Collapsed,
    /// The samples as a file of speedscope.
    Speedscope,
    /// The samples as a profile of pprof.
    Pprof,
}

/// `oxomp diff`.
#[derive(Debug)]
pub(crate) struct DiffProps {
    /// A file, a folder with files, or a folder of repeated runs.
    pub(crate) before: PathBuf,
    /// Like `before`, for the program that is to be judged.
    pub(crate) after: PathBuf,
    /// The least change that counts, as a share of what it is a change of.
    pub(crate) threshold: f64,
    /// The changes for the worse that the exit status tells.
    pub(crate) fail_on: Vec<Gate>,
    /// Print JSON.
    pub(crate) json: bool,
}

/// `oxomp scale`.
#[derive(Debug)]
pub(crate) struct ScaleProps {
    pub(crate) subject: ScaleSubject,
    /// Where the JSON document goes.
    pub(crate) json: Option<PathBuf>,
    /// Where the page for a browser goes.
    pub(crate) html: Option<PathBuf>,
}

/// What `oxomp scale` shows.
#[derive(Debug)]
pub(crate) enum ScaleSubject {
    /// A folder with runs.
    Folder(PathBuf),
    /// A program to be run.
    Program {
        /// The program and its arguments; never empty.
        program: Vec<OsString>,
        /// The numbers of threads; empty: as many as make sense.
        threads: Vec<u32>,
        /// The runs of each number of threads.
        repeat: u32,
        /// Where the data goes; `None`: a new folder named for the program.
        output: Option<PathBuf>,
        runtime: RuntimePolicy,
        verbose: bool,
    },
}

/// `oxomp advise`.
#[derive(Debug)]
pub(crate) struct AdviseProps {
    pub(crate) subject: AdviseSubject,
    /// A number of threads to predict the run for.
    pub(crate) threads: Option<u32>,
    /// Only regions whose place contains this.
    pub(crate) region: Option<String>,
    pub(crate) json: bool,
}

/// What `oxomp advise` is to advise on.
#[derive(Debug)]
pub(crate) enum AdviseSubject {
    /// A file, or a folder with files.
    Recording(PathBuf),
    /// A program to be recorded first.
    Program {
        /// The program and its arguments; never empty.
        program: Vec<OsString>,
        /// Where the data goes; `None`: a new folder named for the program.
        output: Option<PathBuf>,
        runtime: RuntimePolicy,
    },
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
    /// A program that has made no progress for this long is looked at.
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

/// `oxomp paths`.
#[derive(Debug)]
pub(crate) struct PathsProps {
    /// The part whose path is printed; `None`: a table of all.
    pub(crate) part: Option<Part>,
}

/// `oxomp generate`.
#[derive(Debug)]
pub(crate) enum GenerateProps {
    /// Manual pages, into this folder.
    Man(PathBuf),
    /// Completions, on standard output.
    Completions(Shell),
}

/// A shell that completes command lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
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
