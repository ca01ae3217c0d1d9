//! A slice: an interval of a thread's time, and what the thread did in it.

use oxomp_analysis::summary::{Class, MutexKind};

/// An interval of a thread's time. Slices of a thread are in the order of their begins, a slice
/// before those inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    /// Number of slices around it.
    pub(crate) depth: u32,
    pub(crate) kind: Kind,
}

/// The content of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A thread's part in a region: an index in the model's regions.
    Region {
        region: u32,
        /// Its implicit task, where it is known: an index in the model's members.
        member: Option<u32>,
    },
    /// A thread's part in a worksharing construct: an index in the model's works.
    Work(u32),
    /// A piece of a stretch of an explicit task: an index in the model's tasks.
    Task(u32),
    /// A part of a stay in a barrier inside a region: an index in the model's barrier waits.
    Barrier { class: Class, wait: u32 },
    /// A mutex that the thread held: an index in the model's holds.
    Hold(u32),
    /// Another wait, or an activity of the runtime, at a place where it is known.
    Wait { class: Class, code: Option<u64>, mutex: Option<MutexKind> },
    /// A construct for a device: an index in the model's targets.
    Target(u32),
    /// An operation of a device: an index in the model's operations.
    Operation(u32),
    /// A stretch in which the thread recorded no events: a number of [`Gaps`](super::Gaps).
    Gap(u32),
    /// In such a stretch, the sum of the time of a class.
    Sum(Class),
    /// Short slices beside each other: a position in the list of [`Folded`](super::Folded).
    Folded(u32),
}
