//! The machine: its atomics, its clock, and the kernel's sleep.

pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, fence};

use super::futex;
use crate::kernel;

/// Tells the processor that this is a spin loop.
#[inline(always)]
pub fn pause() {
    core::hint::spin_loop();
}

/// Lets another thread run on this processor, if one is ready.
pub fn yield_now() {
    // SAFETY: no arguments, no memory.
    unsafe { libc::sched_yield() };
}

/// Sleeps while `*word == expected`, until a `wake` on the word; may return spuriously.
pub(crate) fn sleep_on(word: &AtomicU32, expected: u32) {
    futex::wait(word, expected);
}

/// Sleeps while `*word == expected`, until a `wake` on the word, for at most `nanoseconds`; may
/// return spuriously.
pub(crate) fn nap_on(word: &AtomicU32, expected: u32, nanoseconds: u64) {
    futex::wait_for(word, expected, nanoseconds);
}

/// Wakes up to `count` threads that sleep on `word`, which may have been freed by then.
pub(crate) fn wake(word: *const AtomicU32, count: i32) {
    futex::wake(word, count);
}

/// The end of a wait that is limited in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(u64);

impl Deadline {
    /// The deadline that is `nanoseconds` from now.
    pub(crate) fn after(nanoseconds: u64) -> Self {
        Deadline(kernel::monotonic_ns().saturating_add(nanoseconds))
    }

    /// Sleeps while `*word == expected`, until a `wake` on the word or the deadline. Returns
    /// whether there was time left.
    pub(crate) fn sleep_on(self, word: &AtomicU32, expected: u32) -> bool {
        let left = self.0.saturating_sub(kernel::monotonic_ns());
        nap_on(word, expected, left);
        left != 0
    }
}

/// A function that makes an atomic: `const`, so that a static can hold it.
macro_rules! const_unless_model {
    ($(#[$meta:meta])* $visibility:vis fn $($rest:tt)*) => {
        $(#[$meta])* $visibility const fn $($rest)*
    };
}
