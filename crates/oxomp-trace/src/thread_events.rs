//! What a recording has of one thread.

use crate::event::Record;
use crate::fold::FoldEntry;

/// The recording of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEvents {
    /// Number of the thread: that of its stream in the file, or, for a thread that continued the
    /// stream of another, a number above all of those.
    pub number: u32,
    /// Its events, in the order in which it recorded them.
    pub records: Vec<Record>,
    /// The sums that it updated instead of recording events.
    pub folded: Vec<FoldEntry>,
}
