//! Why a process or core file cannot be read, and what the user can do.

use std::io;
use std::path::PathBuf;

use oxomp_arch::read::Machine;

/// The result of a question, or why there is no answer.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a process or core file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No process has this number.
    #[error("there is no process {pid}")]
    NoProcess {
        /// The process's number.
        pid: i32,
    },
    /// The process has ended while it was looked at.
    #[error("process {pid} has ended")]
    Ended {
        /// The process's number.
        pid: i32,
    },
    /// The process has ended, and waits for its parent to take notice.
    #[error("process {pid} has ended (a zombie until its parent, process {parent}, takes notice)")]
    Zombie {
        /// The process's number.
        pid: i32,
        /// Its parent's number.
        parent: i32,
    },
    /// A thread of the kernel has no memory to look at.
    #[error("process {pid} is a thread of the kernel")]
    KernelThread {
        /// The process's number.
        pid: i32,
    },
    /// The process asked for is the one that asks.
    #[error("process {pid} is this process: a process cannot stop itself")]
    OwnProcess {
        /// The process's number.
        pid: i32,
    },
    /// The process runs code of another kind.
    #[error(
        "process {pid} runs {found}: only 64-bit programs on {} can be looked at",
        Machine::INSPECTED.name()
    )]
    Foreign {
        /// The process's number.
        pid: i32,
        /// What it runs.
        found: String,
    },
    /// A debugger traces the process, and there can be only one.
    #[error(
        "process {pid} is traced by process {tracer} ({name}) already: end that one, or look with it"
    )]
    Traced {
        /// The process's number.
        pid: i32,
        /// The tracer's number.
        tracer: i32,
        /// The tracer's name.
        name: String,
    },
    /// The kernel does not allow to look at the process.
    #[error("process {pid} may not be looked at: {reason}")]
    NotAllowed {
        /// The process's number.
        pid: i32,
        /// Why, as far as it can be told, and what helps.
        reason: String,
    },
    /// Something about the process could not be read.
    #[error("process {pid}: {what}: {error}")]
    Process {
        /// The process's number.
        pid: i32,
        /// What was tried.
        what: &'static str,
        /// The system's answer.
        error: io::Error,
    },
    /// A program could not be started.
    #[error("{program} cannot be started: {error}")]
    Start {
        /// The program's name or path, as it was given.
        program: String,
        /// The system's answer.
        error: io::Error,
    },
    /// A core file could not be read.
    #[error("core file {}: {reason}", path.display())]
    Core {
        /// The file.
        path: PathBuf,
        /// Why, and what helps.
        reason: String,
    },
}
