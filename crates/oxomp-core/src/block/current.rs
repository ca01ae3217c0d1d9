//! The calling thread.

use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

use oxomp_base::diag;

use super::Thread;
use super::slot::current_slot;

/// Makes the calling native thread a root.
pub(crate) type Register = fn() -> &'static Thread;

/// Set by `process`, which is above this file: the only call from the blocks to that room.
static REGISTER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Sets the function that makes native threads roots. Called when the library is loaded, before the
/// program can call it.
pub(crate) fn register_by(register: Register) {
    // Release: pairs with the Acquire in `register`.
    REGISTER.store(register as *mut (), Release);
}

#[cold]
#[inline(never)]
fn register() -> &'static Thread {
    let register = REGISTER.load(Acquire);
    if register.is_null() {
        diag::fatal("the runtime is called before it is loaded");
    }
    // SAFETY: `register_by` is the only writer of `REGISTER`, and stores a `Register`.
    unsafe { core::mem::transmute::<*mut (), Register>(register)() }
}

impl Thread {
    /// The calling thread. A native thread that meets OpenMP for the first time becomes a root.
    #[inline(always)]
    pub fn current() -> &'static Thread {
        Thread::known().unwrap_or_else(register)
    }

    /// The calling thread, if the runtime knows it. Async-signal-safe.
    #[inline(always)]
    pub fn known() -> Option<&'static Thread> {
        // SAFETY: the slot holds the block that the calling native thread has, and blocks are never
        // freed (`Thread`, Invariants 1 and 2).
        NonNull::new(current_slot().cast::<Thread>()).map(|thread| unsafe { thread.as_ref() })
    }
}
