//! `oxomp top` on the command line.

use std::time::Duration;

use clap::Args;

use super::seconds::seconds;
use crate::props::TopProps;

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp top 4711                         what do the threads of process 4711 do? every two seconds
  oxomp top --interval 0.5 4711          twice a second
  oxomp top -n 1 --interval 10 4711      one view of ten seconds, for a script

Each view is of the time since the one before: where the threads' time went, by class; the regions
that ended, with what could be won in them; barriers and locks; and each thread, with what it does
at the moment and for how long already. Regions that last longer than a view are named there, and
in the table of regions when they end. The longest waits are those since the first view.

The process has to run on oxomp's runtime, for instance started by `oxomp run`, and without another
OMPT tool. It takes the right to ptrace(2) it, and does not stop it. The collector adds up, and
records neither events nor samples; `oxomp profile --pid` does.

On a terminal each view takes the place of the one before, elsewhere they follow each other. Ctrl-C
ends it.

EXIT STATUS: 0, also if the process ends; 125 if it cannot be looked at.";

#[derive(Debug, Args)]
pub(super) struct TopArgs {
    /// Seconds between two views
    #[arg(short, long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    interval: Duration,
    /// How many views; by default until Ctrl-C
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// The process
    #[arg(value_name = "PID", value_parser = clap::value_parser!(u32).range(1..))]
    pid: u32,
}

impl From<TopArgs> for TopProps {
    fn from(args: TopArgs) -> Self {
        Self { pid: args.pid, interval: args.interval, count: args.count }
    }
}
