//! `oxomp scale` on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::program::RuntimeArg;
use crate::props::{ScaleProps, ScaleSubject};

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp scale -- ./solver -n 1000        1, 2, 4 ... threads up to the processors, three runs of each
  oxomp scale --threads 1,2,3,8 --repeat 5 -- ./solver
                                         these numbers of threads, five runs of each
  oxomp scale -o before --html scale.html -- ./solver
                                         keep the runs in `before/`, and write a page
  oxomp scale before --json=scale.json   the runs of a folder again, every number as JSON
  oxomp diff before after                two folders that `oxomp scale` wrote: which number of
                                         threads became faster or slower?
  oxomp diff before/threads-1 before/threads-8
                                         each construct with 1 and with 8 threads
  oxomp report before/threads-8/run-1    the profile of one run

The program runs under the profiler with OMP_NUM_THREADS set to each number, in turns: 1, 2, 4, 1,
2, 4 ..., so that a change of the machine meets all of them. (Of a list such as OMP_NUM_THREADS=4,2
the first number is replaced.) It has to do the same work each time. Its output passes through.

What is shown: wall time, speed-up and efficiency; Amdahl's serial part, measured as the time in no
region, and the limit that it sets; where the most threads lose their time against ideal scaling:
code outside of regions, and of each region load imbalance, waits for locks and tasks, barriers,
starting and ending, lack of processors, teams that do not grow, and work inflation, which is useful
time of the threads beyond that at the fewest; the first region that stops scaling, and why.

Numbers above the processors (of affinity, cpuset and quota) run only if --threads names them. A
program that fails or is interrupted (Ctrl-C) ends the series; the runs before are kept and shown.
Data: DIR/threads-N/run-M. `oxomp report --json-schema=scale` has the meaning of each property.

EXIT STATUS: the program's; 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

pub(super) const USAGE: &str = "\
oxomp scale [OPTIONS] [--threads N,...] [--repeat N] [-o DIR] -- PROGRAM [ARGS]...
       oxomp scale [--json FILE] [--html FILE] DIR";

#[derive(Debug, Args)]
pub(super) struct ScaleArgs {
    /// A folder that `oxomp scale` wrote: its runs are shown again
    #[arg(value_name = "DIR", required_unless_present = "program")]
    path: Option<PathBuf>,
    /// The numbers of threads [default: 1, 2, 4 ... up to the processors]
    #[arg(
        long,
        value_name = "N,...",
        value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=4096),
        conflicts_with = "path"
    )]
    threads: Vec<u32>,
    /// How many runs each number of threads has; from three, the noise is known [default: 3]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=100),
        conflicts_with = "path"
    )]
    repeat: Option<u32>,
    /// Write every number as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one HTML file to look at and to forward; `-` is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Folder for the data, created if missing; by default `oxomp-<program>-<n>`
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
    /// Say of each run what is done: the runtime and why, the variables set
    #[arg(short, long, conflicts_with = "path")]
    verbose: bool,
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", last = true, conflicts_with = "path")]
    program: Vec<OsString>,
}

/// Runs of each number of threads where the user does not say how many.
const REPEAT: u32 = 3;

impl From<ScaleArgs> for ScaleProps {
    fn from(args: ScaleArgs) -> Self {
        Self {
            subject: match args.path {
                Some(path) => ScaleSubject::Folder(path),
                None => ScaleSubject::Program {
                    program: args.program,
                    threads: args.threads,
                    repeat: args.repeat.unwrap_or(REPEAT),
                    output: args.output,
                    runtime: args.runtime.into(),
                    verbose: args.verbose,
                },
            },
            json: args.json,
            html: args.html,
        }
    }
}
