//! `oxomp scale`: the program at several numbers of threads, and what keeps it from scaling.

use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

use oxomp_scale::to_text;

use crate::data_folder::shown;
use crate::document::VERSION;
use crate::failure::Failure;
use crate::messages::{say, say_all};
use crate::output::written;
use crate::props::{ScaleProps, ScaleSubject};
use crate::terminal::style_of;

pub(crate) mod folder;
mod outputs;
mod plan;
mod read;
mod series;

use read::ReadScale;

/// Runs the program and shows its scale on standard error, or shows the runs of a folder on
/// standard output; writes the documents for which options are given.
pub(crate) fn scale(props: &ScaleProps) -> Result<ExitCode, Failure> {
    outputs::check(props)?;
    match &props.subject {
        ScaleSubject::Folder(path) => {
            let read = ReadScale::read(path)?;
            say_all(&read.messages);
            outputs::write_all(&read.scale, props)?;
            if props.json.is_none() && props.html.is_none() {
                let text = text_of(&read, path, &stdout());
                let mut output = stdout().lock();
                written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))?;
            }
            Ok(ExitCode::from(if read.is_partial { Failure::own("").status } else { 0 }))
        }
        ScaleSubject::Program { .. } => {
            let ran = series::run(&props.subject)?;
            // The program's exit status counts: a report that fails does not change it.
            if let Some(folder) = &ran.folder
                && let Err(failure) = show(folder, props)
            {
                say(format_args!("{failure}"));
            }
            match ran.failure {
                Some(failure) => Err(failure),
                None => Ok(ran.last.pass_on()),
            }
        }
    }
}

/// Prints the scale of the runs in `folder`, and writes the documents.
fn show(folder: &Path, props: &ScaleProps) -> Result<(), Failure> {
    let read = ReadScale::read(folder)?;
    say_all(&read.messages);
    let text = text_of(&read, folder, &stderr());
    // If standard error is closed, the text is lost; the data stays.
    stderr().lock().write_all(text.as_bytes()).ok();
    outputs::write_all(&read.scale, props).map_err(|failure| {
        let again = format!("`oxomp scale {}` with the option writes it", shown(folder));
        Failure { message: format!("{failure}; {again}"), ..failure }
    })
}

fn text_of<S>(read: &ReadScale, folder: &Path, stream: &S) -> String
where
    S: std::os::fd::AsFd + std::io::IsTerminal,
{
    let mut text = to_text(&read.scale, VERSION, style_of(stream));
    let folder = shown(folder);
    text.push_str(&format!("\nruns: {folder}; `oxomp scale {folder} --html FILE` makes a page\n"));
    text
}
