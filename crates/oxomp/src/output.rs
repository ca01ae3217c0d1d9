//! Standard output, and whether it took everything.

use std::io::{self, ErrorKind, Write};

use crate::failure::Failure;
use crate::messages::reason;

/// The lines written so far were written, or there is the reason why not.
#[derive(Debug, Default)]
pub(crate) struct Output {
    failure: Option<io::Error>,
}

impl Output {
    /// Writes a line, unless an earlier one could not be written.
    pub(crate) fn line(&mut self, line: &str) {
        if self.goes_on() {
            let mut stdout = io::stdout().lock();
            self.failure = writeln!(stdout, "{line}").and_then(|()| stdout.flush()).err();
        }
    }

    /// Whether further lines are written.
    pub(crate) fn goes_on(&self) -> bool {
        self.failure.is_none()
    }

    /// What became of the lines.
    pub(crate) fn end(self) -> Result<(), Failure> {
        written(self.failure.map_or(Ok(()), Err))
    }
}

/// The result of writing text to standard output. A reader that has seen enough (`| head`) does not
/// make it fail.
pub(crate) fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::own(format!("standard output: cannot be written: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}
