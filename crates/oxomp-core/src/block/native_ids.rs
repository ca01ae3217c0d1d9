//! The ids by which a debugger identifies the native thread of a block.

use core::cell::Cell;

use oxomp_base::os;

/// The ids by which a debugger identifies the native thread of a block; zeros while it has none.
#[derive(Debug, Default)]
pub(crate) struct NativeIds {
    /// `pthread_t`.
    pub(crate) pthread: Cell<u64>,
    /// The kernel's thread id.
    pub(crate) lwp: Cell<i32>,
    /// Counts the native threads that the block has had: tells a debugger two of them apart.
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
