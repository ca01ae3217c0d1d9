//! `oxomp debug`: what the threads of a program wait for, and who holds it.
//!
//! A process is stopped for the moment of looking, a core file is read, and a program is run under
//! a watch. `oxomp-inspect` reads the process, and `oxomp-explain` says what that means.

use std::process::ExitCode;

use oxomp_inspect::Image;

use crate::failure::Failure;
use crate::props::{DebugProps, DebugSubject};

mod live;
mod look;
mod report;
mod stillness;
mod subject;

use look::Look;
use report::Report;
use subject::Subject;

/// Explains a process or a core file, or runs a program to explain it when that is due.
pub(crate) fn debug(props: &DebugProps) -> Result<ExitCode, Failure> {
    let subject = match &props.subject {
        DebugSubject::Program(words) => return live::run(props, words),
        DebugSubject::Process(number) => subject::process(number)?,
        DebugSubject::Named(words) => subject::named(words)?,
    };
    let mut report = Report::new(props.output.as_deref(), Report::Stdout)?;
    // The process goes on before anything is written: the reader may be slow.
    let look = match &subject {
        Subject::Process(pid) => Look::of_running(|| Image::stop(pid.as_raw_nonzero().get())),
        Subject::Core { path, executable } => Look::of(Image::core(path, executable.as_deref())),
    };
    report.write(&look?.text(report.style()))?;
    Ok(ExitCode::SUCCESS)
}
