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

mod scale;

/// The status where a change for the worse counts.
const REGRESSION: u8 = 1;

/// Prints the comparison. The status says whether there is a regression.
pub(crate) fn diff(props: &DiffProps) -> Result<ExitCode, Failure> {
    let scales = scale::compare(&props.before, &props.after, props.threshold)?;
    if let Some((comparison, is_partial)) = scales {
        let text = if props.json {
            comparison.to_json(&props.fail_on) + "\n"
        } else {
            comparison.to_text(&props.fail_on, style_of(&stdout()))
        };
        return show(&text, comparison.is_worse(&props.fail_on), is_partial);
    }
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
    show(&text, !comparison.regressions(&props.fail_on).is_empty(), is_partial)
}

/// Prints `text`; the status says what was found.
fn show(text: &str, is_worse: bool, is_partial: bool) -> Result<ExitCode, Failure> {
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))?;
    let status = match (is_worse, is_partial) {
        (true, _) => REGRESSION,
        (false, true) => Failure::own("").status,
        (false, false) => 0,
    };
    Ok(ExitCode::from(status))
}
