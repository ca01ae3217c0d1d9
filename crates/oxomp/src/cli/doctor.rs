//! `oxomp doctor` on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::props::DoctorProps;

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp doctor                           the runtimes of this system, and oxomp's own
  oxomp doctor -- ./solver               which runtimes would the program load, which one wins, do
                                         OMPT and OMPD work there, and what do OMP_TOOL,
                                         OMP_TOOL_LIBRARIES and OMP_DEBUG lead to?
  oxomp doctor --runtime /usr/lib/llvm-22/lib
                                         do that runtime's OMPT and OMPD conform? one line a check
  oxomp doctor --runtime libomp.so.5 --only states
                                         the checks whose name or group contains `states`

A check is `ok`, `missing` (the runtime lacks it) or `wrong` (with what was seen), and names the
clause of the OpenMP specification. It makes the calls of compiled programs, clang's or gcc's, in a
process of its own: no compiler is needed, and a runtime that crashes or hangs is a finding.
`skipped`: no program of that compiler, or with that construct, runs on the runtime, or it has no
device there. `refused`: the check was not made, since this machine refuses threads or signals; that
is no fault of the runtime.

EXIT STATUS: 0 if nothing is missing or wrong and there is no warning, else 1; 125 if oxomp failed,
or if the machine refused checks and the others found nothing; 126 if the program cannot be run, 127
if there is no such program.";

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Check this runtime for conformity: a folder that holds one, or a file
    #[arg(long, value_name = "DIR_OR_FILE", conflicts_with = "program")]
    runtime: Option<PathBuf>,
    /// Report each check as a line of JSON
    #[arg(long, requires = "runtime", conflicts_with = "program")]
    json: bool,
    /// Only the checks whose name or group contains TEXT
    #[arg(long, value_name = "TEXT", requires = "runtime", conflicts_with = "program")]
    only: Option<String>,
    /// The program; its arguments may follow, and have no effect
    #[arg(value_name = "PROGRAM", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(super) program: Vec<OsString>,
}

impl From<DoctorArgs> for DoctorProps {
    fn from(args: DoctorArgs) -> Self {
        Self {
            runtime: args.runtime,
            json: args.json,
            only: args.only,
            program: args.program.into_iter().next(),
        }
    }
}
