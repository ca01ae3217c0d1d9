//! The folder of a scale: `threads-N/run-M`, and the number of processors.

use std::fs;
use std::path::{Path, PathBuf};

use crate::repetitions::repetitions;

/// The folder of a number of threads is this and the number.
const THREADS: &str = "threads-";
/// The file with the number of processors that the program could use.
const PROCESSORS: &str = "processors";
/// The folder of a run that did not come to its end is this and the run's number.
const UNFINISHED: &str = "unfinished-";

/// The folder of the runs with `threads` threads.
pub(super) fn of_threads(folder: &Path, threads: u32) -> PathBuf {
    folder.join(format!("{THREADS}{threads}"))
}

/// The numbers of threads that have runs in `folder`, ascending, with the folders of their runs;
/// empty if `folder` is not a folder of a scale.
pub(crate) fn counts(folder: &Path) -> Vec<(u32, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let number = |path: &Path| -> Option<u32> {
        path.file_name()?.to_str()?.strip_prefix(THREADS)?.parse().ok()
    };
    let mut found: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((number(&entry.path())?, entry.path())))
        .filter(|(_, path)| !repetitions(path).is_empty())
        .collect();
    found.sort();
    found
}

/// Keeps the number of processors in `folder`. Without it, a later reader takes the number that the
/// process was allowed to use.
pub(super) fn keep_processors(folder: &Path, processors: u32) {
    fs::write(folder.join(PROCESSORS), format!("{processors}\n")).ok();
}

/// The number of processors that was kept in `folder`.
pub(super) fn processors(folder: &Path) -> Option<u32> {
    fs::read_to_string(folder.join(PROCESSORS)).ok()?.trim().parse().ok().filter(|kept| *kept > 0)
}

/// Gives the run at `run` a name by which it no longer counts as one.
pub(super) fn set_aside(run: &Path, number: u32) {
    if run.exists() {
        fs::rename(run, run.with_file_name(format!("{UNFINISHED}{number}"))).ok();
    }
}

/// Removes the folders of numbers of threads that have no run, and the whole if nothing is in it.
pub(super) fn discard_empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(THREADS) {
            // Only an empty folder can be removed so.
            fs::remove_dir(entry.path()).ok();
        }
    }
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    if names.map(|entry| entry.file_name()).all(|name| name == PROCESSORS) {
        fs::remove_file(folder.join(PROCESSORS)).ok();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{counts, discard_empty, keep_processors, of_threads, processors, set_aside};

    #[test]
    fn numbers_of_threads_come_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        for (threads, run) in [(16, "run-1"), (2, "run-1"), (4, "unfinished-1")] {
            fs::create_dir_all(of_threads(folder.path(), threads).join(run)).unwrap();
        }
        let found: Vec<u32> = counts(folder.path()).into_iter().map(|(count, _)| count).collect();
        assert_eq!(found, [2, 16]);
        set_aside(&of_threads(folder.path(), 2).join("run-1"), 1);
        assert_eq!(counts(folder.path()).len(), 1);
        assert!(folder.path().join("threads-2/unfinished-1").is_dir());
    }

    #[test]
    fn the_processors_are_kept_as_long_as_there_is_a_run() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(processors(folder.path()), None);
        keep_processors(folder.path(), 12);
        fs::create_dir_all(of_threads(folder.path(), 1).join("run-1")).unwrap();
        discard_empty(folder.path());
        assert_eq!(processors(folder.path()), Some(12));
        fs::remove_dir(of_threads(folder.path(), 1).join("run-1")).unwrap();
        discard_empty(folder.path());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
