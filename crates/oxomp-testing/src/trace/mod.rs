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

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::case::Case;
use crate::settings::{Settings, Subject};
use crate::trace::expand::{Line, expand};
use crate::trace::source::SourceLines;

/// Lets the program that `command` runs load the recorder, which writes to `log`.
///
/// # Errors
///
/// There is no recorder.
pub fn enable(command: &mut Command, recorder: &Path, log: &Path) -> Result<(), String> {
    if !recorder.exists() {
        return Err(format!(
            "the recorder {} is missing: run `cargo xtask test`, or name it in OXOMP_RECORDER",
            recorder.display()
        ));
    }
    command.env("OMP_TOOL", "enabled").env("OMP_TOOL_LIBRARIES", recorder).env("OXOMP_RECORD", log);
    Ok(())
}

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
