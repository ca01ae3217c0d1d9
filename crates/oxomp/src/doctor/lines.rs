//! The lines of a report for people, on standard output.

use std::process::ExitCode;

use super::tool_variables::Remark;
use crate::failure::Failure;
use crate::output::Output;

/// The lines written so far, and whether one was a warning.
#[derive(Debug, Default)]
pub(super) struct Lines {
    output: Output,
    has_warned: bool,
}

impl Lines {
    pub(super) fn say(&mut self, what: &str, text: &str) {
        self.output.line(&format!("{what:<10} {text}"));
    }

    pub(super) fn warn(&mut self, text: &str) {
        self.has_warned = true;
        self.say("warning", text);
    }

    /// Reports remarks on variables.
    pub(super) fn remark(&mut self, remarks: impl IntoIterator<Item = Remark>) {
        for remark in remarks {
            match remark {
                Remark::Note(text) => self.say("variable", &text),
                Remark::Warning(text) => self.warn(&text),
            }
        }
    }

    /// Of the command: 1 after a warning.
    pub(super) fn status(self) -> Result<ExitCode, Failure> {
        self.output.end()?;
        Ok(ExitCode::from(u8::from(self.has_warned)))
    }
}
