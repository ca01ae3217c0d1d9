//! The memory of the runtime: the system's, and one clear line where there is none.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::NonNull;
use std::alloc::System;

use crate::diag;

/// What Rust's boxes and vectors take their memory from. None to be had ends the process, with a line
/// that names the construct: what can do without memory asks `zeroed`.
#[derive(Debug)]
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn check(block: *mut u8, layout: Layout) -> *mut u8 {
    if block.is_null() {
        diag::no_memory(layout);
    }
    block
}

// SAFETY: the system's allocator, whose answers are passed on.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by contract.
        check(unsafe { System.alloc(layout) }, layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by contract.
        check(unsafe { System.alloc_zeroed(layout) }, layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: by contract.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: by contract.
        let grown = unsafe { System.realloc(block, layout, size) };
        // A size that no layout can have is never asked for.
        check(grown, Layout::from_size_align(size, layout.align()).unwrap_or(layout))
    }
}

/// Zeroed memory for who can do without; to be given back by `free`.
pub(crate) fn zeroed(layout: Layout) -> Option<NonNull<u8>> {
    debug_assert!(layout.size() != 0, "an allocator may not be asked for nothing");
    // SAFETY: not of size 0.
    NonNull::new(unsafe { System.alloc_zeroed(layout) })
}

/// Gives memory back.
///
/// # Safety
/// `block` is of `zeroed` with this layout, and used no more.
pub(crate) unsafe fn free(block: NonNull<u8>, layout: Layout) {
    // SAFETY: by contract.
    unsafe { System.dealloc(block.as_ptr(), layout) }
}

#[cfg(test)]
mod tests {
    use super::{free, zeroed};
    use core::alloc::Layout;

    #[test]
    fn too_much_is_not_to_be_had() {
        let layout = Layout::array::<u8>(isize::MAX as usize / 2).expect("it has a layout");
        assert!(zeroed(layout).is_none());
        let layout = Layout::new::<[u64; 9]>();
        let block = zeroed(layout).expect("72 bytes are there");
        // SAFETY: it is ours.
        unsafe {
            assert_eq!(*block.cast::<[u64; 9]>().as_ptr(), [0; 9]);
            free(block, layout);
        }
    }
}
