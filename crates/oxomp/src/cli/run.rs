//! `oxomp run` on the command line.

use clap::Args;

use super::program::ProgramArgs;
use crate::props::RunProps;

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp run -- ./solver -n 1000
  OMP_NUM_THREADS=4 oxomp run -- ./solver
  oxomp run -v -- ./solver               which library was put where, and is it the one in use?
  oxomp run -- python3 train.py          our runtime comes before copies that wheels bundle

EXIT STATUS: the program's; 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Say what is done: the runtime and why, the variables set, the libraries in use
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    pub(super) program: ProgramArgs,
}

impl From<RunArgs> for RunProps {
    fn from(args: RunArgs) -> Self {
        Self { verbose: args.verbose, program: args.program.program }
    }
}
