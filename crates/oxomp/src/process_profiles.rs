//! The profiles of a run, one per process that used OpenMP, as text.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use oxomp_analysis::report::units::{plural, time};
use oxomp_analysis::report::{Notes, render};
use oxomp_analysis::summarize_constructs;
use oxomp_analysis::summary::Summary;
use oxomp_analysis::symbols::Symbols;
use oxomp_text::Style;
use oxomp_trace::{Profile, ReadError};

use crate::data_folder::shown;
use crate::names;
use crate::progress;

/// Processes listed beside the one that is shown in full.
const LISTED: usize = 16;

/// Facts about a run beyond its files.
#[derive(Debug, Default)]
pub(crate) struct RunNotes {
    /// How the runtime got under the program.
    pub(crate) runtime_origin: Option<String>,
    /// How the program ended, if by a signal.
    pub(crate) ended: Option<String>,
}

/// A file, read and summed up.
#[derive(Debug)]
pub(crate) struct ProcessProfile {
    pub(crate) path: PathBuf,
    summary: Summary,
}

impl ProcessProfile {
    /// Whether the process only had a runtime, as every process does into which one is preloaded.
    fn is_idle(&self) -> bool {
        let summary = &self.summary;
        summary.regions.is_empty()
            && summary.mutexes.is_empty()
            && summary.barriers.is_empty()
            && summary.quality.stopped.is_none()
    }
}

/// All files of a run.
#[derive(Debug, Default)]
pub(crate) struct RunProfiles {
    /// Processes that used OpenMP, the one with the most threads' time first.
    pub(crate) active: Vec<ProcessProfile>,
    /// Processes that had a runtime and did not use it.
    pub(crate) idle: Vec<ProcessProfile>,
    /// How many of those there were.
    pub(crate) unused: usize,
    /// One message for each file that could not be read.
    pub(crate) unreadable: Vec<String>,
    /// Files in which the recording did not even begin.
    pub(crate) unbegun: Vec<PathBuf>,
    /// The names of their places, as far as they were asked for.
    symbols: RefCell<Symbols>,
}

impl RunProfiles {
    /// Reads `files`.
    pub(crate) fn read(files: &[PathBuf]) -> Self {
        let mut run = Self::default();
        let mut symbols = Symbols::new();
        for path in files {
            let metadata = fs::metadata(path);
            // Something that is not a regular file may have no end, or block until another process
            // writes to it.
            if metadata.as_ref().is_ok_and(|metadata| !metadata.is_file()) {
                let message = format!("{}: neither a file nor a folder of them", path.display());
                run.unreadable.push(message);
                continue;
            }
            let size = metadata.map_or(0, |metadata| metadata.len());
            let what = format!("reading {} ({})", shown(path), file_size(size));
            names::recall(path, &mut symbols);
            let read =
                || Profile::open(path).map(|profile| summarize_constructs(&profile, &mut symbols));
            match progress::show_while(&what, read) {
                Ok(summary) if has_not_begun(&summary) => run.unbegun.push(path.clone()),
                Ok(summary) => {
                    let profile = ProcessProfile { path: path.clone(), summary };
                    if profile.is_idle() {
                        run.idle.push(profile);
                    } else {
                        run.active.push(profile);
                    }
                }
                Err(ReadError::InFile { source, .. }) if matches!(*source, ReadError::Empty) => {
                    run.unbegun.push(path.clone());
                }
                Err(error) => run.unreadable.push(error.to_string()),
            }
        }
        run.unused = run.idle.len();
        run.active.sort_by_key(|profile| std::cmp::Reverse(profile.summary.budget.total_ns));
        run.symbols = RefCell::new(symbols);
        run
    }

    /// The files of all active processes, or of an idle one if there is none.
    pub(crate) fn shown(&self) -> Vec<PathBuf> {
        let active = self.active.iter().map(|profile| profile.path.clone()).collect::<Vec<_>>();
        if !active.is_empty() {
            return active;
        }
        self.idle.first().map(|idle| idle.path.clone()).into_iter().collect()
    }

    /// Keeps the names of the active processes' places beside their recordings.
    pub(crate) fn keep_names(&self) {
        let mut symbols = self.symbols.borrow_mut();
        for profile in &self.active {
            progress::show_while("reading debug information", || {
                symbols.places(&profile.summary.sites)
            });
            names::keep(&profile.path, &symbols);
        }
    }

    /// The first active process in full, or an idle one if there is no other, and the other active
    /// ones as a line each; `None` if there is none at all.
    pub(crate) fn render(&self, notes: &RunNotes, style: Style) -> Option<String> {
        let main = self.active.first().or(self.idle.first())?;
        let places = progress::show_while("reading debug information", || {
            self.symbols.borrow_mut().places(&main.summary.sites)
        });
        let mut data = vec![data_line(&main.path)];
        data.extend(other_processes(self.active.get(1..).unwrap_or_default()));
        if !self.active.is_empty() && self.unused > 0 {
            let processes = if self.unused == 1 { "process" } else { "processes" };
            data.push(format!("{} more {processes} had a runtime and no region", self.unused));
        }
        let notes = Notes {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            runtime_origin: notes.runtime_origin.clone(),
            ended: notes.ended.clone(),
            data,
        };
        Some(render(&main.summary, &places, &notes, style))
    }
}

/// Whether the collector made the file and then had no room for anything.
fn has_not_begun(summary: &Summary) -> bool {
    summary.header.runtime.is_empty()
        && summary.threads.is_empty()
        && summary.quality.damaged.is_empty()
}

fn data_line(path: &Path) -> String {
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    format!("data: {} ({})", shown(path), file_size(size))
}

fn other_processes(others: &[ProcessProfile]) -> Vec<String> {
    if others.is_empty() {
        return Vec::new();
    }
    let mut lines =
        vec!["Other processes used OpenMP too; `oxomp report FILE` shows one of them:".to_owned()];
    lines.extend(others.iter().take(LISTED).map(|other| {
        let summary = &other.summary;
        format!(
            "  {}  {}, {}, wall {}",
            shown(&other.path),
            summary.header.command.first().unwrap_or(&summary.header.executable),
            plural(summary.header.threads.into(), "thread"),
            time(summary.header.wall_ns)
        )
    }));
    if others.len() > LISTED {
        lines.push(format!("  and {} more", others.len() - LISTED));
    }
    lines
}

/// A size for people.
pub(crate) fn file_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    let mut size = bytes as f64 / 1e3;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1e3;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::file_size;

    #[test]
    fn file_sizes_have_a_fitting_unit() {
        assert_eq!(file_size(0), "0.0 kB");
        assert_eq!(file_size(3_140_000), "3.1 MB");
        assert_eq!(file_size(999_960), "1.0 MB");
        assert_eq!(file_size(5_000_000_000_000_000), "5000.0 TB");
    }
}
