//! The machine: its atomics, its clock, and the kernel's sleep.

use core::alloc::Layout;
use core::ptr;
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, fence};
use std::alloc::{GlobalAlloc, System};

use super::futex;
use crate::kernel;
use crate::line::Line;

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

/// An atomic of which a table may consist (`zeroed`).
///
/// # Safety
/// All bits zero are the value 0, and no value needs to be dropped.
pub(crate) unsafe trait Entry: Sized {}

// SAFETY: the type has the layout of `u8`.
unsafe impl Entry for AtomicU8 {}
// SAFETY: the type has the layout of `u64`.
unsafe impl Entry for AtomicU64 {}

/// The bytes before the first entry of a table: at its end the address of the allocation.
const HEAD: usize = size_of::<Line<u8>>();

/// The allocation of a table of `count` entries.
fn allocation<T>(count: usize) -> Option<Layout> {
    // Without an alignment of its own: the system's allocator takes untouched memory for that, and
    // writes zeros to memory with one.
    Layout::array::<T>(count)
        .ok()?
        .size()
        .checked_add(2 * HEAD)
        .and_then(|bytes| Layout::from_size_align(bytes, align_of::<*mut u8>()).ok())
}

/// A table of `count` entries that are 0, the first at the beginning of a pair of cache lines. A
/// page of a large table uses no memory before its first entry is written. Null if there is no
/// memory.
#[cold]
pub(crate) fn zeroed<T: Entry>(count: usize) -> *mut T {
    let Some(layout) = allocation::<T>(count) else { return ptr::null_mut() };
    // SAFETY: the size is not 0, because of the head.
    let block = unsafe { System.alloc_zeroed(layout) };
    if block.is_null() {
        return ptr::null_mut();
    }
    let past = block.addr() % HEAD;
    // SAFETY: the allocation is longer than the entries by two heads, so the first entry, at most
    // two heads behind the beginning, and the word before it are within.
    unsafe {
        let first = block.add(2 * HEAD - past);
        first.cast::<*mut u8>().sub(1).write(block);
        first.cast::<T>()
    }
}

/// Frees a table.
///
/// # Safety
/// `zeroed` made it with this `count`, and no thread uses it any more.
#[cold]
pub(crate) unsafe fn free<T: Entry>(first: *mut T, count: usize) {
    let Some(layout) = allocation::<T>(count) else { return };
    // SAFETY: `zeroed` wrote the address of its allocation before the first entry, and took the
    // block from `System` with this layout (`# Safety`).
    unsafe { System.dealloc(first.cast::<*mut u8>().sub(1).read(), layout) };
}
