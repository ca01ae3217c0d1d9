//! Loops at which samples are and that wait for another thread to change a variable.

use super::site::SiteId;

/// A loop in a region that only reads memory, again and again, until another thread changes it.
#[derive(Debug, Clone, PartialEq)]
pub struct SpinLoop {
    /// The region.
    pub region: Option<SiteId>,
    /// The function that has it.
    pub function: String,
    /// Its file and line.
    pub line: Option<(String, u32)>,
    /// Samples in the loop.
    pub samples: u64,
    /// All samples in the region's own code.
    pub of: u64,
}
