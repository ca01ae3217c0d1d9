//! `oxomp profile --repeat N`: the program several times, so that noise can be told from change.

use std::io::{Write, stderr};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use oxomp_analysis::report::units::time;
use oxomp_trace::Rank;

use super::once::profile_once;
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::launch::Ended;
use crate::median_run;
use crate::messages::{say, say_all};
use crate::program::Program;
use crate::props::ProfileProps;
use crate::repetitions::repetition;
use crate::runs::ReadRuns;
use crate::signals::stop_was_asked_for;
use crate::terminal::style_of;

/// Runs the program `count` times, each into a folder of its own; then prints the summary of the
/// median run and how far the runs differ. A run that fails or records nothing is the last one, and
/// so is one during which the user asks for the end.
pub(super) fn repeat(props: &ProfileProps, count: u32) -> Result<ExitCode, Failure> {
    let program = Program::find(&props.program[0])?;
    let rank = Rank::of_process();
    let folder = DataFolder::create(props.output.as_deref(), &program.short_name(), rank.as_ref())?;
    // Of a parallel job's ranks one speaks.
    let speaks = rank.is_none_or(|rank| rank.number == 0);
    let mut last = Ended::exited(0);
    let mut note = String::new();
    for number in 1..=count {
        if speaks {
            say(format_args!("run {number} of {count}{note}"));
        }
        let begin = Instant::now();
        let output = folder.path().join(repetition(number));
        let run = ProfileProps { output: Some(output.clone()), ..props.clone() };
        last = profile_once(&run).inspect_err(|_| folder.discard_if_empty())?;
        let took = time(u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX));
        let asked = stop_was_asked_for();
        if asked || !last.is_success() {
            let how = last.by_signal();
            let how = how.unwrap_or_else(|| if asked { "interrupted" } else { "failed" }.into());
            say(format_args!("run {number} of {count}: {how} after {took}"));
            break;
        }
        // The next one would record as little.
        if DataFolder::open(&output).profiles().is_ok_and(|profiles| profiles.is_empty())
            || !output.exists()
        {
            break;
        }
        note = format!(" (the last took {took})");
    }
    folder.discard_if_empty();
    // The program's exit status counts: a report that fails does not change it.
    if speaks
        && folder.path().exists()
        && let Err(failure) = show(folder.path())
    {
        say(failure);
    }
    Ok(last.pass_on())
}

/// Prints the summary of the runs.
fn show(folder: &Path) -> Result<(), Failure> {
    let runs = ReadRuns::read(folder)?;
    say_all(&runs.messages);
    let text = median_run::render(&runs, folder, style_of(&stderr()))?;
    // If standard error is closed, the summary is lost; the data stays.
    stderr().lock().write_all(text.as_bytes()).ok();
    Ok(())
}
