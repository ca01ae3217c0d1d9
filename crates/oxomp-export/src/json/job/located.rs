//! Constructs in all processes of a job, with their places.

use oxomp_analysis::symbols;
use serde::Serialize;

use crate::json::places::Location;

// No comment of three slashes: the schema has the comment of the row itself.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "{T}"))]
pub(super) struct Located<'a, T> {
    /// The construct; null if the runtime did not tell.
    place: Option<Location>,
    #[serde(flatten)]
    row: &'a T,
}

impl<'a, T> Located<'a, T> {
    pub(super) fn new(place: Option<&symbols::Place>, row: &'a T) -> Self {
        Self { place: place.map(|place| Location::new(place, place.short())), row }
    }
}
