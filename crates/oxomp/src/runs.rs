//! Recordings as runs that can be compared: a file, the folder of a run, a folder of repeated runs.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_analysis::summarize_constructs;
use oxomp_analysis::summary::Summary;
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_compare::{Run, RunSet};
use oxomp_trace::Profile;

use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::names;
use crate::progress;
use crate::recordings::{check_is_file, recordings_at};
use crate::scale;

/// The folder of a repetition is this and its number.
const REPETITION: &str = "run-";

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

/// The name of the folder of repetition `number`, counted from 1.
pub(crate) fn repetition(number: u32) -> String {
    format!("{REPETITION}{number}")
}

/// The folders of the repetitions in `folder`, in their order; empty if there are none.
pub(crate) fn repetitions(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let number = |path: &Path| -> Option<u32> {
        path.file_name()?.to_str()?.strip_prefix(REPETITION)?.parse().ok()
    };
    let mut found: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((number(&entry.path())?, entry.path())))
        .filter(|(_, path)| path.is_dir())
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// Names that a message lists; it counts the others.
const LISTED: usize = 4;

/// The names of the repetitions in `folder`: `run-1 to run-5`, or `run-1, run-3`.
pub(crate) fn repetition_names(folder: &Path) -> String {
    let runs = repetitions(folder);
    let whole = (1..).zip(&runs).all(|(number, path)| path.ends_with(repetition(number)));
    match runs.len() {
        count if whole && count > 2 => {
            format!("{} to {}", repetition(1), repetition(u32::try_from(count).unwrap_or(u32::MAX)))
        }
        _ => names(&runs),
    }
}

fn names(paths: &[PathBuf]) -> String {
    let listed = paths.iter().take(LISTED).filter_map(|path| path.file_name());
    let listed: Vec<String> = listed.map(|name| name.to_string_lossy().into_owned()).collect();
    let more = match paths.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", listed.join(", "))
}

/// The folders in `folder` that hold recordings or repeated runs, by name.
fn folders_with_runs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let holds = |path: &Path| {
        path.is_dir()
            && (DataFolder::open(path).profiles().is_ok_and(|profiles| !profiles.is_empty())
                || !repetitions(path).is_empty())
    };
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| holds(path)).collect();
    found.sort();
    found
}

/// The message about a folder without a recording of its own.
pub(crate) fn no_recording(folder: &Path) -> String {
    let name = folder.display();
    if let Some(first) = repetitions(folder).first() {
        return format!(
            "{name}: the runs of a repetition are in folders of their own, {}: name one, such as \
             {}; `oxomp diff` compares them with those of another folder",
            repetition_names(folder),
            first.display()
        );
    }
    if let Some((_, of_threads)) = scale::folder::counts(folder).first() {
        let first = repetitions(of_threads).into_iter().next().unwrap_or_default();
        return format!(
            "{name}: holds the runs of `oxomp scale`: `oxomp scale {name}` shows them, and one of \
             them is {}",
            first.display()
        );
    }
    let found = folders_with_runs(folder);
    match found.first() {
        Some(first) => format!(
            "{name}: there is no .oxp file in this folder, but in {} below it: name one, as {}",
            names(&found),
            first.display()
        ),
        None => {
            format!("{name}: there is no .oxp file in this folder; `oxomp profile` writes them")
        }
    }
}

impl ReadRuns {
    /// Reads the runs at `path`.
    ///
    /// # Errors
    ///
    /// If there is no run that can be read; the message names each file and the reason.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{no_recording, repetition, repetition_names};

    #[test]
    fn a_folder_of_repetitions_names_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let message = no_recording(folder.path());
        assert!(message.contains("there is no .oxp file"), "{message}");
        for name in ["run-10", "run-2"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let message = no_recording(folder.path());
        let first = folder.path().join("run-2").display().to_string();
        assert!(message.contains(&first) && !message.contains("no .oxp"), "{message}");
        assert!(message.contains("run-2, run-10:"), "{message}");
        for number in 1..=10 {
            fs::create_dir_all(folder.path().join(repetition(number))).unwrap();
        }
        assert_eq!(repetition_names(folder.path()), "run-1 to run-10");
    }

    #[test]
    fn a_folder_above_recordings_names_theirs() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["app-2", "app-1", "empty"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("app-2/run.oxp"), "").unwrap();
        fs::create_dir(folder.path().join("app-1/run-1")).unwrap();
        let message = no_recording(folder.path());
        let first = folder.path().join("app-1").display().to_string();
        assert!(message.contains("but in app-1, app-2 below it"), "{message}");
        assert!(message.ends_with(&first) && !message.contains("empty"), "{message}");
    }
}
