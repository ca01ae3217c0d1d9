//! `cargo xtask test`: every test of the repository, run on a freshly built runtime.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::dist::{self, Dist, DistRequest, Profile};
use crate::workspace::{DependencyKind, Workspace, cargo};
use crate::{command, iomp, packages};

/// Shown under `cargo xtask test --help`.
pub const EXAMPLES: &str = "\
What it does, in this order:
  packages   the Debian packages that the tests need, installed as root or named
  build      `cargo xtask dist --profile testing` into testing-dist/ of the target folder
  rust       unit tests, C, C++ and Fortran programs on the runtime, the profiler's known answers
  doc        the examples in the documentation
  loom       models of the protocols between threads, every interleaving

Tests find what they test through the environment:
  OXOMP_LIB        the folder with libomp.so and its links
  OXOMP_RECORDER   the tool that records events
  OXOMP_BIN        the oxomp command
  OXOMP_IOMP5      Intel's libiomp5.so, to compare with

Tests whose name has `timing` or `known_answer` run alone on the machine.

Examples:
  cargo xtask test
  cargo xtask test critical           rust tests whose name contains `critical`
  cargo xtask test --only loom
  cargo xtask test --only rust,doc --no-install";

/// A part of the tests that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Unit tests, program tests, known answers.
    Rust,
    /// Documentation examples.
    Doc,
    /// Models of the protocols between threads.
    Loom,
}

/// Which tests to run.
#[derive(Debug)]
pub struct Selection {
    /// Text that a test's name must contain.
    pub filter: Option<String>,
    /// The parts; all when empty.
    pub only: Vec<Part>,
    /// Whether missing packages may be installed.
    pub install: bool,
}

/// The packages whose integration tests measure time; one test at a time without nextest.
const TIMED: [&str; 2] = ["oxomp", "oxomp-testing"];

/// How many preemptions loom explores unless `LOOM_MAX_PREEMPTIONS` says otherwise: the bugs that
/// need more than three are rare, and the number of executions grows by an order for each.
const LOOM_PREEMPTIONS: &str = "3";

/// Runs the selected parts; the first failing part ends the run after the others have run.
pub fn run(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let parts = match (selection.only.as_slice(), &selection.filter) {
        ([], None) => vec![Part::Rust, Part::Doc, Part::Loom],
        ([], Some(_)) => vec![Part::Rust],
        (parts, _) => parts.to_vec(),
    };
    packages::ensure(selection.install)?;
    let mut failed = Vec::new();
    for part in parts {
        let started = Instant::now();
        let result = match part {
            Part::Rust => rust(workspace, selection),
            Part::Doc => doc(workspace, selection),
            Part::Loom => loom(workspace, selection),
        };
        let seconds = started.elapsed().as_secs();
        match result {
            Ok(()) => eprintln!("xtask: {part:?} tests done in {seconds} s"),
            Err(error) => {
                eprintln!("xtask: {part:?} tests failed after {seconds} s: {error:#}");
                failed.push(format!("{part:?}"));
            }
        }
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// Builds the runtime and runs every test binary against it.
fn rust(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let request = DistRequest { profile: Profile::Testing, out: None };
    let environment = environment(workspace, &dist::build(workspace, &request)?);
    let in_environment = || {
        let mut command = cargo();
        command.current_dir(&workspace.root).envs(&environment);
        command
    };
    if command::exists("cargo-nextest") {
        let mut nextest = in_environment();
        nextest.args(["nextest", "run", "--no-fail-fast", "--no-tests=fail"]);
        nextest.args(&selection.filter);
        return command::run(&mut nextest);
    }
    let mut quick = in_environment();
    quick.args(["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    let mut timed = in_environment();
    timed.args(["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    for member in workspace.members().iter().filter(|member| !is_library_only(&member.name)) {
        let group = if TIMED.contains(&member.name.as_str()) { &mut timed } else { &mut quick };
        group.args(["-p", &member.name]);
    }
    quick.args(&selection.filter);
    timed.args(&selection.filter).args(["--", "--test-threads=1"]);
    let first = command::run(&mut quick);
    command::run(&mut timed)?;
    first
}

/// The cdylibs have no test harness: their tests are the programs that load them.
fn is_library_only(package: &str) -> bool {
    matches!(package, "libomp" | "oxomp-collect" | "oxomp-recorder")
}

/// Runs the examples in the documentation, which nextest does not.
fn doc(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let mut doc = cargo();
    doc.current_dir(&workspace.root).args(["test", "--doc", "--no-fail-fast"]);
    doc.args(&selection.filter);
    command::run(&mut doc)
}

/// Runs the models of each package that has loom among its dependencies.
fn loom(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let mut models = cargo();
    models
        .current_dir(&workspace.root)
        .env("RUSTFLAGS", "--cfg loom -Cforce-frame-pointers=yes")
        .env("CARGO_TARGET_DIR", workspace.target.join("loom"))
        .args(["test", "--profile", "testing", "--no-fail-fast", "--lib"]);
    if std::env::var_os("LOOM_MAX_PREEMPTIONS").is_none() {
        models.env("LOOM_MAX_PREEMPTIONS", LOOM_PREEMPTIONS);
    }
    let with_models: Vec<String> = workspace
        .members()
        .into_iter()
        .filter(|member| {
            member.dependencies.iter().any(|dependency| {
                dependency.name == "loom" && dependency.kind != DependencyKind::Build
            })
        })
        .map(|member| member.name)
        .collect();
    if with_models.is_empty() {
        eprintln!("xtask: no package depends on loom, so there is no model to run");
        return Ok(());
    }
    for name in &with_models {
        models.args(["-p", name]);
    }
    // Other unit tests use the replaced primitives outside of a model, where loom panics.
    models.args(["--", selection.filter.as_deref().unwrap_or("models::")]);
    command::run(&mut models)
}

/// Where tests find what they test and what they compare it with.
fn environment(workspace: &Workspace, built: &Dist) -> BTreeMap<&'static str, PathBuf> {
    let mut environment = BTreeMap::from([
        ("OXOMP_LIB", built.lib()),
        ("OXOMP_RECORDER", built.recorder()),
        ("OXOMP_BIN", built.command()),
    ]);
    match iomp::ensure(&workspace.target) {
        Ok(library) => {
            environment.insert("OXOMP_IOMP5", library);
        }
        Err(error) => {
            eprintln!("xtask: Intel's runtime is not there, tests leave it out: {error:#}");
        }
    }
    environment
}
