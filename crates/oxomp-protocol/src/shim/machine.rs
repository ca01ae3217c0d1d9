//! The machine: its atomics, its clock, and the kernel's sleep.

use core::alloc::Layout;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::compiler_fence;
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, fence};
use std::alloc::{GlobalAlloc, System};

use super::futex;
use crate::kernel;
pub(crate) use crate::kernel::fence_of_all_threads;
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

/// The frequent half of an asymmetric fence: together with `fence_of_all_threads` in another
/// thread, it acts as a sequentially consistent fence in both. It costs no instruction.
#[inline(always)]
pub(crate) fn fence_lightly() {
    compiler_fence(SeqCst);
}

/// The number of entries for sleepers on locks: threads that compete for a few locks rarely share
/// an entry with others.
pub(crate) const LOCK_ENTRIES: usize = 64;

static LOCKS: [Line<AtomicU32>; LOCK_ENTRIES] = [const { Line(AtomicU32::new(0)) }; LOCK_ENTRIES];

/// The entry for sleepers at `index`, below `LOCK_ENTRIES`.
#[inline(always)]
pub(crate) fn lock_entry(index: usize) -> &'static AtomicU32 {
    &LOCKS[index].0
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
pub(crate) unsafe trait Entry: Sized {
    /// Sets the value to 0.
    fn clear(&self);
}

// SAFETY: the type has the layout of `u8`.
unsafe impl Entry for AtomicU8 {
    fn clear(&self) {
        self.store(0, Relaxed);
    }
}

// SAFETY: the type has the layout of `u64`.
unsafe impl Entry for AtomicU64 {
    fn clear(&self) {
        self.store(0, Relaxed);
    }
}

/// A table of at least this number of bytes is mapped: its pages use no memory before they are
/// written, and are the kernel's again when it is freed, while the allocator would keep them.
const MAPPED_BYTES: usize = 64 * 1024;

/// The layout of a table of `count` entries, the first at the beginning of a pair of cache lines.
fn layout<T>(count: usize) -> Option<Layout> {
    Layout::array::<T>(count).ok()?.align_to(align_of::<Line<u8>>()).ok()
}

/// A table of `count` entries that are 0; null for no entries, or if there is no memory.
#[cold]
pub(crate) fn zeroed<T: Entry>(count: usize) -> *mut T {
    let Some(layout) = layout::<T>(count).filter(|layout| layout.size() != 0) else {
        return ptr::null_mut();
    };
    if layout.size() < MAPPED_BYTES {
        // SAFETY: the size is not 0.
        return unsafe { System.alloc_zeroed(layout) }.cast::<T>();
    }
    // SAFETY: a new mapping, which nothing uses.
    let mapped = unsafe {
        libc::mmap(
            ptr::null_mut(),
            layout.size(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if mapped == libc::MAP_FAILED { ptr::null_mut() } else { mapped.cast::<T>() }
}

/// Frees a table.
///
/// # Safety
/// `zeroed` made it with this `count`, and no thread uses it any more.
#[cold]
pub(crate) unsafe fn free<T: Entry>(first: *mut T, count: usize) {
    let Some(layout) = layout::<T>(count) else { return };
    // SAFETY: `zeroed` allocated or mapped this size at this address (`# Safety`).
    unsafe {
        if layout.size() < MAPPED_BYTES {
            System.dealloc(first.cast::<u8>(), layout);
        } else {
            libc::munmap(first.cast::<core::ffi::c_void>(), layout.size());
        }
    }
}
