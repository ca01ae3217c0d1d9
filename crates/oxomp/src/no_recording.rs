//! What to do about a folder without a recording of its own: where the recordings are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::data_folder::DataFolder;
use crate::repetitions::{listed, repetition_names, repetitions};
use crate::scale::folder::counts;

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
    if let Some((_, of_threads)) = counts(folder).first() {
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
            listed(&found),
            first.display()
        ),
        None => {
            format!("{name}: there is no .oxp file in this folder; `oxomp profile` writes them")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::no_recording;
    use crate::repetitions::{repetition, repetition_names};

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
