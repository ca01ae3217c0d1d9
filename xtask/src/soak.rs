//! `cargo xtask soak`: everything at once for a long time, and large numbers of one thing.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use oxomp_prerequisites::Program;

use oxomp_build::command;
use oxomp_build::dist::{self, Dist, DistRequest, Profile};
use oxomp_build::elf::{SharedObject, undefined_names};
use oxomp_build::workspace::Workspace;

/// Shown under `cargo xtask soak --help`.
pub const EXAMPLES: &str = "\
What it does, with programs of gcc and of clang:
  mixed    the stress programs in one process, side by side, round after round with new seeds, each
           round a native thread that comes and goes; a line every 15 s, and at the end what was
           resident after a sixth, a half and all of the time (of an hour 10, 30, 60 minutes)
  alone    each of these programs by itself, the same seeds again and again, for as long in all: what
           it keeps for further use is known soon, and from then on memory does not grow
  growth   10^5 native threads, 10^6 nested regions, 10^7 tasks, 10^6 chains of dependent tasks, 10^6
           leagues: none may leave memory

It fails for a wrong answer, whose program and seed it names, a round that does not end, and memory
that grows.

Examples:
  cargo xtask soak
  cargo xtask soak --minutes 60 --only mixed   also on a machine that does other things
  cargo xtask soak --only alone                where a leak shows soon
  cargo xtask soak --only growth";

/// What to run.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// How long the mixture runs, and all its programs one after the other; two processors need an
    /// hour to judge how the mixture's memory grows.
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run only this part.
    #[arg(long, value_enum)]
    only: Option<Part>,
}

/// A part of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Everything side by side.
    Mixed,
    /// Each of these programs alone.
    Alone,
    /// Large numbers of one thing.
    Growth,
}

/// A stress program with the size of a round; one that takes no arguments has 1.
struct Stress {
    source: &'static str,
    count: u32,
}

const MIXED: [Stress; 8] = [
    Stress { source: "random_regions.c", count: 300 },
    Stress { source: "random_tasks.cpp", count: 100 },
    Stress { source: "random_league_loops.c", count: 200 },
    Stress { source: "random_doacross.cpp", count: 200 },
    Stress { source: "random_cancellation.c", count: 200 },
    Stress { source: "random_allocations.c", count: 20000 },
    Stress { source: "random_leagues.c", count: 1 },
    Stress { source: "pool.c", count: 1 },
];

const GROWTH: [(&str, &str); 5] = [
    ("growth_threads.c", "100000"),
    ("growth_regions.c", "1000000"),
    ("growth_tasks.c", "10000000"),
    ("growth_dependences.c", "1000000"),
    ("growth_leagues.c", "1000000"),
];

/// What the programs' directives demand.
const VARIABLES: [(&str, &str); 6] = [
    ("OMP_CANCELLATION", "true"),
    ("OMP_MAX_ACTIVE_LEVELS", "3"),
    ("OMP_NUM_THREADS", "4"),
    ("KMP_TEAMS_THREAD_LIMIT", "64"),
    ("KMP_WARNINGS", "0"),
    // Memory that the program itself frees is used again whichever thread asks.
    ("MALLOC_ARENA_MAX", "1"),
];

/// The compilers of C and C++.
const COMPILERS: [(&str, Program, Program); 2] =
    [("gcc", Program::Gcc, Program::Gxx), ("clang", Program::Clang, Program::Clangxx)];

/// Builds the runtime and the programs, and runs the selected parts.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let dist = dist::build(workspace, &DistRequest { profile: Profile::Testing, out: None })?;
    let folder = tempfile::tempdir()?;
    let bench = Bench { tests: workspace.root.join("tests"), dist, folder: folder.path().into() };
    let wants = |part| request.only.is_none_or(|only| only == part);
    if wants(Part::Mixed) || wants(Part::Alone) {
        let mixtures = COMPILERS.map(|(name, c, cxx)| {
            link_mixture(&bench, name, c, cxx).map(|program| (name, program))
        });
        let mixtures = mixtures.into_iter().collect::<Result<Vec<_>>>()?;
        if wants(Part::Mixed) {
            let seconds = request.minutes * 60;
            side_by_side(&bench, &mixtures, &[], (seconds, request.seed))?;
        }
        if wants(Part::Alone) {
            let seconds = request.minutes * 60 / MIXED.len() as u64;
            for Stress { source, .. } in MIXED {
                let function = source.split('.').next().unwrap_or(source);
                side_by_side(&bench, &mixtures, &[function], (seconds, request.seed))?;
            }
        }
    }
    if wants(Part::Growth) {
        growth(&bench)?;
    }
    Ok(())
}

/// Where sources and programs lie, and the runtime.
struct Bench {
    tests: PathBuf,
    dist: Dist,
    folder: PathBuf,
}

impl Bench {
    fn source(&self, name: &str) -> PathBuf {
        self.tests.join("c/stress").join(name)
    }

    fn compile(&self, compiler: Program, words: &[&str], source: &Path, out: &Path) -> Result<()> {
        let mut command = compiler.command();
        command.args(["-O2", "-g", "-fopenmp", "-pthread", "-w", "-I"]);
        command.arg(self.tests.join("include")).args(words).arg(source);
        command.arg("-L").arg(self.dist.lib()).arg("-o").arg(out);
        command::capture(&mut command).map(drop)
    }

    /// A symbol that `object` needs of an OpenMP runtime, and that ours lacks.
    fn missing(&self, object: &Path) -> Result<Option<String>> {
        let runtime = SharedObject::read(&self.dist.runtime())?;
        let is_ours = |name: &String| runtime.exports.iter().any(|symbol| symbol.name == *name);
        let names = undefined_names(object)?.into_iter();
        let mut of_openmp = names.filter(|name| {
            ["GOMP_", "__kmpc_", "omp_"].iter().any(|start| name.starts_with(start))
        });
        Ok(of_openmp.find(|name| !is_ours(name)))
    }

    fn start(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.dist.lib()).envs(VARIABLES);
        command
    }
}

/// Runs what each compiler made of the mixture at the same time: all of it, or what `words` name.
fn side_by_side(
    bench: &Bench,
    mixtures: &[(&str, PathBuf)],
    words: &[&str],
    (seconds, seed): (u64, u64),
) -> Result<()> {
    let mut running = Vec::new();
    for (name, program) in mixtures {
        let mut command = bench.start(program);
        let title = [&[*name], words].concat().join(": ");
        command.args([&title, &seconds.to_string(), &seed.to_string()]).args(words);
        command::announce(&command);
        let process = command.spawn().with_context(|| format!("the mixture of {title}"))?;
        running.push((title, process));
    }
    let mut failed = Vec::new();
    for (title, mut process) in running {
        let status = process.wait()?;
        if !status.success() {
            failed.push(format!("the mixture of {title}: {status}"));
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        failed => bail!("{}", failed.join("; ")),
    }
}

/// Compiles each stress program as a function of its name, and links them with the driver.
fn link_mixture(bench: &Bench, name: &str, c: Program, cxx: Program) -> Result<PathBuf> {
    let (mut programs, mut objects) = (String::from("-DPROGRAMS="), Vec::new());
    for Stress { source, count } in MIXED {
        let (function, suffix) = source.split_once('.').context("a source has a suffix")?;
        let (compiler, kind) = if suffix == "c" { (c, "C") } else { (cxx, "CPP") };
        let object = bench.folder.join(format!("{name}-{function}.o"));
        let main = format!("-Dmain={function}");
        bench.compile(compiler, &["-c", &main], &bench.source(source), &object)?;
        if let Some(missing) = bench.missing(&object)? {
            eprintln!("xtask: {source} is left out: the runtime has no {missing}");
            continue;
        }
        programs.push_str(&format!("{kind}({function},{count})"));
        objects.push(object.to_string_lossy().into_owned());
    }
    let out = bench.folder.join(format!("{name}-soak"));
    let words: Vec<&str> = std::iter::once(&programs).chain(&objects).map(String::as_str).collect();
    bench.compile(cxx, &words, &bench.tests.join("soak/soak.cpp"), &out)?;
    Ok(out)
}

fn growth(bench: &Bench) -> Result<()> {
    for (name, c, _) in COMPILERS {
        for (source, count) in GROWTH {
            let program = bench.folder.join(format!("{name}-{source}.exe"));
            bench.compile(c, &[], &bench.source(source), &program)?;
            let mut command = bench.start(&program);
            command.arg(count).env("OMP_NUM_THREADS", "2").env("OMP_WAIT_POLICY", "passive");
            command::run(&mut command)?;
        }
    }
    Ok(())
}
