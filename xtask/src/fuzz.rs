//! `cargo xtask fuzz`: random programs against a model of the specification.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use clap::Subcommand;
use oxomp_testing::compiler::Family;
use oxomp_testing::fuzz::run::{self, Request as Fuzz};
use oxomp_testing::reference::References;

use oxomp_build::dist::{self, Dist, DistRequest, Profile};
use oxomp_build::workspace::Workspace;

/// Shown under `cargo xtask fuzz --help`.
pub const EXAMPLES: &str = "\
events: random nests of constructs, written as C, compiled by gcc and by clang, run with the
recorder. Every log must agree with a model of the specification, which knows the program: order,
nesting, data words, arguments, states, frames, lines. A failure names its seed, shows the lines of
the log and the clause, and keeps the program, a smaller one and the log in the target folder.

Examples:
  cargo xtask fuzz events
  cargo xtask fuzz events --programs 1000
  cargo xtask fuzz events --seed 4711 --programs 1 --compiler gcc
  cargo xtask fuzz events --compiler clang --runtime reference   # what LLVM's libomp breaks";

/// What to draw.
#[derive(Subcommand, Debug)]
pub enum Request {
    /// The events of random programs, against a model of the specification.
    #[command(after_help = EXAMPLES)]
    Events(Events),
}

/// Which programs to run.
#[derive(clap::Args, Debug)]
pub struct Events {
    /// How many programs each compiler gets.
    #[arg(long, default_value_t = 200)]
    programs: u32,
    /// The seed of the first program; the next has the next seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this compiler: gcc or clang.
    #[arg(long, value_parser = Family::parse)]
    compiler: Option<Family>,
    /// A folder with another runtime, or `reference` for Debian's libomp [default: a new build].
    #[arg(long)]
    runtime: Option<PathBuf>,
    /// The number of programs that have failed when the run ends.
    #[arg(long, default_value_t = 5)]
    failures: usize,
    /// Do not make programs that fail smaller.
    #[arg(long)]
    no_shrink: bool,
}

/// Builds the runtime and runs what is asked for.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let Request::Events(request) = request;
    let dist = dist::build(workspace, &DistRequest { profile: Profile::Testing, out: None })?;
    let folder = workspace.target.join("fuzz");
    let fuzz = Fuzz {
        programs: request.programs,
        seed: request.seed,
        compilers: request.compiler.map_or(vec![Family::Gcc, Family::Clang], |one| vec![one]),
        runtime: runtime(request, &dist, &folder)?,
        recorder: dist.recorder(),
        folder: folder.clone(),
        most_failures: request.failures,
        shrinks: !request.no_shrink,
    };
    let start = Instant::now();
    let report = run::run(&fuzz, &|text: &str| println!("{text}")).map_err(|said| anyhow!(said))?;
    let (runs, events) = (report.runs, report.events);
    println!("fuzz: {runs} runs, {events} events, {:.0} s", start.elapsed().as_secs_f64());
    match report.failures.len() {
        0 => Ok(()),
        count => bail!("fuzz: {count} programs broke the model; they lie in {}", folder.display()),
    }
}

fn runtime(request: &Events, dist: &Dist, folder: &Path) -> Result<PathBuf> {
    match &request.runtime {
        None => Ok(dist.lib()),
        Some(name) if name == Path::new("reference") => {
            let references = References::new(folder).map_err(|said| anyhow!(said))?;
            Ok(references.with_ompt().to_owned())
        }
        Some(folder) => Ok(std::path::absolute(folder)?),
    }
}
