//! The folders of a repetition, `run-1` and so on.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a repetition is this and its number.
const REPETITION: &str = "run-";

/// Names that a message lists; it counts the others.
const LISTED: usize = 4;

/// The name of the folder of repetition `number`, counted from 1.
pub(crate) fn repetition(number: u32) -> String {
    format!("{REPETITION}{number}")
}

/// The folders of the repetitions in `folder`, in their order; empty if it has none.
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

/// The names of the repetitions in `folder`: `run-1 to run-5`, or `run-1, run-3`.
pub(crate) fn repetition_names(folder: &Path) -> String {
    let runs = repetitions(folder);
    let whole = (1..).zip(&runs).all(|(number, path)| path.ends_with(repetition(number)));
    match runs.len() {
        count if whole && count > 2 => {
            format!("{} to {}", repetition(1), repetition(u32::try_from(count).unwrap_or(u32::MAX)))
        }
        _ => listed(&runs),
    }
}

/// The names of the first few of `paths`, as a list for people.
pub(crate) fn listed(paths: &[PathBuf]) -> String {
    let names = paths.iter().take(LISTED).filter_map(|path| path.file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let more = match paths.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names.join(", "))
}
