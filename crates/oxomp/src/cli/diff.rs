//! `oxomp diff` on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use oxomp_compare::{Gate, Group};

use crate::props::DiffProps;

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp profile --repeat 5 -o before -- ./solver
  (change the program)
  oxomp profile --repeat 5 -o after -- ./solver
  oxomp diff before after                what became faster or slower, beyond noise?
  oxomp diff before after --fail-on any  in CI: no construct may become slower either
  oxomp diff --json before after         a document for programs; its README has the schema
  oxomp diff --threshold 10% one.oxp other.oxp
                                         single runs: their noise is unknown
  oxomp diff scale-1 scale-2             two folders of `oxomp scale`: each number of threads

The two are files, folders that `oxomp profile` wrote, or folders of its repeated runs. Constructs
are matched by function, order and line: edited programs can be compared. A change counts if it is
above the threshold and, where there are three runs or more of each, beyond the noise between them.
A construct's change has to be above 1 % of the wall time, too.

EXIT STATUS: 0 if nothing that --fail-on names has become worse, 1 if something has; 125 if oxomp
failed, or some of the runs could not be read.";

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The recording before the change: a .oxp file, or a folder that `oxomp profile` wrote
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The recording after it
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// Smaller changes do not count
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = share)]
    threshold: f64,
    /// What must not become worse, several separated by commas
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_value = "wall")]
    fail_on: Vec<GateArg>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GateArg {
    /// The wall time
    Wall,
    /// The CPU time
    Cpu,
    /// The parallel efficiency
    Efficiency,
    /// The wall time of a region
    Region,
    /// The time in a loop, or sections
    Loop,
    /// The time of a construct's tasks
    Tasks,
    /// The wait for a lock, critical, ordered or atomic
    Lock,
    /// The wait at a barrier inside a region
    Barrier,
    /// The time in a target construct
    Target,
    /// Code between two regions
    Serial,
    /// Any of these
    Any,
    /// Nothing: the status is 0
    None,
}

impl From<DiffArgs> for DiffProps {
    fn from(args: DiffArgs) -> Self {
        Self {
            before: args.before,
            after: args.after,
            threshold: args.threshold,
            fail_on: args.fail_on.into_iter().flat_map(GateArg::gates).collect(),
            json: args.json,
        }
    }
}

impl GateArg {
    fn gates(self) -> Vec<Gate> {
        let group = |group| vec![Gate::Group(group)];
        match self {
            Self::Wall => vec![Gate::Wall],
            Self::Cpu => vec![Gate::Cpu],
            Self::Efficiency => vec![Gate::Efficiency],
            Self::Region => group(Group::Region),
            Self::Loop => group(Group::Loop),
            Self::Tasks => group(Group::Tasks),
            Self::Lock => group(Group::Lock),
            Self::Barrier => group(Group::Barrier),
            Self::Target => group(Group::Target),
            Self::Serial => group(Group::Serial),
            Self::Any => {
                let whole = [Gate::Wall, Gate::Cpu, Gate::Efficiency];
                whole.into_iter().chain(Group::ALL.map(Gate::Group)).collect()
            }
            Self::None => Vec::new(),
        }
    }
}

/// `5%` or `5` as a share of one.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f64 = number.parse().map_err(|_| "no number of percent".to_owned())?;
    if !(0.0..=1000.0).contains(&percent) {
        return Err("not between 0 and 1000 percent".to_owned());
    }
    Ok(percent / 100.0)
}
