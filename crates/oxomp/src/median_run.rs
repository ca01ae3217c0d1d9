//! The summary of repeated runs: the median one, and how far they differ.

use std::path::Path;

use oxomp_compare::{median_run, spread};
use oxomp_text::Style;

use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::repetitions::repetition_names;
use crate::runs::ReadRuns;

/// The summary of the median run, and the spread.
pub(crate) fn render(runs: &ReadRuns, folder: &Path, style: Style) -> Result<String, Failure> {
    let mut text = String::new();
    if let Some(median) = median_run(&runs.set.runs) {
        let files = DataFolder::open(&runs.paths[median]).profiles()?;
        let profiles = RunProfiles::read(&files);
        text.push_str(&profiles.render(&RunNotes::default(), style).unwrap_or_default());
    }
    if runs.set.runs.len() > 1 {
        text.push_str(&spread(&runs.set.runs, style));
    }
    text.push_str(&format!("\nruns: {} ({})\n", shown(folder), repetition_names(folder)));
    if let Some(first) = runs.paths.first() {
        text.push_str(&format!("one of them: oxomp report {}\n", shown(first)));
    }
    Ok(text)
}
