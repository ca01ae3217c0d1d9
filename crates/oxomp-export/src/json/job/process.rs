//! A process of a job in brief.

use oxomp_analysis::ranks::Brief;
use serde::Serialize;

/// A process in brief; its own document has everything.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Process<'a> {
    /// Number in its parallel job; null without one.
    rank: Option<u32>,
    /// Name of the recording's file; null if unknown.
    recording: Option<&'a str>,
    #[serde(flatten)]
    brief: &'a Brief,
}

impl<'a> Process<'a> {
    pub(super) fn new(brief: &'a Brief, recording: Option<&'a str>) -> Self {
        Self { rank: brief.rank.as_ref().map(|rank| rank.number), recording, brief }
    }
}
