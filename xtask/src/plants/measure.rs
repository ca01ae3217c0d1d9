//! One line of the table: a program profiled, and timed with and without its plant.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::File;

use super::advice::{self, Advice};
use super::program::Program;
use super::{Compiler, Runtime};
use crate::command;
use crate::dist::Dist;

/// The first lines of the table.
pub(super) const HEADING: &str = "\
| program | plant | what the summary says first | repair | predicted gain | measured: minimum, median \
| within | planted | repaired |
|---|---|---|---|---|---|---|---|---|";

/// Part of its time by which a run may differ from the next, besides what a summary states.
const RUN_TO_RUN: f64 = 0.05;

/// How the names of variables begin that change what a program's runtime does.
const SETTINGS: [&str; 5] = ["OMP_", "OXOMP_", "KMP_", "GOMP_", "LD_PRELOAD"];

/// What is the same for all programs.
pub(super) struct Setting {
    pub(super) compiler: Compiler,
    pub(super) runtime: Runtime,
    pub(super) dist: Dist,
    /// Where programs and recordings lie.
    pub(super) folder: PathBuf,
    pub(super) runs: u32,
}

/// A line of the table, and whether the measured gain lies where the summary says; `None` if it
/// says nothing.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) is_within: Option<bool>,
}

/// The line of `program`.
pub(super) fn measure(program: &Program, setting: &Setting) -> Result<Line> {
    let build = |repaired| program.build(setting.compiler, repaired, &setting.folder);
    let (planted, repaired) = (build(false)?, build(true)?);
    let advice = advice::first(&setting.summary(program, &planted)?);
    let interval = advice.as_ref().and_then(Advice::interval);
    let (says, predicted) = match advice {
        Some(advice) if advice.is_firm => (advice.text, advice.gain),
        Some(advice) => (advice.text, format!("{}, not firm", advice.gain)),
        None => ("nothing".to_owned(), "none".to_owned()),
    };
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..setting.runs {
        with.push(setting.time(program.command(&planted, false))?);
        without.push(setting.time(program.command(&repaired, true))?);
    }
    with.sort_unstable();
    without.sort_unstable();
    let middle = with.len() / 2;
    // A gain that lies within for the fastest runs or for the middle ones. A summary knows its own
    // run only, and one is not as long as the next.
    let other_run = RUN_TO_RUN * with[0].as_secs_f64() * 1e9;
    let gains = [0, middle].map(|at| (with[at].as_secs_f64() - without[at].as_secs_f64()) * 1e9);
    let is_within = interval.map(|interval| {
        let allowed = interval.least - other_run..=interval.most + other_run;
        gains.iter().any(|gain| allowed.contains(gain))
    });
    let text = format!(
        "| {} | {} | {} | {} | {predicted} | {}, {} | {} | {} | {} |",
        program.name,
        program.plant,
        says.replace('|', "\\|"),
        program.repair,
        gain(with[0], without[0]),
        gain(with[middle], without[middle]),
        is_within.map_or("", |within| if within { "yes" } else { "no" }),
        milliseconds(with[0]),
        milliseconds(without[0]),
    );
    Ok(Line { text, is_within })
}

/// What the repair saved, and which part of `planted` that is.
fn gain(planted: Duration, repaired: Duration) -> String {
    let (planted, repaired) = (planted.as_secs_f64(), repaired.as_secs_f64());
    let saved = planted - repaired;
    format!("{:.1} ms ({:.1} %)", saved * 1e3, saved / planted * 100.0)
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

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

impl Setting {
    /// What `oxomp profile` says of a run of `program`.
    fn summary(&self, program: &Program, line: &[PathBuf]) -> Result<String> {
        let mut profile = Command::new(self.dist.command());
        forget_settings(&mut profile);
        let runtime = if self.runtime == Runtime::Oxomp { "oxomp" } else { "keep" };
        profile.args(["profile", "--runtime", runtime, "-o"]);
        profile.arg(self.folder.join(format!("{}.data", program.name))).arg("--").args(line);
        self.prepare(&mut profile);
        let output = profile
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", self.dist.command().display()))?;
        let summary = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("`{}` failed: {}\n{summary}", command::line(&profile), output.status);
        }
        Ok(summary)
    }

    /// How long a run takes.
    fn time(&self, mut command: Command) -> Result<Duration> {
        if self.runtime == Runtime::Oxomp {
            command.env("LD_LIBRARY_PATH", self.dist.lib());
        } else {
            self.prepare(&mut command);
        }
        forget_settings(&mut command);
        let begin = Instant::now();
        command::capture(&mut command)?;
        Ok(begin.elapsed())
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
