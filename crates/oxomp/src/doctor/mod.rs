//! `oxomp doctor`: which OpenMP runtimes a program meets, what tools can see there, and how far a
//! runtime's OMPT conforms to the specification.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::props::DoctorProps;

mod check_line;
mod conformance;
mod examined;
mod lines;
mod probe;
mod report;
mod runtime_file;
mod runtimes;
mod subject;
mod tool_variables;

/// Reports on a runtime, a program, or the system.
pub(crate) fn doctor(props: &DoctorProps) -> Result<ExitCode, Failure> {
    match (&props.runtime, &props.program) {
        (Some(runtime), _) => conformance::check(runtime, props.json, props.only.as_deref()),
        (None, Some(program)) => subject::program(program),
        (None, None) => subject::system(),
    }
}
