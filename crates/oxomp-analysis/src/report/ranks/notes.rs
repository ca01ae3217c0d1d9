//! What the report on a job says that is not of its recordings.

use crate::summary::Scope;

/// Facts about a job beyond its recordings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobNotes {
    /// The version of the program that prints.
    pub version: String,
    /// The part of the runs that is shown.
    pub scope: Scope,
    /// What is amiss with the recordings: damaged ones, ranks that have not ended.
    pub warnings: Vec<String>,
    /// How to see one process: the command's words for each process, in the order of
    /// [`Job::processes`](crate::ranks::Job::processes); without it, nothing is said of that.
    pub commands: Vec<String>,
    /// Last lines: where the data lies.
    pub data: Vec<String>,
}
