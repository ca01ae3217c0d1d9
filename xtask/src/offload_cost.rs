//! `cargo xtask offload-cost`: what constructs that concern a device cost on our libomptarget and
//! on LLVM's, each on our runtime and on LLVM's.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_build::dist::{self, DistRequest, OFFLOAD_LINKS, Profile};
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite, Program};
use oxomp_testing::process::clear_environment;

use crate::packages;

/// Shown under `cargo xtask offload-cost --help`.
pub const EXAMPLES: &str = "\
A figure is nanoseconds for one construct on the host device: the median of the medians of all
rounds. In a round each pair of a libomptarget and a runtime runs once, and the order turns from
round to round. `ratio` is ours by LLVM's on the same runtime, `least` the ratio of the least times,
which others on the machine disturb less; `differ` is how far the rounds of a pair lie apart, in
percent of its median, for the pair where that is most.

Examples:
  cargo xtask offload-cost                   ours, built in release, and LLVM's
  cargo xtask offload-cost --only target --rounds 15
  cargo xtask offload-cost --libomptarget DIR/libomptarget.so";

/// What to measure.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// Our libomptarget [default: a new build in release].
    #[arg(long)]
    libomptarget: Option<PathBuf>,
    /// Our runtime [default: a new build in release].
    #[arg(long)]
    libomp: Option<PathBuf>,
    /// LLVM's libomptarget [default: Debian's].
    #[arg(long)]
    other: Option<PathBuf>,
    /// Measure only the construct of this name.
    #[arg(long)]
    only: Option<String>,
    /// How often each pair runs.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Install nothing.
    #[arg(long)]
    no_install: bool,
}

/// The pairs, as they stand in the table: our libomptarget and LLVM's, on our runtime and LLVM's.
const PAIRS: [&str; 4] = ["ours-on-oxomp", "llvm-on-oxomp", "ours-on-libomp", "llvm-on-libomp"];

/// The names by which programs and libomptarget ask for the runtime.
const LIBOMP: [&str; 2] = ["libomp.so.5", "libomp.so"];

/// What one run of the program says of a construct.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figure {
    median: f64,
    least: f64,
}

/// The figures of the rounds of each pair, by construct.
type Figures = BTreeMap<String, [Vec<Figure>; PAIRS.len()]>;

/// Measures, and prints the table.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let files = [File::Libomptarget, File::Libomp, File::OffloadBinary, File::ClangLinkerWrapper];
    let mut wanted: Vec<Prerequisite> = files.map(Prerequisite::from).to_vec();
    wanted.push(Program::Clang.into());
    packages::ensure(!request.no_install, &wanted, |_| true)?;
    let folder = tempfile::tempdir()?;
    stage(workspace, request, folder.path())?;
    let program = compile(workspace, folder.path())?;
    let mut figures = Figures::new();
    let mut names = Vec::new();
    for round in 0..request.rounds.max(1) {
        for turn in 0..PAIRS.len() {
            let pair = (round + turn) % PAIRS.len();
            let libraries = folder.path().join(PAIRS[pair]);
            for (name, figure) in measure(&program, &libraries, request.only.as_deref())? {
                if !names.contains(&name) {
                    names.push(name.clone());
                }
                figures.entry(name).or_default()[pair].push(figure);
            }
        }
    }
    if names.is_empty() {
        bail!("bench/offload/cost.c has no construct of that name");
    }
    print!("{}", table(&names, &figures));
    Ok(())
}

/// Makes a folder with the libraries of each pair.
fn stage(workspace: &Workspace, request: &Request, folder: &Path) -> Result<()> {
    let (libomptarget, libomp) = match (&request.libomptarget, &request.libomp) {
        (Some(libomptarget), Some(libomp)) => (libomptarget.clone(), libomp.clone()),
        (libomptarget, libomp) => {
            let request = DistRequest { profile: Profile::Release, out: None };
            let lib = dist::build(workspace, &request)?.lib();
            let or_built = |given: &Option<PathBuf>, name: &str| {
                given.clone().unwrap_or_else(|| lib.join(name))
            };
            (or_built(libomptarget, "libomptarget.so"), or_built(libomp, "libomp.so"))
        }
    };
    let other = request.other.clone().unwrap_or_else(|| File::Libomptarget.path().to_owned());
    let runtimes = [libomp, File::Libomp.path().to_owned()];
    for (index, pair) in PAIRS.iter().enumerate() {
        let place = folder.join(pair);
        fs::create_dir(&place)?;
        let library = if index % 2 == 0 { &libomptarget } else { &other };
        let runtime = &runtimes[index / 2];
        for (file, names) in [(library, OFFLOAD_LINKS), (runtime, LIBOMP)] {
            let file = fs::canonicalize(file)
                .with_context(|| format!("there is no {}", file.display()))?;
            eprintln!("xtask: {pair}: {}", file.display());
            for name in names {
                symlink(&file, place.join(name))?;
            }
        }
    }
    Ok(())
}

/// Compiles the program.
fn compile(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let program = folder.join("cost");
    let mut clang = Program::Clang.command();
    clang.args(["-O2", "-Wall", "-Werror", "-fopenmp"]);
    clang.arg(format!("-fopenmp-targets={HOST_DEVICE}"));
    clang.arg(workspace.root.join("bench/offload/cost.c")).arg("-o").arg(&program);
    command::run(&mut clang)?;
    Ok(program)
}

/// The figures of one run.
fn measure(program: &Path, libraries: &Path, only: Option<&str>) -> Result<Vec<(String, Figure)>> {
    let mut run = Command::new(program);
    clear_environment(&mut run);
    run.args(only).env("LD_LIBRARY_PATH", libraries);
    figures(&command::capture(&mut run)?)
}

/// The lines of the program: a name and two numbers.
fn figures(text: &str) -> Result<Vec<(String, Figure)>> {
    let line = |line: &str| -> Result<(String, Figure)> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, median, least] = fields[..] else { bail!("a name and two figures") };
        Ok((name.to_owned(), Figure { median: median.parse()?, least: least.parse()? }))
    };
    text.lines().map(|text| line(text).with_context(|| text.to_owned())).collect()
}

fn table(names: &[String], figures: &Figures) -> String {
    let mut text = format!("{:20}{:>42}{:>42}\n", "", "on oxomp", "on libomp");
    text += &format!("{:20}", "ns");
    text += &format!("{:>13}{:>13}{:>8}{:>8}", "ours", "LLVM's", "ratio", "least").repeat(2);
    text += "  differ\n";
    for name in names {
        let Some(rounds) = figures.get(name) else { continue };
        let summaries = rounds.each_ref().map(|figures| summary(figures));
        text += &format!("{name:20}");
        for [(ours, _), (other, _)] in [[summaries[0], summaries[1]], [summaries[2], summaries[3]]]
        {
            let (ratio, least) = (ours.median / other.median, ours.least / other.least);
            text += &format!("{:13.1}{:13.1}{ratio:8.2}{least:8.2}", ours.median, other.median);
        }
        let differ = summaries.iter().map(|(_, differ)| *differ).fold(0.0, f64::max);
        text += &format!("{differ:7.0}%\n");
    }
    text
}

/// The median and the least of the rounds, and how far their medians lie apart, in percent.
fn summary(rounds: &[Figure]) -> (Figure, f64) {
    let mut medians: Vec<f64> = rounds.iter().map(|figure| figure.median).collect();
    medians.sort_by(f64::total_cmp);
    let median = medians.get(medians.len() / 2).copied().unwrap_or(f64::NAN);
    let least = rounds.iter().map(|figure| figure.least).fold(f64::INFINITY, f64::min);
    let ends = medians.first().zip(medians.last());
    let differ = ends.map_or(0.0, |(first, last)| (last - first) / median * 100.0);
    (Figure { median, least }, differ)
}

#[cfg(test)]
mod tests {
    use super::{Figure, Figures, figures, summary, table};

    #[test]
    fn a_line_is_a_name_and_two_figures() {
        let found = figures("target\t12.5\t11\nenter_exit\t7\t7\n").expect("two lines");
        assert_eq!(found[0], ("target".to_owned(), Figure { median: 12.5, least: 11.0 }));
        assert_eq!(found[1].0, "enter_exit");
        figures("target\t12.5\n").expect_err("one figure");
    }

    #[test]
    fn the_table_has_medians_and_ratios() {
        let rounds = |value: f64| {
            [1.0, 1.5, 0.9]
                .map(|it| Figure { median: value * it, least: value * it / 2.0 })
                .to_vec()
        };
        let (figure, differ) = summary(&rounds(100.0));
        assert_eq!(figure, Figure { median: 100.0, least: 45.0 });
        assert!((differ - 60.0).abs() < 1e-9);
        let mut all = Figures::new();
        all.insert("target".to_owned(), [100.0, 400.0, 50.0, 100.0].map(rounds));
        let text = table(&["target".to_owned()], &all);
        let words: Vec<&str> = text.lines().last().unwrap_or_default().split_whitespace().collect();
        let first = ["target", "100.0", "400.0", "0.25", "0.25"];
        assert_eq!(words[..5], first);
        assert_eq!(words[5..], ["50.0", "100.0", "0.50", "0.50", "60%"]);
    }
}
