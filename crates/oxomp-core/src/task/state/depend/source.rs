//! The predecessor of a dependence in the events for tools.

use core::sync::atomic::AtomicBool;

use crate::word::Word;

/// The predecessor of a dependence in the events for tools: a copy, since the block of the task may
/// be reused when the event occurs.
#[derive(Debug)]
pub(in crate::task) struct Source {
    /// The tool's data word, as it was when the task was generated.
    pub(in crate::task) data: Word<u64>,
    pub(in crate::task) is_complete: AtomicBool,
}
