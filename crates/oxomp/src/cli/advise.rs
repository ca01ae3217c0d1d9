//! `oxomp advise` on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::program::RuntimeArg;
use crate::props::{AdviseProps, AdviseSubject};

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp advise oxomp-solver-1            a folder that `oxomp profile` wrote
  oxomp advise -- ./solver -n 1000       record the program first, then advise
  oxomp advise --threads 16 run.oxp      what would the run take on 16 threads?
  oxomp advise --region solver.c:118 oxomp-solver-1
  oxomp advise --json oxomp-solver-1     every prediction, in ns, with its error

It replays the recorded costs of loop iterations under other schedules, and says what the region
would take, how far that can be wrong, and the text to write. Costs are known by 256 parts of the
iterations for loops of dynamic and guided schedule (up to 15 loops), by each thread's part for
static ones. Of loops of static schedule that gcc compiles nothing is seen: with schedule(runtime)
and OMP_SCHEDULE=dynamic,1 it is. Tasks: bounds from their work and their longest chain.

Memory is not replayed: if other threads than now touch the data, or more of them, iterations may
cost something else. What shows of that in the recording is said.

EXIT STATUS: 0; 125 if oxomp failed. With a program its own.";

pub(super) const USAGE: &str = "\
oxomp advise [OPTIONS] FILE_OR_DIR
       oxomp advise [OPTIONS] [-o DIR] [--runtime WHICH] -- PROGRAM [ARGS]...";

#[derive(Debug, Args)]
pub(super) struct AdviseArgs {
    /// A .oxp file, or a folder that `oxomp profile` wrote
    #[arg(value_name = "FILE_OR_DIR", required_unless_present = "program")]
    path: Option<PathBuf>,
    /// Predict the run for this number of threads too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    /// Only regions whose place contains TEXT, such as `solver.c:118`
    #[arg(long, value_name = "TEXT", conflicts_with = "json")]
    region: Option<String>,
    /// Print every prediction as JSON
    #[arg(long)]
    json: bool,
    /// Folder for the data of the program, created if missing; by default `oxomp-<program>-<n>`
    #[arg(short, long, value_name = "DIR", conflicts_with = "path")]
    output: Option<PathBuf>,
    /// The OpenMP runtime the program is run on
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        default_value_t = RuntimeArg::Auto,
        conflicts_with = "path"
    )]
    runtime: RuntimeArg,
    /// The program to be recorded, and its arguments
    #[arg(value_name = "PROGRAM", last = true, conflicts_with = "path")]
    program: Vec<OsString>,
}

impl From<AdviseArgs> for AdviseProps {
    fn from(args: AdviseArgs) -> Self {
        Self {
            subject: match args.path {
                Some(path) => AdviseSubject::Recording(path),
                None => AdviseSubject::Program {
                    program: args.program,
                    output: args.output,
                    runtime: args.runtime.into(),
                },
            },
            threads: args.threads,
            region: args.region,
            json: args.json,
        }
    }
}
