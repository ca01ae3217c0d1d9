//! Reallocation: `omp_realloc` (OpenMP 5.2 §18.13.9).

use core::ptr::NonNull;

use oxomp_base::allocators::table;
use oxomp_base::icv::AllocatorHandle;

use super::allocate::allocate;
use super::blocks;
use super::header::{Backing, HEADER, Header};
use super::mistake;
use super::release::{free, give_back};
use super::storage;

/// Changes the size of a block, perhaps elsewhere. The program says that `owner` has the old block,
/// and that `allocator` is to have the new one; null stands for the block's own. `None` if there is
/// no memory (the old block stays), or if `size` is 0 (the old block is freed).
///
/// # Safety
/// The program gives the block up, unless the result is `None` and `size` is not 0.
#[inline(always)]
pub unsafe fn resize(
    block: *mut u8,
    size: usize,
    allocator: AllocatorHandle,
    owner: AllocatorHandle,
) -> Option<NonNull<u8>> {
    // SAFETY: as this function demands.
    let new = unsafe { resize_block(block, size, allocator, owner) };
    mistake::in_this_frame();
    new
}

/// As `resize`.
///
/// # Safety
/// As `resize` demands.
#[inline(never)]
unsafe fn resize_block(
    block: *mut u8,
    size: usize,
    allocator: AllocatorHandle,
    owner: AllocatorHandle,
) -> Option<NonNull<u8>> {
    let named = (owner != AllocatorHandle::NULL).then_some(owner);
    let old = NonNull::new(block)?;
    if size == 0 {
        // SAFETY: the program gives the block up (`# Safety`).
        unsafe { free(block, named) };
        return None;
    }
    if !blocks::remove(old.addr().get()) {
        mistake::no_block(old, "nothing is allocated");
        return None;
    }
    // SAFETY: the address was in the set, so the block has a header, and whoever takes it out has
    // the block alone.
    let header = unsafe { Header::read(old) };
    if let Some(owner) = named
        && owner != header.requested
    {
        mistake::wrong_allocator(old, owner, &header);
    }
    let target = if allocator == AllocatorHandle::NULL { header.requested } else { allocator };
    // SAFETY: the block is the caller's alone, and has this header.
    if let Some(new) = unsafe { in_place(old, &header, size, target) } {
        return Some(new);
    }
    let Some(new) = allocate(target, 1, size, false) else {
        // The block stays the program's. There is memory for its entry, since it had one before.
        blocks::enter(old);
        return None;
    };
    // SAFETY: the old block has as many bytes as its header says, the new one as many as were asked
    // for, and they are different; the old one is the caller's alone and is given up.
    unsafe {
        new.copy_from_nonoverlapping(old, header.size.min(size));
        give_back(old, &header);
    }
    Some(new)
}

/// Resizes the block in the heap, if its allocator stays the same and has memory of the heap for
/// it, within its pool. Otherwise `None`: then the block is unchanged, and not in the set.
///
/// # Safety
/// The block has this header and is not in the set; it is given up on success.
unsafe fn in_place(
    block: NonNull<u8>,
    header: &Header,
    size: usize,
    target: AllocatorHandle,
) -> Option<NonNull<u8>> {
    let is_simple = header.backing == Backing::Heap && header.alignment == HEADER;
    if target != header.requested || !is_simple {
        return None;
    }
    let mut limit = None;
    if !target.is_plain() {
        let slot = table::find(target)?;
        let traits = slot.traits();
        let is_limited = traits.pool_size != u64::MAX;
        // A block of the fallback goes back to its allocator's pool if there is room now.
        let belongs = header.charged == if is_limited { target } else { AllocatorHandle::NULL };
        if !belongs || traits.alignment != HEADER {
            return None;
        }
        limit = is_limited.then_some((slot, traits.pool_size));
    }
    let more = size.saturating_sub(header.size);
    if let Some((slot, pool_size)) = limit
        && !slot.take(more, pool_size)
    {
        return None;
    }
    // SAFETY: as this function demands.
    let new = unsafe { storage::resize_in_heap(block, header, size) };
    let unused = if new.is_some() { header.size.saturating_sub(size) } else { more };
    if limit.is_some() && unused != 0 {
        table::give_back(target, unused);
    }
    let new = new?;
    let resized = Header { size, ..*header };
    // SAFETY: the memory has room for a header before the block, and no thread knows it yet.
    unsafe { resized.write(new) };
    // Without memory for an entry, where the heap has moved the block to another part of the
    // address space, the program has a block that it cannot free. To lose the contents would be
    // worse.
    blocks::enter(new);
    Some(new)
}
