//! How a debugger knows the native thread of a block.

use core::cell::Cell;

use crate::os;

/// How a debugger knows the native thread of a block; zeros while it has none.
#[derive(Debug, Default)]
pub(crate) struct NativeIds {
    /// `pthread_t`.
    pub(crate) pthread: Cell<u64>,
    /// The kernel's id.
    pub(crate) lwp: Cell<i32>,
    /// Native threads that the block has had.
    pub(crate) generation: Cell<u32>,
}

impl NativeIds {
    pub(super) fn set_to_caller(&self) {
        self.pthread.set(os::native_thread());
        self.lwp.set(os::thread_id());
    }

    pub(super) fn clear(&self) {
        self.pthread.set(0);
        self.lwp.set(0);
    }
}
