//! `cargo xtask offload-cost`: what constructs that concern a device cost on our libomptarget and
//! on LLVM's, each on our runtime and on LLVM's.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::{File, Prerequisite, Program};
use oxomp_testing::process::clear_environment;

use crate::command;
use crate::dist::{self, DistRequest, OFFLOAD_LINKS, Profile};
use crate::packages;
use crate::workspace::Workspace;

/// Shown under `cargo xtask offload-cost --help`.
pub const EXAMPLES: &str = "\
A figure is nanoseconds for one construct on the host device: the median of the medians of all
rounds. In a round each pair of a libomptarget and a runtime runs once, and the order turns from
round to round. `ratio` is ours by LLVM's on the same runtime; `differ` is how far the rounds of a
pair lie apart, in percent of its median, for the pair where that is most.

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

/// The medians of the rounds of each pair, by construct.
type Figures = BTreeMap<String, [Vec<f64>; PAIRS.len()]>;

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
    print!("{}", table(&names, &mut figures));
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
    clang.arg(format!("-fopenmp-targets={}-pc-linux-gnu", std::env::consts::ARCH));
    clang.arg(workspace.root.join("bench/offload/cost.c")).arg("-o").arg(&program);
    command::run(&mut clang)?;
    Ok(program)
}

/// The figures of one run.
fn measure(program: &Path, libraries: &Path, only: Option<&str>) -> Result<Vec<(String, f64)>> {
    let mut run = Command::new(program);
    clear_environment(&mut run);
    run.args(only).env("LD_LIBRARY_PATH", libraries);
    figures(&command::capture(&mut run)?)
}

/// The lines of the program: a name and a number.
fn figures(text: &str) -> Result<Vec<(String, f64)>> {
    let line = |line: &str| -> Result<(String, f64)> {
        let (name, figure) = line.split_once('\t').context("a name and a figure")?;
        Ok((name.to_owned(), figure.parse()?))
    };
    text.lines().map(|text| line(text).with_context(|| text.to_owned())).collect()
}

/// The table of the medians.
fn table(names: &[String], figures: &mut Figures) -> String {
    let mut text = format!("{:20}{:>36}{:>34}{:>8}\n", "", "on oxomp", "on libomp", "");
    text += &format!("{:20}", "ns");
    text += &format!("{:>14}{:>14}{:>8}", "ours", "LLVM's", "ratio").repeat(2);
    text += "  differ\n";
    for name in names {
        let Some(rounds) = figures.get_mut(name) else { continue };
        let medians: Vec<f64> = rounds.iter_mut().map(|values| median(values)).collect();
        let differ = rounds.iter().zip(&medians).map(|(values, median)| {
            let ends = values.first().zip(values.last());
            ends.map_or(0.0, |(least, most)| (most - least) / median * 100.0)
        });
        text += &format!("{name:20}");
        for pair in medians.chunks(2) {
            text += &format!("{:14.1}{:14.1}{:8.2}", pair[0], pair[1], pair[0] / pair[1]);
        }
        text += &format!("{:7.0}%\n", differ.fold(0.0, f64::max));
    }
    text
}

/// The median; the values are in order afterwards.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{Figures, figures, median, table};

    #[test]
    fn a_line_is_a_name_and_a_figure() {
        let found = figures("target\t12.5\nenter_exit\t7\n").expect("two lines");
        assert_eq!(found, [("target".to_owned(), 12.5), ("enter_exit".to_owned(), 7.0)]);
        figures("target 12.5\n").expect_err("no figure");
    }

    #[test]
    fn the_table_has_medians_and_their_ratios() {
        assert!((median(&mut [3.0, 1.0, 9.0]) - 3.0).abs() < 1e-9);
        let rounds = |value: f64| vec![value, value * 1.5, value * 0.9];
        let mut all = Figures::new();
        all.insert("target".to_owned(), [100.0, 400.0, 50.0, 100.0].map(rounds));
        let text = table(&["target".to_owned()], &mut all);
        let words: Vec<&str> = text.lines().last().unwrap_or_default().split_whitespace().collect();
        assert_eq!(words, ["target", "100.0", "400.0", "0.25", "50.0", "100.0", "0.50", "60%"]);
    }
}
