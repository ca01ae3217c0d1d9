//! The outputs of `oxomp report` that other programs read, each to its place.
//!
//! A new format is a variant of [`Format`], a name in [`Format::name_of`] and a function in
//! [`write()`]; on the command line, an option in `cli::report::OutputArgs`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::Notes;
use oxomp_analysis::summary::Scope;
use oxomp_analysis::symbols::Symbols;
use oxomp_export::csv::tables;
use oxomp_export::{chrome, collapsed, firefox, json, perfetto, pprof, speedscope};

use super::archive::write_archive;
use super::job::{self, JobOutput};
use super::place::{NEEDS_FOLDER, place_of};
use crate::data_folder::shown;
use crate::document::{
    PRODUCER, VERSION, is_standard_output, on_standard_output, say_wrote, write_file,
};
use crate::failure::Failure;
use crate::messages::say;
use crate::progress::show_while;
use crate::props::{Format, ReportProps};
use crate::recordings::{check_is_file, read_part};

/// Writes `analysis` as `format` to a stream, and says what does not fit into it.
fn write(
    format: Format,
    analysis: &Analysis,
    props: &ReportProps,
    out: &mut dyn Write,
) -> io::Result<Option<String>> {
    match format {
        Format::Html => {
            let notes = Notes { version: VERSION.to_owned(), ..Notes::default() };
            out.write_all(oxomp_html::page(analysis, &notes).as_bytes()).map(|()| None)
        }
        Format::Json => json::write(analysis, PRODUCER, out).map(|()| None),
        Format::Perfetto => perfetto::write(analysis, PRODUCER, props.extent, out),
        Format::Firefox => firefox::write(analysis, PRODUCER, props.extent, out),
        Format::Chrome => chrome::write(analysis, PRODUCER, props.extent, out),
        Format::Collapsed => collapsed::write(analysis, props.extent, out),
        Format::Speedscope => speedscope::write(analysis, PRODUCER, props.extent, out),
        Format::Pprof => pprof::write(analysis, PRODUCER, props.extent, out),
        Format::Csv | Format::Otf2 => Err(io::Error::other(NEEDS_FOLDER)),
    }
}

/// Writes `analysis` as `format` to `place`. Returns the number of bytes, and what did not fit.
fn write_to(
    format: Format,
    analysis: &Analysis,
    props: &ReportProps,
    place: &Path,
) -> Result<(u64, Option<String>), Failure> {
    match format {
        Format::Csv => write_tables(analysis, place).map(|size| (size, None)),
        Format::Otf2 => write_archive(analysis, props.extent, place),
        _ => write_file(place, |out| write(format, analysis, props, out)),
    }
}

/// Writes the tables of `analysis` into a folder. Returns the number of bytes.
fn write_tables(analysis: &Analysis, place: &Path) -> Result<u64, Failure> {
    fs::create_dir_all(place).map_err(|error| Failure::cannot_write(place, &error))?;
    let mut size = 0;
    for table in tables(analysis) {
        let write = |out: &mut dyn Write| table.write(analysis, out);
        size += write_file(&place.join(table.file), write)?.0;
    }
    Ok(size)
}

/// Writes every output that `props` names, for each of `recordings`; and for `job`, the processes
/// side by side, those that compare processes.
pub(super) fn write_all(
    recordings: &[PathBuf],
    job: Option<&JobOutput<'_>>,
    props: &ReportProps,
) -> Result<(), Failure> {
    let on_stream = |format: Format| job.is_some() && job::compares(format);
    let streams = props.outputs.iter().filter(|(_, place)| is_standard_output(place.as_deref()));
    let documents =
        streams.map(|(format, _)| if on_stream(*format) { 1 } else { recordings.len() });
    if documents.sum::<usize>() > 1 {
        return Err(Failure::own("standard output takes one document: name files for the others"));
    }
    if matches!(props.scope, Scope::Phase(_))
        && let Some((format, _)) = props.outputs.iter().find(|(format, _)| format.is_timeline())
    {
        let option = format.option();
        return Err(Failure::own(format!(
            "{option} writes the timeline, of which a phase has none: without --phase, --window \
             FROM,TO shows a part of it"
        )));
    }
    let mut symbols = Symbols::new();
    for recording in recordings {
        let is_wanted = |(format, place): &&(Format, Option<PathBuf>)| {
            // One archive has all processes of a job.
            let is_of_job = *format == Format::Otf2 && job.is_some();
            !(is_of_job || is_standard_output(place.as_deref()) && on_stream(*format))
        };
        let outputs: Vec<_> = props.outputs.iter().filter(is_wanted).collect();
        if outputs.is_empty() {
            continue;
        }
        check_is_file(recording).map_err(Failure::own)?;
        let is_of_part = |(format, _): &&(Format, _)| *format.scope_of(&props.scope) == props.scope;
        let (of_part, of_run): (Vec<_>, Vec<_>) = outputs.into_iter().partition(is_of_part);
        for (scope, outputs) in [(&props.scope, of_part), (&Scope::Run, of_run)] {
            if outputs.is_empty() {
                continue;
            }
            let read = || read_part(recording, &mut symbols, scope);
            let analysis = show_while(&format!("reading {}", shown(recording)), read)
                .map_err(|error| Failure::own(error.to_string()))?;
            for (format, place) in outputs {
                let place = place.as_deref();
                if is_standard_output(place) {
                    let remark = on_standard_output(|out| write(*format, &analysis, props, out))?;
                    if let Some(remark) = remark.flatten() {
                        say(remark);
                    }
                    continue;
                }
                let of = (recording.as_path(), &props.scope);
                let place = place_of(*format, place, of, recordings.len() > 1);
                let work = || write_to(*format, &analysis, props, &place);
                let (size, remark) = show_while(&format!("writing {}", shown(&place)), work)?;
                say_wrote(&place, size, remark);
            }
        }
    }
    match job {
        Some(job) => job.write(props),
        None => Ok(()),
    }
}
