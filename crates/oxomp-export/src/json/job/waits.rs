//! Waits for other ranks in MPI's calls.

use oxomp_analysis::ranks::{MpiWait, MpiWaits};
use serde::Serialize;

use super::located::Located;

/// The time in MPI's calls in which ranks waited for others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Waits<'a> {
    /// The waits by function, region and cause, by time, largest first. The place is that of the
    /// region; null outside every region.
    rows: Vec<Located<'a, MpiWait>>,
    #[serde(flatten)]
    all: &'a MpiWaits,
}

impl<'a> Waits<'a> {
    pub(super) fn new(all: &'a MpiWaits) -> Self {
        let rows = all.rows.iter().map(|row| Located::new(row.region.as_ref(), row)).collect();
        Self { rows, all }
    }
}
