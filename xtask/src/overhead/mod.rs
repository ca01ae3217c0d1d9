//! `cargo xtask overhead`: how much longer programs take while the collector records them.
//!
//! The programs of tests/profiler/overhead take the time of their own work. A pair is a run on the
//! runtime alone and a run under `oxomp profile`, one after the other.

mod programs;
mod table;
mod trial;

use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::programs::{PROGRAMS, Program};
use self::table::Pair;
use self::trial::Bench;
use crate::dist::{self, Dist, DistRequest, Profile};
use crate::workspace::Workspace;

/// Shown under `cargo xtask overhead --help`.
pub const EXAMPLES: &str = "\
It builds a release, compiles the programs of tests/profiler/overhead with gcc or clang-22, and runs
each in turn under `oxomp run` and `oxomp profile`. Each takes its own time, without the start of
the process and the summary. The table has the least and the median of each, the ratio of the least
ones, and the median of the pairs' ratios. The machine should have nothing else to do.

Examples:
  cargo xtask overhead                            seven pairs of each program, in a few minutes
  cargo xtask overhead --pairs 15 --only tasks    one program
  cargo xtask overhead --only tasks,fib --dist /tmp/before   an earlier build";

/// What to measure.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// How many times each program runs without and with the collector.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pairs: u32,
    /// Only these programs.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// A folder that `cargo xtask dist` made [default: a new build].
    #[arg(long, value_name = "DIR")]
    dist: Option<PathBuf>,
    /// Threads of each program [default: as many as there are processors].
    #[arg(long)]
    threads: Option<u32>,
}

/// Runs the programs and prints the table, a row as soon as it is known.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let selected = selected(&request.only)?;
    let dist = match &request.dist {
        Some(root) => Dist { root: std::path::absolute(root)? },
        None => dist::build(workspace, &DistRequest { profile: Profile::Release, out: None })?,
    };
    let folder = tempfile::tempdir()?;
    let bench = Bench { dist, folder: folder.path().to_owned(), threads: request.threads };
    print!("{}", table::HEAD);
    for program in selected {
        let binary = program.compile(&workspace.root, folder.path())?;
        let pairs = measure(&bench, program, &binary, request.pairs)?;
        progress("");
        print!("{}", table::row(program, &pairs));
    }
    Ok(())
}

/// The programs with these names; without any, all.
fn selected(names: &[String]) -> Result<Vec<&'static Program>> {
    if names.is_empty() {
        return Ok(PROGRAMS.iter().collect());
    }
    let find = |name: &String| {
        let found = PROGRAMS.iter().find(|program| program.name == name);
        let all = || PROGRAMS.map(|program| program.name).join(", ");
        found.with_context(|| format!("no program `{name}`; there are {}", all()))
    };
    names.iter().map(find).collect()
}

/// Runs the pairs; every other one begins with the collector, so that a machine that becomes slower
/// or faster meanwhile does so for both.
fn measure(bench: &Bench, program: &Program, binary: &Path, count: u32) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for number in 0..count {
        progress(&format!("{}: pair {} of {count}", program.name, number + 1));
        let run = |profiled| bench.run(program, binary, profiled);
        let (without, with) = if number % 2 == 0 {
            let without = run(false)?;
            (without, run(true)?)
        } else {
            let with = run(true)?;
            (run(false)?, with)
        };
        if without.units != with.units {
            bail!("{}: {} units, then {}", program.name, without.units, with.units);
        }
        pairs.push(Pair { without, with });
    }
    Ok(pairs)
}

/// Shows on a terminal what is being run; an empty text clears the line.
fn progress(text: &str) {
    let mut stderr = stderr();
    if stderr.is_terminal() {
        // Nothing is lost if it cannot be shown.
        let _ = write!(stderr, "\r\x1b[K{text}");
        let _ = stderr.flush();
    }
}
