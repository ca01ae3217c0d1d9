//! `cargo xtask test`: every test of the repository, run on a freshly built runtime.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, thread};

use anyhow::{Error, Result, bail};
use clap::ValueEnum;
use oxomp_build::command;
use oxomp_build::dist::{self, Dist, DistRequest, Profile};
use oxomp_build::workspace::{OWN, Workspace, cargo, packages_of};
use oxomp_prerequisites::{File, Prerequisite, Program};
use oxomp_testing::compiler::Executables;
use oxomp_testing::process::with_default_signals;
use oxomp_testing::settings::{CACHE, PROGRAMS};

use crate::foreign::Target;
use crate::harness::Found;
use crate::references::References;
use crate::{book, harness, packages, python};

/// Shown under `cargo xtask test --help`.
pub const EXAMPLES: &str = "\
What it does, in this order:
  packages   the Debian packages that the tests need, installed as root or named
  doc        the documentation, warnings denied, and the examples in it
  models     models of the protocols between threads, every interleaving (loom)
  build      `cargo xtask dist --profile testing` into testing-dist/ of the target folder
  rust       the tests of these commands, then all others: unit tests, C and C++ programs on the
             runtime, the profiler's known answers, the commands on the pages of the book
  book       `cargo xtask book --check`: generated pages, messages, links, HTML by mdBook, which is
             installed below the target folder at the first time

With `--target aarch64` for another processor: unpacks a Debian of it into reference/ of the target
folder, installs compilers for it and an emulator, and tells the kernel to start the emulator for
programs of that processor, until the machine is started anew (as root). Then `build` and `rust`,
without the tests of these commands.

Only where it is named:
  smoke      a small part of `rust`, for another processor: constructs, tasks, cancellation, tools,
             profiles
  jitter     every program in each configuration, its threads stopped at random points; `rust` does
             so in one configuration of each program (tests/README.md)
  pairs      the profiler's programs with the compilers and runtimes that `rust` leaves out
  thorough   tests that take most of a minute each: programs under valgrind, a million tasks

Tests find what they test through the environment:
  OXOMP_LIB        the folder with libomp.so and its links
  OXOMP_RECORDER   the tool that records events
  OXOMP_BIN        the oxomp command
  OXOMP_COLLECT    the tool that records for `oxomp profile`
  OXOMP_PYTHON     a folder with the Python module, for the command of OXOMP_BIN
  OXOMP_IOMP5      Intel's libiomp5.so, to compare with
  OXOMP_CONSUMERS  a Python environment with what reads the outputs of `oxomp report`
  OXOMP_TEST_JITTER  PERIOD,NAP[,SEED] in microseconds, for `--only jitter`; `on` if unset
  OXOMP_TEST_PAIRS   `others` for what `--only pairs` runs, else `usual`

Property tests draw the same cases in each run; PROPTEST_RNG_SEED gives others.

Tests whose name has `stress` run alone on the machine. No test judges times: `cargo xtask
accuracy` does, on a machine that does nothing else.

Examples:
  cargo xtask test
  cargo xtask test critical           rust tests whose name contains `critical`
  cargo xtask test book/              the commands on the pages of the book
  cargo xtask test --only models
  cargo xtask test --only jitter task/
  cargo xtask test --only pairs
  cargo xtask test --only doc,rust --no-install
  cargo xtask test --target aarch64 --only smoke
  cargo xtask test --target aarch64 task/";

/// A part of the tests that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The documentation without a warning, and the examples in it.
    Doc,
    /// Models of the protocols between threads.
    Models,
    /// Unit tests, program tests, known answers.
    Rust,
    /// The pages of the book, but for the commands on them, which `Rust` executes.
    Book,
    /// A small part of `Rust`; only where it is named.
    Smoke,
    /// Every program, with its threads stopped at random points; only where it is named.
    Jitter,
    /// The profiler's programs with the pairs of a compiler and a runtime that `Rust` leaves out;
    /// only where it is named.
    Pairs,
    /// Tests that take long; only where it is named.
    Thorough,
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

/// Most tests compile C and C++; a test that needs anything else is skipped where it is missing.
const REQUIRED: [Prerequisite; 7] = [
    Prerequisite::Program(Program::Cc),
    Prerequisite::Program(Program::Gcc),
    Prerequisite::Program(Program::Gxx),
    Prerequisite::Program(Program::Clang),
    Prerequisite::Program(Program::Clangxx),
    Prerequisite::File(File::CHeaders),
    Prerequisite::File(File::LibompToLink),
];

/// The packages with models, which are their tests under the feature `model`.
const MODELS: [&str; 2] = ["oxomp-protocol", "oxomp-target"];

/// The executables of the programs of the repository at `root`, where its tests keep them: in the
/// folder that Cargo gives to the tests of packages whose `target` folder is this one.
pub(crate) fn executables(root: &Path, target: &Path) -> Result<Executables> {
    let folder = target.join("tmp").join(CACHE).join(PROGRAMS);
    Executables::new(folder, root.join("tests/include")).map_err(Error::msg)
}

/// Becomes the command that runs the selected parts for another processor.
pub fn run_for(workspace: &Workspace, target: Target, selection: &Selection) -> Result<()> {
    let mut arguments = vec!["test".into()];
    arguments.extend(selection.filter.iter().map(OsString::from));
    for value in selection.only.iter().filter_map(Part::to_possible_value) {
        arguments.extend(["--only".into(), value.get_name().into()]);
    }
    if !selection.install {
        arguments.push("--no-install".into());
    }
    target.start_again(workspace, selection.install, &arguments)
}

/// Runs the selected parts, all of them; fails at the end if one has failed.
pub fn run(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let is_foreign = Target::of_environment().is_some();
    let parts = match (selection.only.as_slice(), &selection.filter) {
        ([], None) if !is_foreign => vec![Part::Doc, Part::Models, Part::Rust, Part::Book],
        ([], _) => vec![Part::Rust],
        (parts, _) => parts.to_vec(),
    };
    if !is_foreign {
        let wanted: Vec<Prerequisite> = Prerequisite::all().collect();
        packages::ensure(selection.install, &wanted, |it| REQUIRED.contains(&it))?;
    }
    let references = References::default();
    let need_references =
        parts.iter().any(|part| !matches!(part, Part::Doc | Part::Models | Part::Book));
    let failed = thread::scope(|scope| {
        if need_references {
            // The parts that come first need nothing of the network, which is slow.
            scope.spawn(|| references.of(workspace));
        }
        let run = |part| run_part(workspace, selection, part, &references);
        parts
            .into_iter()
            .filter(|part| !run(*part))
            .map(|part| format!("{part:?}"))
            .collect::<Vec<_>>()
    });
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// Runs a part, and says how it ended and after what time. Returns whether it passed.
fn run_part(
    workspace: &Workspace,
    selection: &Selection,
    part: Part,
    references: &References,
) -> bool {
    let started = Instant::now();
    let result = match part {
        Part::Doc => doc(workspace, selection),
        Part::Models => models(workspace, selection),
        Part::Rust => rust(workspace, selection, references),
        Part::Book => book::run(workspace, &book::Request { check: true, pictures: false }),
        Part::Smoke => smoke(workspace, selection, references),
        Part::Jitter => jitter(workspace, selection, references),
        Part::Pairs => pairs(workspace, selection, references),
        Part::Thorough => thorough(workspace, selection, references),
    };
    let seconds = started.elapsed().as_secs();
    match &result {
        Ok(()) => eprintln!("xtask: {part:?} tests done in {seconds} s"),
        Err(error) => eprintln!("xtask: {part:?} tests failed after {seconds} s: {error:#}"),
    }
    result.is_ok()
}

/// Builds the runtime, and returns the variables by which tests find it and what they compare it
/// with.
pub(crate) fn built(
    workspace: &Workspace,
    references: &References,
) -> Result<BTreeMap<&'static str, PathBuf>> {
    let request = DistRequest { profile: Profile::Testing, out: None };
    let built = dist::build(workspace, &request)?;
    let mut environment = environment(workspace, &built, references);
    let python = workspace.target.join("python");
    python::put_together(workspace, &built, &python)?;
    environment.insert("OXOMP_PYTHON", python);
    Ok(environment)
}

/// The seed of the cases that property tests draw: a fixed one, so that a failure is due to the
/// change under test. The variable sets another seed.
const DRAWN: (&str, &str) = ("PROPTEST_RNG_SEED", "20261127");

/// Builds the runtime and runs every test binary against it. The few of these commands come first:
/// what the runner says at the end is about all others.
fn rust(workspace: &Workspace, selection: &Selection, references: &References) -> Result<()> {
    let environment = built(workspace, references)?;
    let every = ["--lib", "--bins", "--tests"];
    let filters: Vec<&str> = selection.filter.as_deref().into_iter().collect();
    let run = |profile, names: &[String]| {
        run_tests(workspace, &filters, profile, packages_of(names), &every, &environment)
    };
    // These commands are this machine's.
    let own = match Target::of_environment() {
        Some(_) => Ok(Found::None),
        None => run("commands", &OWN.map(str::to_owned)),
    };
    match (own, run("default", &workspace.tested())) {
        (Ok(own), Ok(others)) => any(own.or(others), selection),
        (Err(own), Err(others)) => bail!("{own:#}; {others:#}"),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// Parts of the names of the tests in [`smoke`]: programs of tests/c, with their events, and of the
/// profiler's tests.
const SMOKE: [&str; 17] = [
    "parallel/hello",
    "parallel/nested",
    "barrier/explicit",
    "cancel/parallel",
    "cancel/taskgroup",
    "reduction/operators",
    "single/single",
    "task/depend.c",
    "task/taskwait",
    "trace/barrier",
    "trace/cancel",
    "trace/levels",
    "trace/loop_dynamic",
    "trace/parallel",
    "trace/task_kinds",
    "regions_in_a_time_loop_have_their_own_lines::clang-22::oxomp",
    "regions_in_a_time_loop_have_their_own_lines::gcc::oxomp",
];

/// Runs the tests of [`SMOKE`], or of those names in it that contain the filter.
fn smoke(workspace: &Workspace, selection: &Selection, references: &References) -> Result<()> {
    let environment = built(workspace, references)?;
    let is_wanted = |name: &&str| selection.filter.as_ref().is_none_or(|text| name.contains(text));
    let filters: Vec<&str> = SMOKE.into_iter().filter(is_wanted).collect();
    if filters.is_empty() {
        bail!("the small part has no such tests; it has those of {}", SMOKE.join(", "));
    }
    let packages = packages_of(&["oxomp-testing", "oxomp-analysis"]);
    let binaries = ["--test", "programs"];
    any(run_tests(workspace, &filters, "default", packages, &binaries, &environment)?, selection)
}

/// An error if there was no test to run.
fn any(found: Found, selection: &Selection) -> Result<()> {
    match (found, &selection.filter) {
        (Found::Some, _) => Ok(()),
        (Found::None, Some(filter)) => bail!("no test's name contains `{filter}`"),
        (Found::None, None) => bail!("there is no test"),
    }
}

/// Runs the profiler's programs with the compilers and runtimes that [`rust`] leaves out.
fn pairs(workspace: &Workspace, selection: &Selection, references: &References) -> Result<()> {
    let mut environment = built(workspace, references)?;
    environment.insert("OXOMP_TEST_PAIRS", "others".into());
    let package = packages_of(&["oxomp-analysis"]);
    let binary = ["--test", "programs"];
    let filters: Vec<&str> = selection.filter.as_deref().into_iter().collect();
    any(run_tests(workspace, &filters, "default", package, &binary, &environment)?, selection)
}

/// The binaries of oxomp-testing with tests that take long, which are ignored elsewhere.
const THOROUGH: [&str; 2] = ["memcheck", "multiplex"];

/// Runs the tests that [`rust`] leaves out since they take long.
fn thorough(workspace: &Workspace, selection: &Selection, references: &References) -> Result<()> {
    let mut tests = cargo();
    tests.current_dir(&workspace.root).envs(built(workspace, references)?);
    with_default_signals(&mut tests);
    tests.args(["test", "--no-fail-fast", "-p", "oxomp-testing"]);
    tests.args(THOROUGH.iter().flat_map(|binary| ["--test", binary]));
    tests.args(["--", "--ignored", &format!("--test-threads={}", at_once())]);
    command::run(tests.args(&selection.filter))
}

/// The exit status of `cargo nextest run` when there is no test to run.
const NO_TESTS: i32 = 4;

/// Runs the tests of these `packages`, in binaries of these kinds, whose names contain one of the
/// filters, if there are any. `profile` is that of nextest.
fn run_tests<'w>(
    workspace: &Workspace,
    filters: &[&str],
    profile: &str,
    packages: impl Iterator<Item = &'w str>,
    binaries: &[&str],
    environment: &BTreeMap<&'static str, PathBuf>,
) -> Result<Found> {
    let packages: Vec<&str> = packages.collect();
    let start = || {
        let mut command = cargo();
        command.current_dir(&workspace.root).envs(environment);
        with_default_signals(&mut command);
        if env::var_os(DRAWN.0).is_none() {
            command.env(DRAWN.0, DRAWN.1);
        }
        command
    };
    if has_nextest() {
        let mut command = start();
        command.args(["nextest", "run", "--profile", profile, "--no-fail-fast", "--no-tests=fail"]);
        command.arg(format!("--test-threads={}", 2 * at_once()));
        command.args(packages).args(binaries).args(filters);
        return match command::status(&mut command)? {
            status if status.code() == Some(NO_TESTS) => {
                eprintln!("xtask: no test here has such a name");
                Ok(Found::None)
            }
            status => command::succeeded(&command, status).map(|()| Found::Some),
        };
    }
    let run = |filter: Option<&str>| {
        let mut command = start();
        command.arg("test").args(&packages).args(binaries);
        harness::run(&mut command, filter, at_once())
    };
    // A binary of tests takes one filter.
    match filters {
        [] => run(None),
        filters => {
            filters.iter().try_fold(Found::None, |found, filter| Ok(found.or(run(Some(filter))?)))
        }
    }
}

/// How many tests run at once. For almost half of their time tests wait, for a process that starts
/// or ends, a timeout or a deadline, so two more than there are processors keep these busy. Tests
/// that also wait for each other count half (`.config/nextest.toml`).
fn at_once() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get) + 2
}

fn has_nextest() -> bool {
    command::capture(cargo().args(["nextest", "--version"])).is_ok()
}

/// Builds the runtime and runs every program on it with jitter. nextest is not used: its time
/// limits are for programs without jitter.
fn jitter(workspace: &Workspace, selection: &Selection, references: &References) -> Result<()> {
    let environment = built(workspace, references)?;
    let programs = |more: &[&str]| {
        let mut programs = cargo();
        programs.current_dir(&workspace.root).envs(&environment);
        if env::var_os("OXOMP_TEST_JITTER").is_none() {
            programs.env("OXOMP_TEST_JITTER", "on");
        }
        programs.args(["test", "-p", "oxomp-testing", "--test", "programs", "--"]);
        programs.args(more).args(&selection.filter);
        programs
    };
    if let Some(filter) = &selection.filter
        && harness::names(&command::capture_messages(&mut programs(&["--list"]))?).is_empty()
    {
        bail!("no program's name contains `{filter}`");
    }
    command::run(&mut programs(&[]))
}

/// Builds the documentation of every crate, where a link that leads nowhere is an error, and runs
/// the examples in it, which nextest does not. A filter selects examples only.
fn doc(workspace: &Workspace, selection: &Selection) -> Result<()> {
    if selection.filter.is_none() {
        let mut pages = cargo();
        pages.current_dir(&workspace.root).env("RUSTDOCFLAGS", "-D warnings");
        command::run(pages.args(["doc", "--workspace", "--no-deps", "--keep-going"]))?;
    }
    let mut doc = cargo();
    doc.current_dir(&workspace.root).args(["test", "--doc", "--no-fail-fast"]);
    command::run(doc.args(packages_of(&workspace.tested())).args(&selection.filter))
}

/// Runs the models, each on one processor. Loom and the protocols are optimised in every build
/// (`profile.dev`).
fn models(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let mut models = cargo();
    models.current_dir(&workspace.root);
    if has_nextest() {
        models.args(["nextest", "run", "--profile=models", "--no-fail-fast"]);
        let may_be_none = selection.filter.is_some();
        models.arg(if may_be_none { "--no-tests=pass" } else { "--no-tests=fail" });
    } else {
        models.args(["test", "--no-fail-fast"]);
    }
    models.args(packages_of(&MODELS)).args(["--features", "model", "--lib"]);
    command::run(models.args(&selection.filter))
}

/// The variables by which tests find the runtime and what they compare it with.
pub(crate) fn environment(
    workspace: &Workspace,
    built: &Dist,
    references: &References,
) -> BTreeMap<&'static str, PathBuf> {
    let mut environment = BTreeMap::from([
        ("OXOMP_LIB", built.lib()),
        ("OXOMP_RECORDER", built.recorder()),
        ("OXOMP_BIN", built.command()),
        ("OXOMP_COLLECT", built.collector()),
    ]);
    environment.extend(references.of(workspace).clone());
    environment
}
