//! The part of a thread's record that only tools of the 2015 report need.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::AtomicU64;

/// What a thread keeps for a tool of the 2015 report. Only the thread itself, and its signal
/// handlers, access it.
#[derive(Debug)]
pub(crate) struct Report2015 {
    /// The next number that the thread draws for an id. Its signal handlers draw too.
    pub(crate) next_number: AtomicU64,
    /// The id of the target task that the thread is about to generate; else 0.
    pub(crate) target_task: Cell<u64>,
    /// The number of target data regions that the thread is in, while a tool is attached.
    pub(crate) target_data: Cell<u32>,
    /// The frame of the function in which a worker waits for work; null for a root.
    pub(crate) idle_frame: Cell<*const c_void>,
}

impl Report2015 {
    pub(super) const fn new() -> Self {
        Report2015 {
            next_number: AtomicU64::new(0),
            target_task: Cell::new(0),
            target_data: Cell::new(0),
            idle_frame: Cell::new(ptr::null()),
        }
    }

    /// Resets what belongs to a native thread that is gone, for the block's next one. The numbers
    /// go on: those before are another thread's ids.
    pub(super) fn begin_anew(&self) {
        self.target_task.set(0);
        self.target_data.set(0);
        self.idle_frame.set(ptr::null());
    }
}
