//! The allocator of the runtime: the system's, with one line of explanation if memory is exhausted.

use core::alloc::{GlobalAlloc, Layout};
use core::hint;
use core::ptr::NonNull;
use std::alloc::System;

use crate::diag;

/// The allocator of boxes and vectors. If memory is exhausted, it ends the process with a line that
/// names the construct. Code that can do without memory calls `zeroed` instead.
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

// SAFETY: all calls go to the system's allocator, and its results are returned.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets the conditions of `GlobalAlloc::alloc`.
        check(unsafe { System.alloc(layout) }, layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets the conditions of `GlobalAlloc::alloc_zeroed`.
        check(unsafe { System.alloc_zeroed(layout) }, layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `System` allocated the block, and the caller meets the conditions of
        // `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: `System` allocated the block, and the caller meets the conditions of
        // `GlobalAlloc::realloc`.
        let grown = unsafe { System.realloc(block, layout, size) };
        // The caller never asks for a size that no layout can have.
        check(grown, Layout::from_size_align(size, layout.align()).unwrap_or(layout))
    }
}

/// Allocates zeroed memory for a caller that can do without it; `None` for no bytes. `free` frees
/// it.
pub fn zeroed(layout: Layout) -> Option<NonNull<u8>> {
    if layout.size() == 0 {
        return None;
    }
    // SAFETY: the layout is not empty.
    NonNull::new(unsafe { System.alloc_zeroed(layout) })
}

/// Lets the system's allocator keep freed memory for the program's next allocations.
///
/// The GNU C library maps blocks of 128 KiB and more one by one, and gives the end of a heap back
/// to the system when as much of it is free. When it frees a block that it has mapped, it raises
/// both limits: blocks up to that size come from the heap then, and twice its size stays in each
/// heap. libomp frees a buffer of this size at its start. Without it, programs that allocate arrays
/// between their regions pay for memory that comes and goes with page faults and interrupts of all
/// their threads: LULESH with 10³ elements has 30,300 page faults instead of 450.
///
/// Limits that the program or the user has set stay as they are. In a heap that already has so
/// large a free piece, and in other C libraries and allocators, the call has no effect.
pub fn keep_freed() {
    let layout = const {
        match Layout::from_size_align(LARGEST_IN_HEAP, 16) {
            Ok(layout) => layout,
            Err(_) => panic!("the size has a layout"),
        }
    };
    // The block is not used, and the compiler may know what the functions do.
    if let Some(block) = hint::black_box(zeroed(layout)) {
        // SAFETY: `zeroed` has allocated the block, which no other thread has.
        unsafe { free(block, layout) };
    }
}

/// The size of libomp's buffer.
const LARGEST_IN_HEAP: usize = 1 << 20;

/// Frees memory of `zeroed`.
///
/// # Safety
/// `zeroed` allocated `block` with this layout, and no thread uses it any more.
pub unsafe fn free(block: NonNull<u8>, layout: Layout) {
    // SAFETY: `zeroed` took the block from `System` with this layout, and no thread uses it
    // (`# Safety`).
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
        // SAFETY: `zeroed` allocated the block, which only this test uses.
        unsafe {
            assert_eq!(*block.cast::<[u64; 9]>().as_ptr(), [0; 9]);
            free(block, layout);
        }
    }
}
