//! Memory allocators and memory spaces (OpenMP 5.2 chapter 6 and §18.13, 6.0 chapters 8 and 27).
//!
//! README.md has the design: how a pool's limit holds under threads, and how the runtime recognises
//! a pointer that it has not given out.

mod allocate;
mod blocks;
mod def_allocator;
mod devices;
mod header;
mod mistake;
mod placement;
mod release;
mod resize;
mod storage;

pub use allocate::{allocate, allocate_or_end};
pub use def_allocator::{default_allocator, meant, set_default_allocator};
pub use devices::{devices_allocator, devices_memspace};
pub use oxomp_base::allocators::space::{NULL_OR_DEFAULT as NULL_SPACE, num_resources, part_of};
pub use release::free;
pub use resize::resize;

use core::ptr::NonNull;

use oxomp_base::allocators::{self, table};
use oxomp_base::icv::AllocatorHandle;
use oxomp_sys::omp::omp_alloctrait_t;

/// Creates an allocator in a memory space. The null allocator, after a report, if the space does
/// not exist, if a trait is wrong, or if there are too many allocators.
#[must_use]
#[inline(always)]
pub fn create(space: usize, traits: &[omp_alloctrait_t]) -> AllocatorHandle {
    let created = allocators::create(space, traits);
    let handle = created.unwrap_or_else(|problem| {
        mistake::not_created(&problem);
        AllocatorHandle::NULL
    });
    mistake::in_this_frame();
    handle
}

/// Whether there is, or has been, an allocator with this handle. Any other value means nothing to
/// the program.
#[must_use]
pub fn has_existed(allocator: usize) -> bool {
    AllocatorHandle::from_abi(allocator).is_some_and(table::has_had)
}

/// Destroys an allocator. Blocks that it has allocated stay, and can be freed.
#[inline(always)]
pub fn destroy(allocator: usize) {
    match AllocatorHandle::from_abi(allocator) {
        Some(AllocatorHandle::NULL) => {}
        Some(handle) if handle.is_predefined() => mistake::predefined(handle),
        Some(handle) if table::destroy(handle) => {}
        _ => mistake::no_allocator(allocator, "nothing is destroyed"),
    }
    mistake::in_this_frame();
}

/// Marks a block for `is_marked`; has no effect on a pointer that is not to a block
/// of an allocator.
pub fn mark(block: Option<NonNull<u8>>) {
    block.inspect(|block| {
        blocks::mark(block.addr().get());
    });
}

/// Whether `mark` has marked the block; takes the mark off.
#[must_use]
pub fn is_marked(block: Option<NonNull<u8>>) -> bool {
    block.is_some_and(|block| blocks::unmark(block.addr().get()))
}
