//! Why oxomp could not do what was asked, in words and as an exit status.

use std::fmt;

use oxomp_trace::Rank;

/// Ends a command. The statuses are those of `env`, `nohup` and `timeout`, which scripts know.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: String,
}

impl Failure {
    /// oxomp itself failed.
    pub(crate) fn own(message: impl Into<String>) -> Self {
        Self { status: 125, message: message.into() }
    }

    /// The same, said by a rank of a parallel job, if the process is one.
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

    /// There is no such program.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self { status: 127, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
