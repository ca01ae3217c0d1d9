//! `oxomp report`: the summary of a recorded run, on standard output, or what other programs read.

use std::io::{Write, stdout};
use std::process::ExitCode;

use oxomp_analysis::summary::Scope;
use oxomp_export::json;

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::median_run;
use crate::messages::{say, say_all};
use crate::output::written;
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::props::{DocumentKind, ReportProps};
use crate::ranks;
use crate::recordings::recordings_at;
use crate::repetitions::{repetition_names, repetitions};
use crate::runs::ReadRuns;
use crate::terminal::style_of;

mod archive;
mod job;
mod outputs;
mod place;

use job::JobOutput;

/// Prints the schema of the JSON documents of that kind.
pub(crate) fn json_schema(kind: DocumentKind) -> Result<ExitCode, Failure> {
    let schema = match kind {
        DocumentKind::Process => json::SCHEMA,
        DocumentKind::Job => json::JOB_SCHEMA,
        DocumentKind::Scale => json::SCALE_SCHEMA,
    };
    let mut output = stdout().lock();
    written(output.write_all(schema.as_bytes()).and_then(|()| output.flush()))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the summary of a file or of a folder's files, or writes the outputs for which options are
/// given.
pub(crate) fn report(props: &ReportProps) -> Result<ExitCode, Failure> {
    let path = &props.path;
    if path.is_dir()
        && DataFolder::open(path).profiles()?.is_empty()
        && !repetitions(path).is_empty()
    {
        return report_repeated(props);
    }
    let files = recordings_at(path)?;
    let mut notes = RunNotes { scope: props.scope.clone(), ..RunNotes::default() };
    if path.is_dir() {
        notes.warnings = ranks::warnings(&DataFolder::open(path));
        notes.folder = Some(path.clone());
    }
    if !props.outputs.is_empty() && files.len() == 1 {
        outputs::write_all(&files, None, props)?;
        return Ok(ExitCode::SUCCESS);
    }
    let scopes = props.outputs.iter().map(|(format, _)| format.scope_of(&props.scope));
    let scope = scopes.max_by_key(|scope| **scope != Scope::Run).unwrap_or(&props.scope);
    let run = RunProfiles::read_part(&files, scope);
    say_all(&run.unreadable);
    for path in &run.unbegun {
        say(format_args!("{}: the program ended before anything was recorded", path.display()));
    }
    let whole = run.unreadable.is_empty() && run.unbegun.is_empty();
    let status = ExitCode::from(if whole { 0 } else { Failure::own("").status });
    if !props.outputs.is_empty() {
        let job = run.job();
        let (events, warnings) = (&run.events, notes.warnings.as_slice());
        let job = job.as_ref().map(|job| JobOutput { job, events, warnings, folder: path });
        outputs::write_all(&run.shown(), job.as_ref(), props)?;
        return Ok(status);
    }
    let Some(text) = run.render(&notes, style_of(&stdout())) else {
        return Ok(ExitCode::from(Failure::own("").status));
    };
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))?;
    Ok(status)
}

/// Prints the summary of a folder of repeated runs.
fn report_repeated(props: &ReportProps) -> Result<ExitCode, Failure> {
    let path = &props.path;
    if props.scope != Scope::Run {
        return Err(Failure::own(format!(
            "{}: holds repeated runs ({}), and a part is of one: name one of them",
            path.display(),
            repetition_names(path)
        )));
    }
    if !props.outputs.is_empty() {
        let options: Vec<&str> = props.outputs.iter().map(|(format, _)| format.option()).collect();
        let first = repetitions(path).into_iter().next().unwrap_or_default();
        return Err(Failure::own(format!(
            "{}: holds repeated runs ({}), and an output shows one: `oxomp report {} {}`",
            path.display(),
            repetition_names(path),
            first.display(),
            options.join(" ")
        )));
    }
    let runs = ReadRuns::read(path)?;
    say_all(&runs.messages);
    let text = median_run::render(&runs, path, style_of(&stdout()))?;
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))?;
    Ok(ExitCode::from(if runs.is_partial { Failure::own("").status } else { 0 }))
}
