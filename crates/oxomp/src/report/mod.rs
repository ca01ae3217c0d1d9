//! `oxomp report`: the summary of a recorded run, on standard output.

use std::io::{Write, stdout};
use std::process::ExitCode;

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::written;
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::props::ReportProps;
use crate::terminal::style_of;

/// Prints the summary of a file or of a folder's files.
pub(crate) fn report(props: &ReportProps) -> Result<ExitCode, Failure> {
    let path = &props.path;
    let shown = path.display();
    let metadata = path.metadata().map_err(|error| Failure::own(format!("{shown}: {error}")))?;
    let files = if metadata.is_dir() {
        let files = DataFolder::open(path).profiles()?;
        if files.is_empty() {
            return Err(Failure::own(format!(
                "{shown}: there is no .oxp file in this folder; `oxomp profile` writes them"
            )));
        }
        files
    } else {
        vec![path.clone()]
    };
    let run = RunProfiles::read(&files);
    for message in &run.unreadable {
        eprintln!("oxomp: {message}");
    }
    for path in &run.unbegun {
        eprintln!("oxomp: {}: the program ended before anything was recorded", path.display());
    }
    let Some(text) = run.render(&RunNotes::default(), style_of(&stdout())) else {
        return Ok(ExitCode::from(Failure::own("").status));
    };
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))?;
    let whole = run.unreadable.is_empty() && run.unbegun.is_empty();
    let status = if whole { 0 } else { Failure::own("").status };
    Ok(ExitCode::from(status))
}
