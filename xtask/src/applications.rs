//! `cargo xtask applications`: larger programs of Debian on their own runtime and on ours, and
//! tools of Debian on ours.

use anyhow::{Result, bail};
use oxomp_build::command;
use oxomp_build::workspace::{Workspace, cargo};
use oxomp_prerequisites::Prerequisite;

use crate::references::References;
use crate::{eztrace, harness, packages, test};

/// Shown under `cargo xtask applications --help`.
pub const EXAMPLES: &str = "\
What it does:
  packages   installs cp2k, GROMACS, Quantum ESPRESSO, Octave and others (about 1.2 GB), as root;
             unpacks EZTrace into reference/ of the target folder
  build      `cargo xtask dist --profile testing` into testing-dist/ of the target folder
  rust       runs each program on libgomp and on oxomp with 1, 2 and 4 threads, and some as two
             processes of Open MPI; the answers are equal (tests/README.md, Real programs); runs
             tools on programs whose events are known

Examples:
  cargo xtask applications
  cargo xtask applications cp2k          only the tests whose name contains `cp2k`
  cargo xtask applications eztrace
  cargo xtask applications --no-install  skips and names what is missing";

/// What to run.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Run only tests whose name contains this text.
    filter: Option<String>,
    /// Install nothing: name what is missing; tests that need it are skipped.
    #[arg(long)]
    no_install: bool,
}

/// Installs the applications that are missing, builds the runtime, and compares.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let wanted: Vec<Prerequisite> = Prerequisite::applications().collect();
    packages::ensure(!request.no_install, &wanted, |_| false)?;
    let unpacked = match request.no_install {
        true => eztrace::find(&workspace.target),
        // Its test says that it is missing.
        false => eztrace::ensure(&workspace.target)
            .inspect_err(|error| eprintln!("xtask: EZTrace cannot be unpacked: {error:#}"))
            .ok(),
    };
    let mut environment = test::built(workspace, &References::default())?;
    environment.extend(unpacked.map(|folder| ("OXOMP_EZTRACE", folder)));
    let filter = request.filter.as_deref().unwrap_or("");
    let tests = |more: &[&str]| {
        let mut tests = cargo();
        tests.current_dir(&workspace.root).envs(&environment);
        tests.args(["test", "-p", "oxomp-testing", "--test", "real_programs", "--"]);
        tests.args(["--ignored", filter]).args(more);
        tests
    };
    if harness::names(&command::capture_messages(&mut tests(&["--list"]))?).is_empty() {
        bail!("no application's name contains `{filter}`");
    }
    // Each takes all processors.
    command::run(&mut tests(&["--test-threads=1"]))
}
