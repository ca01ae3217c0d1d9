//! The lines of a report for people, on standard output.

use std::io::{self, Write};
use std::process::ExitCode;

use super::tool_variables::Remark;

/// The lines written so far, and whether one was a warning.
#[derive(Debug, Default)]
pub(super) struct Lines {
    has_warned: bool,
}

impl Lines {
    pub(super) fn say(&self, what: &str, text: &str) {
        say(&format!("{what:<10} {text}"));
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
    pub(super) fn status(&self) -> ExitCode {
        ExitCode::from(u8::from(self.has_warned))
    }
}

/// Writes a line. A reader that has gone, such as `head`, changes nothing about the exit status.
pub(super) fn say(line: &str) {
    writeln!(io::stdout(), "{line}").ok();
}
