//! Loops at which samples are and that wait for another thread to change a variable.

use serde::Serialize;

use super::site::SiteId;
use super::written::{FileAndLine, as_one};

/// A loop in a region at which samples are, and that only reads memory until another thread changes
/// it: its time counts as work.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpinLoop {
    /// The region; null if it is not known.
    pub region: Option<SiteId>,
    /// The function that has the loop.
    pub function: String,
    /// Its file and line.
    #[serde(flatten, serialize_with = "as_one::<FileAndLine, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "FileAndLine"))]
    pub line: Option<(String, u32)>,
    /// Samples in the loop.
    pub samples: u64,
    /// All samples in the region's own code.
    #[serde(rename = "region_samples")]
    pub of: u64,
}
