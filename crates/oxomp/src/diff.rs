//! `oxomp diff`: two recordings, or two sets of repeated runs, compared.

use std::io::{Write, stdout};
use std::process::ExitCode;

use oxomp_compare::{Comparison, to_json, to_text};

use crate::failure::Failure;
use crate::messages::say_all;
use crate::output::written;
use crate::props::DiffProps;
use crate::runs::ReadRuns;
use crate::terminal::style_of;

/// The status where a change for the worse counts.
const REGRESSION: u8 = 1;

/// Prints the comparison. The status says whether there is a regression.
pub(crate) fn diff(props: &DiffProps) -> Result<ExitCode, Failure> {
    let [before, after] = [&props.before, &props.after].map(|path| ReadRuns::read(path));
    let (before, after) = (before?, after?);
    say_all(before.messages.iter().chain(&after.messages));
    let is_partial = before.is_partial || after.is_partial;
    let comparison = Comparison::of(before.set, after.set, props.threshold);
    let text = if props.json {
        to_json(&comparison, &props.fail_on) + "\n"
    } else {
        to_text(&comparison, &props.fail_on, style_of(&stdout()))
    };
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))?;
    let status = if !comparison.regressions(&props.fail_on).is_empty() {
        REGRESSION
    } else if is_partial {
        Failure::own("").status
    } else {
        0
    };
    Ok(ExitCode::from(status))
}
