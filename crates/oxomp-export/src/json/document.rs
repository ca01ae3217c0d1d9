//! The root of the document.

use oxomp_analysis::Analysis;
use serde::Serialize;

use super::SCHEMA_VERSION;
use super::run::{Budget, Run};
use super::threads::Thread;

/// One recorded process of a run. Times are integers in nanoseconds (`_ns`); points in time count
/// from the start of the process. A quantity that was not measured is null, never zero.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Document {
    /// Version of this schema, `MAJOR.MINOR.PATCH`: a reader needs to know the first part.
    schema_version: &'static str,
    /// The program that wrote the document, and its version.
    producer: String,
    /// Facts about the process and its recording.
    run: Run,
    /// Where the threads' time went.
    budget: Budget,
    /// Every thread that OpenMP knew.
    threads: Vec<Thread>,
}

impl Document {
    pub(super) fn new(analysis: &Analysis, producer: &str) -> Self {
        let summary = &analysis.summary;
        Self {
            schema_version: SCHEMA_VERSION,
            producer: producer.to_owned(),
            run: Run::new(&summary.header),
            budget: Budget::new(&summary.budget),
            threads: summary.threads.iter().map(Thread::new).collect(),
        }
    }
}
