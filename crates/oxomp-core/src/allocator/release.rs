//! Deallocation: `omp_free` (OpenMP 5.2 §18.13.8).

use core::ptr::NonNull;

use oxomp_base::allocators::table;
use oxomp_base::icv::AllocatorHandle;

use super::blocks;
use super::header::Header;
use super::mistake;
use super::storage;

/// Frees a block. `allocator` is the one that the program names; if it names none, the block's own
/// allocator counts. A pointer at which no block begins, or no longer begins, is reported and
/// ignored.
///
/// # Safety
/// The program gives the block up: no thread uses it any more.
#[inline(always)]
pub unsafe fn free(block: *mut u8, allocator: Option<AllocatorHandle>) {
    let Some(block) = NonNull::new(block) else { return };
    if !blocks::remove(block.addr().get()) {
        mistake::no_block(block, "it is not freed");
        return mistake::in_this_frame();
    }
    // SAFETY: the address was in the set, so the block has a header, and whoever takes it out has
    // the block alone.
    let header = unsafe { Header::read(block) };
    if let Some(named) = allocator
        && named != header.requested
    {
        mistake::wrong_allocator(block, named, &header);
    }
    // SAFETY: the block has this header and is out of the set, and the program gives it up
    // (`# Safety`).
    unsafe { give_back(block, &header) };
}

/// Gives back the memory of a block, and then the bytes that it took from its pool. In this order
/// the memory in use never exceeds the limit of the pool.
///
/// # Safety
/// The block has this header and is not in the set any more; nothing uses it.
#[inline(always)]
pub(super) unsafe fn give_back(block: NonNull<u8>, header: &Header) {
    // SAFETY: as this function demands.
    unsafe { storage::give_back(block, header) };
    if header.charged != AllocatorHandle::NULL {
        table::give_back(header.charged, header.footprint());
    }
}
