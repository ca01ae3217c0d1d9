//! Atomic updates of memory at which samples are.

use serde::Serialize;

use super::site::SiteId;
use super::written::{FileAndLine, as_one};

/// An atomic update in a region at which samples are.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AtomicUpdate {
    /// The region; null if it is not known.
    pub region: Option<SiteId>,
    /// The function that has the update.
    pub function: String,
    /// Its file and line.
    #[serde(flatten, serialize_with = "as_one::<FileAndLine, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "FileAndLine"))]
    pub line: Option<(String, u32)>,
    /// The instruction, as `lock xadd`, or the runtime's function.
    pub instruction: String,
    /// Samples at the instruction, or at the one directly behind it.
    // Processors take an interrupt when an instruction is done.
    pub samples: u64,
    /// All samples in the region's own code.
    #[serde(rename = "region_samples")]
    pub of: u64,
}
