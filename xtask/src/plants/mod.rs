//! `cargo xtask plants`: what the profiler's first advice predicts, against what following it wins.

mod advice;
mod measure;
mod program;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use oxomp_prerequisites::Prerequisite;

use crate::dist::{self, Dist, DistRequest, Profile};
use crate::packages;
use crate::workspace::Workspace;
use measure::{Setting, measure};
use program::Program;

/// Shown under `cargo xtask plants --help`.
pub const EXAMPLES: &str = "\
What it does, for each program in tests/profiler/plants:
  profile    builds it, runs it under `oxomp profile`, takes the first advice and its gain
  repair     builds it with -DREPAIRED (a script: runs it with REPAIRED=1)
  time       runs both without the profiler, by turns
  print      a line of a Markdown table: the plant, the advice, the predicted and the measured gain

A predicted gain with ≤ is an upper bound. The last line says how many of the measured gains lie
within the bounds and errors that the summaries state, and 5 % of the run: nine of ten should. Compare gains in milliseconds, since the part of a predicted
one is of the profiled run, which takes longer. Run it on a machine that does nothing else, or with `chrt -r 1` in front.

Examples:
  cargo xtask plants
  cargo xtask plants --only tasks,barriers --runs 9
  cargo xtask plants --compiler clang --runtime keep
  cargo xtask plants --dist dist             with what `cargo xtask dist` has made, without a build";

/// What to run.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Run only programs whose names contain one of these texts.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// How often the program and its repair are timed.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The compilers of the programs.
    #[arg(long, value_enum, default_value_t = Compiler::Gcc)]
    compiler: Compiler,
    /// The runtime that the programs run on: oxomp's, or the one that their compiler links.
    #[arg(long, value_enum, default_value_t = Runtime::Oxomp)]
    runtime: Runtime,
    /// A folder of `cargo xtask dist`; without, the release is built.
    #[arg(long)]
    dist: Option<PathBuf>,
}

/// A family of compilers for C, C++ and Fortran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Compiler {
    Gcc,
    Clang,
}

/// The runtime under the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Runtime {
    Oxomp,
    Keep,
}

/// Runs the programs and prints the table, line by line.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let programs: Vec<Program> = program::all(&workspace.root)?
        .into_iter()
        .filter(|program| {
            request.only.is_empty() || request.only.iter().any(|part| program.name.contains(part))
        })
        .collect();
    if programs.is_empty() {
        bail!("no program of tests/profiler/plants has a name with {}", request.only.join(" or "));
    }
    let needed: Vec<Prerequisite> = program::needed(request.compiler, request.runtime);
    packages::ensure(false, &needed, |_| true)?;
    let dist = match &request.dist {
        Some(folder) => Dist { root: std::path::absolute(folder)? },
        None => dist::build(workspace, &DistRequest { profile: Profile::Release, out: None })?,
    };
    let folder = tempfile::tempdir()?;
    let setting = Setting {
        compiler: request.compiler,
        runtime: request.runtime,
        dist,
        folder: folder.path().to_owned(),
        runs: request.runs,
    };
    println!("{}", measure::HEADING);
    let (mut within, mut told) = (0, 0);
    for (number, program) in programs.iter().enumerate() {
        eprintln!("{} of {}: {}", number + 1, programs.len(), program.name);
        let line = measure(program, &setting)?;
        println!("{}", line.text);
        told += usize::from(line.is_within.is_some());
        within += usize::from(line.is_within == Some(true));
    }
    println!("\n{within} of {told} measured gains lie within what the summaries state.");
    Ok(())
}
