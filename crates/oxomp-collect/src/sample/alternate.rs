//! The alternate signal stacks of the program's threads. The kernel ends a process if a thread's
//! alternate stack has no room for a signal, and sigaltstack(2) accepts stacks of 2 KiB, although
//! the registers alone may need more.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oxomp_arch::signal_bytes;

/// Bytes of an alternate stack that our handler needs beside the kernel's part, before it goes to
/// a stack of its own.
const HANDLER_BYTES: u64 = 512;

/// The size of a stack that was too small; 0: none.
static TOO_SMALL: AtomicU64 = AtomicU64::new(0);
static TOLD: AtomicBool = AtomicBool::new(false);

/// The bytes of an alternate stack that a signal of ours needs.
fn needed() -> u64 {
    static NEEDED: AtomicU64 = AtomicU64::new(0);
    match NEEDED.load(Ordering::Relaxed) {
        0 => {
            let needed = HANDLER_BYTES + signal_bytes();
            NEEDED.store(needed, Ordering::Relaxed);
            needed
        }
        known => known,
    }
}

/// Whether the calling thread has no alternate stack, or one with room for a signal of ours.
/// Signal-safe, but that it may change errno.
pub(super) fn has_room() -> bool {
    let mut stack = MaybeUninit::<libc::stack_t>::zeroed();
    // SAFETY: `stack` has room for the answer, and zeros are a valid answer if the call gives none.
    let stack = unsafe {
        libc::sigaltstack(ptr::null(), stack.as_mut_ptr());
        stack.assume_init()
    };
    let size = stack.ss_size as u64;
    // Without a stack the size is 0.
    let fits = stack.ss_flags & libc::SS_DISABLE != 0 || size == 0 || size >= needed();
    if !fits {
        TOO_SMALL.store(size, Ordering::Relaxed);
    }
    fits
}

/// A message about a stack that was too small, once.
pub(super) fn remark() -> Option<String> {
    let size = TOO_SMALL.load(Ordering::Relaxed);
    if size == 0 || TOLD.swap(true, Ordering::Relaxed) {
        return None;
    }
    Some(format!(
        "a thread whose alternate signal stack has {size} bytes is not sampled: a signal needs {} \
         (sigaltstack)",
        needed()
    ))
}
