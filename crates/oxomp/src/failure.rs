//! Why oxomp could not do what was asked, in words and as an exit status.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use oxomp_trace::Rank;

use crate::messages::reason;

/// Ends a command. The statuses are as of `env`, `nohup` and `timeout`, which scripts know.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: String,
}

impl Failure {
    /// Signals cannot be taken over.
    pub(crate) fn no_signals(error: &io::Error) -> Self {
        Self::own(format!("cannot take over signals: {}", reason(error)))
    }

    /// oxomp itself failed.
    pub(crate) fn own(message: impl Into<String>) -> Self {
        Self { status: 125, message: message.into() }
    }

    /// The file or folder cannot be read.
    pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Self {
        let shown = path.display();
        Self::own(match error.kind() {
            ErrorKind::NotFound => format!(
                "{shown}: there is no such file or folder; `oxomp profile -- ./app` records a \
                 program, and says where its recording lies"
            ),
            _ => format!("{shown}: cannot be read: {}", reason(error)),
        })
    }

    /// The file or folder that the user has named cannot be written.
    pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Self {
        let why = match error.kind() {
            ErrorKind::NotFound => "there is no such folder; make it first".to_owned(),
            _ => reason(error),
        };
        Self::own(format!("{}: cannot be written: {why}", path.display()))
    }

    /// This failure; if the process is a rank of a parallel job, the message names the rank.
    pub(crate) fn of_rank(self, rank: Option<&Rank>) -> Self {
        match rank {
            Some(rank) => {
                Self { message: format!("rank {}: {}", rank.number, self.message), ..self }
            }
            None => self,
        }
    }

    /// The program is there but cannot be run.
    pub(crate) fn cannot_run(message: impl Into<String>) -> Self {
        Self { status: 126, message: message.into() }
    }

    /// The program does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self { status: 127, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
