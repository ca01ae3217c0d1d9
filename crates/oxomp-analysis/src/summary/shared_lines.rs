//! Cache lines that threads share, by samples.

use super::site::SiteId;

/// Cache lines of one object that threads of a region use at the same time, while one writes: each
/// use may have to wait for the line to come from another processor.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedLines {
    /// The region.
    pub region: Option<SiteId>,
    /// What the threads use there.
    pub sharing: LineSharing,
    /// Where the code uses the lines, most samples first, at most two places.
    pub places: Vec<SharedPlace>,
    /// What lies there.
    pub object: MemoryObject,
    /// The threads that share them.
    pub threads: u32,
    /// How many lines there are.
    pub lines: u32,
    /// Samples at the instructions that use them, or directly behind: nothing tells how much of
    /// their time is waiting. A sample that was kept for others counts for these, too.
    pub samples: u64,
    /// How many were kept: a sample at two of the lines is one.
    pub taken: u64,
    /// All samples in the region, including those at code that threads execute one after the other.
    pub of: u64,
}

/// What threads use in a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineSharing {
    /// Each thread uses its own bytes (false sharing); they begin this many bytes from each other.
    Neighbours(u32),
    /// The threads use the same bytes.
    Variable,
}

/// A place in the source that uses a shared line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedPlace {
    /// The function.
    pub function: String,
    /// Its file and line.
    pub line: Option<(String, u32)>,
    /// Whether it writes.
    pub writes: bool,
}

/// What lies in memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryObject {
    /// A variable of static storage; with the offset of the shared bytes in it, as `counts+16`.
    Variable(String),
    /// Something on the stack of the thread with this number.
    Stack(u32),
    /// On the heap, or on a stack that no sample tells of.
    Unknown,
}
