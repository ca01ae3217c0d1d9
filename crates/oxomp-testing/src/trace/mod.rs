//! OMPT events: recording them, and asserting them in full.
//!
//! The recorder, a tool of its own, writes a log ([`log`]). Every log must keep the rules that hold
//! for all programs ([`rules`]); a program with a `Trace` directive also lists the events of each
//! thread ([`mod@expand`], [`language`]), and each thread's events must be exactly those
//! ([`matcher`], [`verdict`]).

pub mod expand;
pub mod language;
pub mod log;
pub mod matcher;
pub mod quirks;
pub mod rules;
pub mod source;
pub mod value;
pub mod verdict;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::case::Case;
use crate::settings::{Settings, Subject};
use crate::trace::expand::{Line, expand};
use crate::trace::source::SourceLines;

/// Lets the program that `command` runs load `recorder` alone, which writes `log`.
pub fn record_with(command: &mut Command, recorder: &Path, log: &Path) {
    command.env("OMP_TOOL", "enabled").env("OMP_TOOL_LIBRARIES", recorder).env("OXOMP_RECORD", log);
}

/// Lets the program that `command` runs load the recorder, which writes [`LOG`] in the folder
/// `scratch`: alone, or beside the collector.
///
/// # Errors
///
/// Names the tool that is missing.
pub fn enable(command: &mut Command, settings: &Settings, scratch: &Path) -> Result<(), String> {
    let recorder = &settings.recorder;
    let collector = settings.runtime.join("liboxomp_collect.so");
    let tools = [Some(recorder), settings.multiplexer.as_ref()].into_iter().flatten();
    let others = settings.multiplexer.iter().map(|_| &collector);
    if let Some(missing) = tools.chain(others).find(|tool| !tool.exists()) {
        return Err(format!(
            "the tool {} is missing: run `cargo xtask test`, or name the recorder in \
             OXOMP_RECORDER and the folder of the others in OXOMP_LIB",
            missing.display()
        ));
    }
    record_with(command, recorder, &scratch.join(LOG));
    match &settings.multiplexer {
        None => command,
        // The collector comes first: what it stores must not show in the recorder's words.
        Some(multiplexer) => command
            .env("OMP_TOOL_LIBRARIES", multiplexer)
            .env(
                "OXOMP_MULTIPLEX_TOOLS",
                [collector.as_os_str(), recorder.as_os_str()].join(OsStr::new(":")),
            )
            .env("OXOMP_TOOL", "profile")
            .env("OXOMP_OUT", scratch),
    };
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
    match settings.subject {
        Subject::Runtime => {
            rules::check(&log)?;
            rules::check_registration(&log)?;
        }
        Subject::Reference => quirks::even_out(&mut log),
    }
    let lines = case.directives.trace.as_deref().unwrap_or_default();
    if lines.is_empty() {
        return Ok(());
    }
    let shared = shared_pieces(&settings.tests.join("expect/pieces.trace"))?;
    let expanded = expand(&shared, lines, case.recipe.compiler)?;
    let expectation = language::parse(&expanded)?;
    let source = SourceLines::new(executable, &case.recipe.source)?;
    verdict::check(&expectation, &log, &source, settings.subject)
}

fn shared_pieces(path: &Path) -> Result<Vec<Line>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((1..).zip(text.lines().map(|line| line.trim().to_owned())).collect())
}
