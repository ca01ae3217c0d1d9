//! OMPT events: recording them, and asserting them in full.
//!
//! The recorder, a tool of its own, writes a log ([`log`]). Every log must keep the rules that hold
//! for all programs ([`rules`], for which [`told`] has the events in the types of the interface, or
//! [`report_2015`] where the recorder listens by that [`interface`]); a program with a `Trace`
//! directive also lists the events of each thread ([`mod@expand`], [`language`]), and each thread's
//! events must be exactly those ([`matcher`], [`verdict`]).

pub mod expand;
pub mod interface;
pub mod language;
pub mod log;
pub mod matcher;
pub mod quirks;
pub mod report_2015;
pub mod rules;
pub mod source;
pub mod told;
pub mod value;
pub mod verdict;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::case::Case;
use crate::settings::{Settings, Subject};
use crate::trace::expand::{Line, expand};
use crate::trace::interface::Interface;
use crate::trace::source::SourceLines;

/// Lets the program that `command` runs load `recorder` alone, which writes `log`.
pub fn record_with(command: &mut Command, recorder: &Path, log: &Path) {
    command.env("OMP_TOOL", "enabled").env("OMP_TOOL_LIBRARIES", recorder).env("OXOMP_RECORD", log);
}

/// The interface by which the recorder listens to a case.
fn interface(settings: &Settings, case: &Case) -> Interface {
    match case.directives.trace {
        Some(_) => case.directives.interface,
        None => settings.interface,
    }
}

/// Lets the program that `command` runs load the recorder, which writes [`LOG`] in the folder
/// `scratch`: alone, or by the multiplexer.
///
/// # Errors
///
/// Names the tool that is missing.
pub fn enable(
    command: &mut Command,
    settings: &Settings,
    case: &Case,
    scratch: &Path,
) -> Result<(), String> {
    let interface = interface(settings, case);
    let recorder = &settings.recorder;
    let collector = settings.runtime.join("liboxomp_collect.so");
    // The multiplexer hosts tools of one interface, and the collector is one of OpenMP's.
    let mut hosted = vec![recorder.as_os_str()];
    if interface == Interface::OpenMp {
        // The collector comes first: what it stores must not show in the recorder's words.
        hosted.insert(0, collector.as_os_str());
    }
    let used: &[&OsStr] = match &settings.multiplexer {
        Some(multiplexer) => &[&hosted[..], &[multiplexer.as_os_str()]].concat(),
        None => &[recorder.as_os_str()],
    };
    if let Some(missing) = used.iter().map(Path::new).find(|tool| !tool.exists()) {
        return Err(format!(
            "the tool {} is missing: run `cargo xtask test`, or name the recorder in \
             OXOMP_RECORDER and the folder of the others in OXOMP_LIB",
            missing.display()
        ));
    }
    record_with(command, recorder, &scratch.join(LOG));
    if interface == Interface::Report2015 {
        command.env("OXOMP_RECORD_INTERFACE", "2015");
    }
    if let Some(multiplexer) = &settings.multiplexer {
        command
            .env("OMP_TOOL_LIBRARIES", multiplexer)
            .env("OXOMP_MULTIPLEX_TOOLS", hosted.join(OsStr::new(":")))
            .env("OXOMP_TOOL", "profile")
            .env("OXOMP_OUT", scratch);
    }
    Ok(())
}

/// The log of the recorder in the folder that `enable` was given.
pub const LOG: &str = "events";

/// Checks the log of a case.
///
/// # Errors
///
/// Names the error in the log or in the expectation.
pub fn check(
    settings: &Settings,
    case: &Case,
    executable: &Path,
    log: &Path,
) -> Result<(), String> {
    let text = fs::read_to_string(log)
        .map_err(|error| format!("the program ran without the recorder: no log ({error})"))?;
    let mut log = log::parse(&text)?;
    let interface = interface(settings, case);
    match (settings.subject, interface) {
        (Subject::Runtime, Interface::OpenMp) => {
            rules::check(&log)?;
            rules::check_registration(&log)?;
        }
        (Subject::Runtime, Interface::Report2015) => report_2015::check(&log)?,
        (Subject::Reference, _) => quirks::even_out(&mut log),
    }
    let lines = case.directives.trace.as_deref().unwrap_or_default();
    if lines.is_empty() {
        return Ok(());
    }
    let shared = shared_pieces(&settings.tests.join("expect").join(interface.pieces()))?;
    let expanded = expand(&shared, lines, case.recipe.compiler)?;
    let expectation = language::parse(&expanded)?;
    let source = SourceLines::new(executable, &case.recipe.source)?;
    verdict::check(&expectation, &log, &source, settings.subject)
}

fn shared_pieces(path: &Path) -> Result<Vec<Line>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((1..).zip(text.lines().map(|line| line.trim().to_owned())).collect())
}
