//! Recordings as runs that can be compared: a file, the folder of a run, a folder of repeated runs.

use std::path::{Path, PathBuf};

use oxomp_analysis::summarize_constructs;
use oxomp_analysis::summary::Summary;
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_compare::{Run, RunSet};
use oxomp_trace::Profile;

use crate::data_folder::shown;
use crate::failure::Failure;
use crate::names;
use crate::progress;
use crate::recordings::{check_is_file, recordings_at};
use crate::repetitions::repetitions;

/// The runs that could be read, and why the others could not.
#[derive(Debug)]
pub(crate) struct ReadRuns {
    /// The runs; never empty.
    pub(crate) set: RunSet,
    /// The folder or file of each run.
    pub(crate) paths: Vec<PathBuf>,
    /// Files that could not be read, and other processes of a run, in words.
    pub(crate) messages: Vec<String>,
    /// Whether a run is missing because it could not be read.
    pub(crate) is_partial: bool,
}

impl ReadRuns {
    /// Reads the runs at `path`.
    ///
    /// # Errors
    ///
    /// If no run can be read; the message names each file and the reason.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let metadata = path.metadata().map_err(|error| Failure::cannot_read(path, &error))?;
        let mut runs = if metadata.is_dir() { repetitions(path) } else { Vec::new() };
        if runs.is_empty() {
            runs.push(path.to_owned());
        }
        let mut read = Self {
            set: RunSet { name: shown(path), runs: Vec::new() },
            paths: Vec::new(),
            messages: Vec::new(),
            is_partial: false,
        };
        let mut symbols = Symbols::new();
        for run in runs {
            match read_run(&run, &mut symbols) {
                Ok((found, message)) => {
                    read.set.runs.push(found);
                    read.paths.push(run);
                    read.messages.extend(message);
                }
                Err(message) => {
                    read.messages.push(message);
                    read.is_partial = true;
                }
            }
        }
        read.prefer_whole_runs();
        if read.set.runs.is_empty() {
            return Err(Failure::own(read.messages.join("\noxomp: ")));
        }
        Ok(read)
    }

    /// Leaves out runs whose recording is not whole, if others are.
    fn prefer_whole_runs(&mut self) {
        let is_whole = |run: &Run| run.facts.incomplete.is_empty();
        if !self.set.runs.iter().any(is_whole) {
            return;
        }
        let mut index = 0;
        while index < self.set.runs.len() {
            if is_whole(&self.set.runs[index]) {
                index += 1;
                continue;
            }
            let run = self.set.runs.remove(index);
            let path = self.paths.remove(index);
            let why = run.facts.incomplete.join(", ");
            self.messages.push(format!("{}: left out: {why}", shown(&path)));
            self.is_partial = true;
        }
    }
}

/// The numbers of a run, and a message if they are not of all its processes.
fn read_run(path: &Path, symbols: &mut Symbols) -> Result<(Run, Option<String>), String> {
    let (summary, places, message) = read_summary(path, symbols)?;
    Ok((Run::of(&summary, &places), message))
}

/// The process of a run with the most threads' time, the names of its places, and a message if
/// there are other processes.
pub(crate) fn read_summary(
    path: &Path,
    symbols: &mut Symbols,
) -> Result<(Summary, Vec<Place>, Option<String>), String> {
    let mut summaries = Vec::new();
    for file in &recordings_at(path).map_err(|failure| failure.message)? {
        summaries.push(read_file(file, symbols)?);
    }
    let others = summaries.len() - 1;
    let summary = summaries
        .into_iter()
        .max_by_key(|summary| summary.budget.total_ns)
        .expect("there is at least one file");
    let places =
        progress::show_while("reading debug information", || symbols.places(&summary.sites));
    let message = (others > 0).then(|| {
        format!(
            "{}: of {} processes, the one with the most threads' time is compared",
            shown(path),
            others + 1
        )
    });
    Ok((summary, places, message))
}

fn read_file(path: &Path, symbols: &mut Symbols) -> Result<Summary, String> {
    check_is_file(path)?;
    names::recall(path, symbols);
    let read = || Profile::open(path).map(|profile| summarize_constructs(&profile, symbols));
    let summary = progress::show_while(&format!("reading {}", shown(path)), read)
        .map_err(|error| error.to_string())?;
    if summary.threads.is_empty() && summary.quality.damaged.is_empty() {
        let path = path.display();
        return Err(format!("{path}: the program ended before anything was recorded"));
    }
    Ok(summary)
}
