//! The mark of a thread that is handed the records of a trace.

use core::cell::Cell;

std::thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The runtime is handing records to the tool on the thread that made this value.
///
/// A runtime may hand over records on the thread that a flush or a stop waits for: the tool would
/// wait for itself if it called one of these two there.
#[derive(Debug)]
pub(crate) struct Delivery(());

impl Delivery {
    pub(crate) fn begin() -> Self {
        DEPTH.set(DEPTH.get() + 1);
        Self(())
    }

    /// Whether the calling thread is handed records.
    pub(crate) fn is_here() -> bool {
        DEPTH.get() != 0
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
