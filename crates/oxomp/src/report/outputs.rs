//! The outputs of `oxomp report` that other programs read, each to its place.
//!
//! A new format is a variant of [`Format`], a name in [`Format::name_of`] and a function in
//! [`write()`]; on the command line, an option in `cli::report::OutputArgs`.

use std::fs;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::Notes;
use oxomp_analysis::symbols::Symbols;
use oxomp_export::csv::tables;
use oxomp_export::{collapsed, firefox, json, perfetto, pprof, speedscope};

use super::job::{self, JobOutput};
use crate::data_folder::shown;
use crate::failure::Failure;
use crate::messages::say;
use crate::new_file::NewFile;
use crate::output::written;
use crate::process_profiles::file_size;
use crate::progress::show_while;
use crate::props::{Format, ReportProps};
use crate::recordings::{check_is_file, read};

/// The path that stands for standard output.
const STANDARD_OUTPUT: &str = "-";
/// The stem of a recording's name that is not repeated in the names of outputs.
const SINGLE: &str = "run";
/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Why a stream takes no tables.
pub(super) const NEEDS_FOLDER: &str = "several tables need a folder: --csv=DIR";
/// The producer that documents name.
pub(crate) const PRODUCER: &str = concat!("oxomp ", env!("CARGO_PKG_VERSION"));

impl Format {
    /// The option that asks for the output.
    pub(super) fn option(self) -> &'static str {
        match self {
            Format::Html => "--html",
            Format::Json => "--json",
            Format::Csv => "--csv",
            Format::Perfetto => "--perfetto",
            Format::Firefox => "--firefox",
            Format::Collapsed => "--collapsed",
            Format::Speedscope => "--speedscope",
            Format::Pprof => "--pprof",
        }
    }

    /// The output's name for the recording `stem.oxp`.
    fn name_of(self, stem: &str) -> String {
        let number = if stem == SINGLE { String::new() } else { format!(".{stem}") };
        match self {
            Format::Html => format!("report{number}.html"),
            Format::Json => format!("run{number}.json"),
            Format::Csv => format!("csv{number}"),
            Format::Perfetto => format!("run{number}.pftrace"),
            Format::Firefox => format!("run{number}.firefox.json"),
            Format::Collapsed => format!("run{number}.collapsed"),
            Format::Speedscope => format!("run{number}.speedscope.json"),
            Format::Pprof => format!("run{number}.pb.gz"),
        }
    }
}

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
        Format::Collapsed => collapsed::write(analysis, props.extent, out),
        Format::Speedscope => speedscope::write(analysis, PRODUCER, props.extent, out),
        Format::Pprof => pprof::write(analysis, PRODUCER, props.extent, out),
        Format::Csv => Err(io::Error::other(NEEDS_FOLDER)),
    }
}

/// Writes `analysis` as `format` to `place`. Returns the number of bytes, and what did not fit.
fn write_to(
    format: Format,
    analysis: &Analysis,
    props: &ReportProps,
    place: &Path,
) -> Result<(u64, Option<String>), Failure> {
    if format != Format::Csv {
        return write_file(place, |out| write(format, analysis, props, out));
    }
    fs::create_dir_all(place).map_err(|error| Failure::cannot_write(place, &error))?;
    let mut size = 0;
    for table in tables(analysis) {
        let write = |out: &mut dyn Write| table.write(analysis, out);
        size += write_file(&place.join(table.file), write)?.0;
    }
    Ok((size, None))
}

/// Makes the file `place` with the content that `write` gives it. Returns its size, and what
/// `write` does.
pub(crate) fn write_file<T>(
    place: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<(u64, T), Failure> {
    let whole = || {
        let mut file = NewFile::create(place)?;
        let result = write(&mut file)?;
        Ok((file.finish()?, result))
    };
    whole().map_err(|error| Failure::cannot_write(place, &error))
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
    let mut symbols = Symbols::new();
    for recording in recordings {
        let is_wanted = |(format, place): &&(Format, Option<PathBuf>)| {
            !(is_standard_output(place.as_deref()) && on_stream(*format))
        };
        let outputs: Vec<_> = props.outputs.iter().filter(is_wanted).collect();
        if outputs.is_empty() {
            continue;
        }
        check_is_file(recording).map_err(Failure::own)?;
        let read = || read(recording, &mut symbols);
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
            let place = place_of(*format, place, recording, recordings.len() > 1);
            let work = || write_to(*format, &analysis, props, &place);
            let (size, remark) = show_while(&format!("writing {}", shown(&place)), work)?;
            say_wrote(&place, size, remark);
        }
    }
    match job {
        Some(job) => job.write_all(props),
        None => Ok(()),
    }
}

/// Gives `write` standard output. Returns what `write` does; `None` if nobody reads on.
pub(crate) fn on_standard_output<T>(
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<Option<T>, Failure> {
    let mut out = io::BufWriter::new(stdout().lock());
    match write(&mut out).and_then(|result| out.flush().map(|()| result)) {
        Ok(result) => Ok(Some(result)),
        Err(error) => written(Err(error)).map(|()| None),
    }
}

pub(crate) fn say_wrote(place: &Path, size: u64, remark: Option<String>) {
    let remark = remark.map_or(String::new(), |remark| format!("; {remark}"));
    say(format_args!("wrote {} ({}){remark}", shown(place), file_size(size)));
}

pub(crate) fn is_standard_output(place: Option<&Path>) -> bool {
    place.is_some_and(|place| place == Path::new(STANDARD_OUTPUT))
}

/// The place of an output: the one that the user names, with the recording's name before its ending
/// where there are `several` recordings, else one beside the recording.
pub(super) fn place_of(
    format: Format,
    named: Option<&Path>,
    recording: &Path,
    several: bool,
) -> PathBuf {
    let stem = recording.file_stem().unwrap_or_default().to_string_lossy();
    match named {
        None => recording.with_file_name(format.name_of(&stem)),
        Some(named) if !several => named.to_owned(),
        Some(named) => {
            let name = named.file_name().unwrap_or_default().to_string_lossy();
            named.with_file_name(match name.split_once('.') {
                Some((name, ending)) if !name.is_empty() => format!("{name}.{stem}.{ending}"),
                _ => format!("{name}.{stem}"),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::place_of;
    use crate::props::Format;

    #[test]
    fn outputs_lie_beside_the_recording_or_where_the_user_says() {
        let of = |named: Option<&str>, recording: &str, several| {
            let place = place_of(Format::Json, named.map(Path::new), Path::new(recording), several);
            place.display().to_string()
        };
        assert_eq!(of(None, "data/run.oxp", false), "data/run.json");
        assert_eq!(of(None, "data/4711.oxp", true), "data/run.4711.json");
        assert_eq!(of(Some("x/a.json"), "data/run.oxp", false), "x/a.json");
        assert_eq!(of(Some("x/a.b.json"), "data/12.oxp", true), "x/a.12.b.json");
        assert_eq!(of(Some("a"), "data/12.oxp", true), "a.12");
    }
}
