//! The calling thread.

use core::ptr::NonNull;

use super::Thread;
use crate::arch;
use crate::process;

impl Thread {
    /// The calling thread. A native thread that meets OpenMP for the first time becomes a root.
    #[inline(always)]
    pub fn current() -> &'static Thread {
        match NonNull::new(arch::current_slot().cast::<Thread>()) {
            // SAFETY: the slot holds a block of ours, and blocks are never freed (Invariant 1).
            Some(thread) => unsafe { thread.as_ref() },
            None => process::register_root(),
        }
    }

    /// The calling thread if the runtime knows it: safe in a signal handler.
    #[inline(always)]
    pub fn known() -> Option<&'static Thread> {
        // SAFETY: as in `current`.
        NonNull::new(arch::current_slot().cast::<Thread>()).map(|thread| unsafe { thread.as_ref() })
    }
}
