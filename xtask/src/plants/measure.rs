//! One line of the table: a program profiled, and timed with and without its plant.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use oxomp_build::command;
use oxomp_build::dist::Dist;
use oxomp_prerequisites::File;
use oxomp_testing::plant::Plant;
use serde_json::Value;

use super::conclusion::{self, Change};
use super::platform::{Compiler, Runtime};
use super::program;
use super::stated::Measured;

/// The first lines of the table.
pub(super) const HEADING: &str = "\
| program | plant | first advice | right | repair | stated gain | measured | within | most ÷ measured \
| predicted by advise | within | planted | repaired |
|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// How the names of variables begin that change what a program's runtime does.
const SETTINGS: [&str; 5] = ["OMP_", "OXOMP_", "KMP_", "GOMP_", "LD_PRELOAD"];

/// The settings that hold for all programs.
pub(super) struct Setting {
    pub(super) compiler: Compiler,
    pub(super) runtime: Runtime,
    pub(super) dist: Dist,
    /// Where programs and recordings lie.
    pub(super) folder: PathBuf,
    pub(super) runs: u32,
}

/// What one program shows of the profiler.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Whether the first advice names the plant, and says what it has to.
    pub(super) is_right: bool,
    /// Whether the measured gain lies where the first advice says; `None` if it says nothing, or if
    /// the pairs differ too much.
    pub(super) is_within: Option<bool>,
    /// Whether the pairs of runs differ too much to judge the gain of the first advice by them.
    pub(super) is_unclear: bool,
    /// Whether the profile says that its gains are firm, if it has one.
    pub(super) is_firm: Option<bool>,
    /// How many times the measured gain the most that is stated is.
    pub(super) looseness: Option<f64>,
    /// Whether `oxomp advise` predicts the repair, and what it wins within the stated error;
    /// `None` where nothing is replayed.
    pub(super) is_predicted: Option<bool>,
}

/// The line of the table for `plant`, and what it shows.
pub(super) fn measure(plant: &Plant, setting: &Setting) -> Result<(String, Outcome)> {
    let build = |repaired| program::build(plant, setting.compiler, repaired, &setting.folder);
    let (planted, repaired) = (build(false)?, build(true)?);
    let data = setting.record(plant, &planted)?;
    let profile = setting.document(&["report", "--json=-"], &data)?;
    let change = conclusion::first_change(&profile);
    let advised = setting.document(&["advise", "--json"], &data)?;
    let prediction = conclusion::first_prediction(&advised, plant);
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..setting.runs {
        with.push(setting.time(program::command(plant, &planted, false))?);
        without.push(setting.time(program::command(plant, &repaired, true))?);
    }
    let gain = Measured::of_pairs(&with, &without);
    Ok(line(plant, setting, [change, prediction], gain, [median(with), median(without)]))
}

/// The line, with the first change of the profile and the first prediction of `oxomp advise`, the
/// measured gain, and the times of the planted and the repaired program, ns.
fn line(
    plant: &Plant,
    setting: &Setting,
    [change, prediction]: [Option<Change>; 2],
    gain: Measured,
    [planted, repaired]: [f64; 2],
) -> (String, Outcome) {
    let compiler = setting.compiler.text();
    let text = change.as_ref().map_or("", |change| change.text.as_str());
    let verdict = plant.judge(text, compiler, setting.runtime.text());
    let mut outcome = Outcome { is_right: verdict.is_ok(), ..Outcome::default() };
    let mut stated = "none".to_owned();
    if let Some(change) = &change {
        outcome.is_within = change.stated.holds(gain, planted);
        outcome.is_unclear = outcome.is_within.is_none();
        outcome.is_firm = Some(change.is_firm);
        outcome.looseness = Some(change.stated.looseness(gain));
        stated = format!("{}{}", change.stated, if change.is_firm { "" } else { ", not firm" });
    }
    let mut wanted = plant.advises(compiler).peekable();
    let mut predicted = String::new();
    if wanted.peek().is_some() {
        let is_wanted = |change: &&Change| wanted.all(|part| change.text.contains(part));
        outcome.is_predicted = match prediction.as_ref().filter(is_wanted) {
            Some(change) => change.stated.holds(gain, planted),
            None => Some(false),
        };
        predicted = prediction
            .as_ref()
            .map_or("none".to_owned(), |change| format!("{}: {}", change.text, change.stated));
    }
    let right = verdict.err().map_or("yes".to_owned(), |why| format!("no: {why}"));
    let cells = [
        plant.file().to_owned(),
        plant.fault.clone(),
        text.to_owned(),
        right,
        plant.repair.clone(),
        stated,
        gain.to_string(),
        if outcome.is_unclear { "pairs differ".to_owned() } else { said(outcome.is_within) },
        outcome.looseness.map_or(String::new(), |times| format!("{times:.2}")),
        predicted,
        said(outcome.is_predicted),
        milliseconds(planted),
        milliseconds(repaired),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    (format!("| {} |", cells.join(" | ")), outcome)
}

fn said(answer: Option<bool>) -> String {
    answer.map_or("", |yes| if yes { "yes" } else { "no" }).to_owned()
}

/// The median of `values`, at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Keeps the settings of the user's runtime, tools and profiler from `command`, but those that it
/// was given.
fn forget_settings(command: &mut Command) {
    let is_setting = |name: &str| SETTINGS.iter().any(|start| name.starts_with(start));
    let given: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_setting) && !given.contains(&name) {
            command.env_remove(name);
        }
    }
}

fn milliseconds(ns: f64) -> String {
    format!("{:.1} ms", ns / 1e6)
}

impl Setting {
    /// Records a run of `plant` by `oxomp profile`; returns the folder with the data.
    fn record(&self, plant: &Plant, line: &[PathBuf]) -> Result<PathBuf> {
        let data = self.folder.join(format!("{}.data", plant.file()));
        let mut profile = Command::new(self.dist.command());
        forget_settings(&mut profile);
        let runtime = if self.runtime == Runtime::Oxomp { "oxomp" } else { "keep" };
        profile.args(["profile", "--runtime", runtime, "-o"]).arg(&data).arg("--").args(line);
        self.prepare(&mut profile);
        command::capture(&mut profile)?;
        Ok(data)
    }

    /// The JSON that `oxomp` prints with these words on the recording in `data`.
    fn document(&self, words: &[&str], data: &Path) -> Result<Value> {
        let mut oxomp = Command::new(self.dist.command());
        let text = command::capture(oxomp.args(words).arg(data))?;
        serde_json::from_str(&text)
            .with_context(|| format!("no JSON from `{}`", command::line(&oxomp)))
    }

    /// How long a run takes, ns.
    fn time(&self, mut command: Command) -> Result<f64> {
        if self.runtime == Runtime::Oxomp {
            command.env("LD_LIBRARY_PATH", self.dist.lib());
        } else {
            self.prepare(&mut command);
        }
        forget_settings(&mut command);
        let begin = Instant::now();
        command::capture(&mut command)?;
        Ok(begin.elapsed().as_nanos() as f64)
    }

    /// Lets programs of clang find their own runtime.
    fn prepare(&self, command: &mut Command) {
        let folder = File::Libomp.path().parent();
        if self.compiler == Compiler::Clang
            && self.runtime == Runtime::Keep
            && let Some(folder) = folder
        {
            command.env("LD_LIBRARY_PATH", folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(vec![3.0, -9.0, 2.0, 1.0, 80.0]), 2.0);
    }
}
