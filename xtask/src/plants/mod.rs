//! `cargo xtask plants`: what the profiler's first advice predicts, against what following it wins.

mod conclusion;
mod load;
mod measure;
mod platform;
mod program;
mod stated;
mod tally;

use std::path::PathBuf;

use anyhow::{Result, bail};
use oxomp_build::dist::{self, Dist, DistRequest, Profile};
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::Prerequisite;
use oxomp_testing::plant::Plant;

use crate::packages;
use load::Load;
use measure::{Setting, measure};
use platform::{Compiler, Runtime};
use tally::Tally;

/// Shown under `cargo xtask plants --help`.
pub const EXAMPLES: &str = "\
What it does, for each program in tests/profiler/plants:
  profile    builds it, runs it under `oxomp profile`, takes the first advice and its gain
  judge      the advice is right if it names a line of the plant and says what the file demands
  repair     builds it with -DREPAIRED (a script: runs it with REPAIRED=1)
  time       runs both without the profiler, by turns; the gain is the median of the pairs' ones
  advise     takes what `oxomp advise` predicts on the same recording, where the repair is one that
             it replays (the file says so)
  print      a line of a Markdown table

A gain is within what is stated if the range of the pairs' gains meets the stated interval: from
nothing to a bound (≤), or an estimate and its error (±). The gain's true median lies in that range
in 15 of 16 measurements; of nine pairs, the least and the largest gain do not belong to it, of 15
three on either side. A range of more than 15 % of the program's time is judged by only if all of it
lies inside the stated interval or all outside, and the command fails if that is not so of more than
one program of ten. The column most ÷ measured has the bound, or the estimate and its error, by the
measured gain: it shows what holds by being loose.
The last line counts, and the command fails if fewer than nine of ten first advices are right, or
fewer than nine of ten gains within what is stated. Run it on a machine that does nothing else, or
with processes of its own that compute beside the programs, by --loaded. Under a real-time priority
(chrt) the programs starve the profiler's own thread.

Examples:
  cargo xtask plants
  cargo xtask plants --only tasks,barriers --runs 15
  cargo xtask plants --loaded 2              beside two busy processes
  cargo xtask plants --compiler clang --runtime keep
  cargo xtask plants --dist dist             with what `cargo xtask dist` has made, without a build";

/// What to run.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Run only programs whose names contain one of these texts.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// How often the program and its repair are timed.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The compilers of the programs.
    #[arg(long, value_enum, default_value_t = Compiler::Gcc)]
    compiler: Compiler,
    /// The runtime that the programs run on: oxomp's, or the one that their compiler links.
    #[arg(long, value_enum, default_value_t = Runtime::Oxomp)]
    runtime: Runtime,
    /// How many processes compute beside the programs, as important as they are.
    #[arg(long, default_value_t = 0, value_name = "N")]
    loaded: u32,
    /// A folder of `cargo xtask dist`; without, the release is built.
    #[arg(long)]
    dist: Option<PathBuf>,
}

/// Runs the programs and prints the table, line by line; fails if too little of it is right.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let plants: Vec<Plant> = Plant::all(&workspace.root)?
        .into_iter()
        .filter(|plant| {
            request.only.is_empty() || request.only.iter().any(|part| plant.file().contains(part))
        })
        .collect();
    if plants.is_empty() {
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
    let _load = Load::start(request.loaded)?;
    println!("{}", measure::HEADING);
    let mut tally = Tally::default();
    for (number, plant) in plants.iter().enumerate() {
        eprintln!("{} of {}: {}", number + 1, plants.len(), plant.file());
        let (line, outcome) = measure(plant, &setting)?;
        println!("{line}");
        tally.add(&outcome);
    }
    println!("\n{tally}");
    if !tally.suffices() {
        bail!("fewer than nine of ten first advices are right, or gains within what is stated");
    }
    Ok(())
}
