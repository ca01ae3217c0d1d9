//! Cache lines that threads share, by samples.

use serde::Serialize;

use super::site::SiteId;
use super::written::{FileAndLine, as_one};

/// Cache lines of one object that threads of a region use at the same time, while one writes: its
/// time counts as work.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedLines {
    /// The region; null if it is not known.
    pub region: Option<SiteId>,
    /// What the threads use in a line.
    #[serde(flatten, serialize_with = "as_one::<SharingAndDistance, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "SharingAndDistance"))]
    pub sharing: LineSharing,
    /// Where the code uses the lines, most samples first, at most two places.
    pub places: Vec<SharedPlace>,
    /// What lies there.
    #[serde(flatten, serialize_with = "as_one::<VariableOrStack, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "VariableOrStack"))]
    pub object: MemoryObject,
    /// The threads that share them.
    pub threads: u32,
    /// How many cache lines there are.
    pub lines: u32,
    /// Samples at the instructions that use them, or directly behind: nothing tells how much of
    /// their time is waiting. A sample that was kept for others counts for these, too.
    pub samples: u64,
    /// How many of them were kept: a number.
    // A sample at two of the lines is one.
    pub taken: u64,
    /// All samples in the region that tell which memory they used.
    // Those at code that threads execute one after the other, too.
    #[serde(rename = "region_samples")]
    pub of: u64,
}

/// What threads use in a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LineSharing {
    /// Each thread uses its own bytes (false sharing); they begin this many bytes from each other.
    Neighbours(u32),
    /// The threads use the same bytes.
    #[default]
    Variable,
}

/// A place in the source that uses a shared line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedPlace {
    /// The function.
    pub function: String,
    /// Its file and line.
    #[serde(flatten, serialize_with = "as_one::<FileAndLine, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "FileAndLine"))]
    pub line: Option<(String, u32)>,
    /// Whether it writes.
    pub writes: bool,
}

/// What lies in memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum MemoryObject {
    /// A variable of static storage; with the offset of the shared bytes in it, as `counts+16`.
    Variable(String),
    /// Something on the stack of the thread with this number.
    Stack(u32),
    /// On the heap, or on a stack that no sample tells of.
    #[default]
    Unknown,
}

/// [`LineSharing`] as two fields.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SharingAndDistance {
    /// What the threads use in a line.
    sharing: Sharing,
    /// How many bytes from each other the bytes of two threads begin in a line; null if all use one
    /// variable.
    distance_bytes: Option<u32>,
}

/// What threads use in a line.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Sharing {
    /// Each its own bytes: false sharing.
    Neighbours,
    /// The same bytes.
    Variable,
}

impl From<&LineSharing> for SharingAndDistance {
    fn from(sharing: &LineSharing) -> Self {
        match sharing {
            LineSharing::Neighbours(distance) => {
                Self { sharing: Sharing::Neighbours, distance_bytes: Some(*distance) }
            }
            LineSharing::Variable => Self { sharing: Sharing::Variable, distance_bytes: None },
        }
    }
}

/// [`MemoryObject`] as two fields.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct VariableOrStack {
    /// The variable of static storage there, with an offset in bytes, as `counts+16`; null if it is
    /// none, or has no name.
    variable: Option<String>,
    /// The number of the thread on whose stack they lie; null if it is not known.
    stack_of_thread: Option<u32>,
}

impl From<&MemoryObject> for VariableOrStack {
    fn from(object: &MemoryObject) -> Self {
        let (variable, stack_of_thread) = match object {
            MemoryObject::Variable(name) => (Some(name.clone()), None),
            MemoryObject::Stack(thread) => (None, Some(*thread)),
            MemoryObject::Unknown => (None, None),
        };
        Self { variable, stack_of_thread }
    }
}
