//! A task that others depend on, as events name it.

use core::cell::Cell;
use core::sync::atomic::AtomicBool;

/// A task that others depend on, as events name it: its block may be another task's by then.
#[derive(Debug)]
pub(in crate::task) struct Source {
    /// The tool's word, as it was when the task was made.
    pub(in crate::task) data: Cell<u64>,
    pub(in crate::task) is_complete: AtomicBool,
}

// SAFETY: `data` is used by the thread of the generating task alone.
unsafe impl Sync for Source {}
// SAFETY: as above.
unsafe impl Send for Source {}
