//! Atomic updates of memory at which samples are.

use super::site::SiteId;

/// An atomic update in a region that has a part of its samples.
#[derive(Debug, Clone, PartialEq)]
pub struct AtomicUpdate {
    /// The region.
    pub region: Option<SiteId>,
    /// The function that has it.
    pub function: String,
    /// Its file and line.
    pub line: Option<(String, u32)>,
    /// The instruction, as `lock xadd`, or the runtime's function.
    pub instruction: String,
    /// Samples at the instruction, or at the one directly behind it: processors take an interrupt
    /// when an instruction is done.
    pub samples: u64,
    /// All samples in the region's own code.
    pub of: u64,
}
