//! Allocation: `omp_alloc` and its relatives, with pools and fallbacks (OpenMP 5.2 §6.2, §18.13).

use core::ptr::NonNull;

use oxomp_base::allocators::traits::{Fallback, Partition, Traits};
use oxomp_base::allocators::{space, table};
use oxomp_base::diag;
use oxomp_base::icv::AllocatorHandle;

use super::blocks;
use super::header::{Backing, HEADER, Header};
use super::mistake;
use super::placement::Placement;
use super::storage::{self, Placed, Request};

/// More fallbacks in a row than this are taken for a circle, which handles of destroyed allocators
/// can make.
const MOST_FALLBACKS: u32 = 64;

/// Allocates a block of `size` bytes at a multiple of `alignment`. `None` if `size` is 0, if the
/// alignment is neither 0 nor a power of two (which is reported), or if the allocator has no memory
/// and its fallback is null.
#[inline(always)]
pub fn allocate(
    allocator: AllocatorHandle,
    alignment: usize,
    size: usize,
    is_zeroed: bool,
) -> Option<NonNull<u8>> {
    if size == 0 {
        return None;
    }
    if alignment <= HEADER && allocator.is_plain() {
        let request = Request { size, alignment: HEADER, is_zeroed };
        return of_default_memory(&request, allocator);
    }
    if alignment <= HEADER
        && let Some(slot) = table::find(allocator)
        && let Some(pool_size) = slot.simple_pool_size()
    {
        let request = Request { size, alignment: HEADER, is_zeroed };
        let block = of_simple(&request, slot, pool_size, allocator);
        if block.is_some() {
            return block;
        }
    }
    let block = allocate_with_traits(allocator, alignment, size, is_zeroed);
    mistake::in_this_frame();
    block
}

/// As `allocate`, for code that cannot do without the block: ends the program if there is no memory
/// for it.
#[inline(always)]
pub fn allocate_or_end(
    allocator: AllocatorHandle,
    alignment: usize,
    size: usize,
) -> Option<NonNull<u8>> {
    let block = allocate(allocator, alignment, size, false);
    if block.is_none() && size != 0 {
        diag::fatal_in_call(&format!("{allocator}: {size} bytes are not to be had"));
    }
    block
}

/// Allocates the block where the allocator may have traits, or the request a large alignment.
#[inline(never)]
fn allocate_with_traits(
    allocator: AllocatorHandle,
    alignment: usize,
    size: usize,
    is_zeroed: bool,
) -> Option<NonNull<u8>> {
    let alignment = alignment.max(1);
    if !alignment.is_power_of_two() {
        mistake::no_alignment(alignment);
        return None;
    }
    let mut request = Request { size, alignment: alignment.max(HEADER), is_zeroed };
    let mut current = allocator;
    for _ in 0..MOST_FALLBACKS {
        let Some(slot) = table::find(current) else {
            return of_predefined(&request, current, allocator);
        };
        let traits = slot.traits();
        request.alignment = request.alignment.max(traits.alignment);
        if let Some(block) = of_created(&request, slot, &traits, current, allocator) {
            return Some(block);
        }
        match traits.fallback {
            Fallback::DefaultMemory => break,
            Fallback::Null => return None,
            Fallback::Abort => no_memory(size, current),
            Fallback::Allocator(next) => current = next,
        }
    }
    of_default_memory(&request, allocator)
}

/// A block of the default memory space, without traits.
#[inline(always)]
fn of_default_memory(request: &Request, requested: AllocatorHandle) -> Option<NonNull<u8>> {
    let block = storage::from_heap(request)?;
    give_out(block, request, Backing::Heap, requested, AllocatorHandle::NULL)
}

/// A block of a predefined allocator, or of one that does not exist, which is reported.
fn of_predefined(
    request: &Request,
    allocator: AllocatorHandle,
    requested: AllocatorHandle,
) -> Option<NonNull<u8>> {
    if allocator == AllocatorHandle::GNU_PINNED_MEM {
        let block = storage::from_pages(request, true, None)?;
        return give_out(block, request, Backing::Pages, requested, AllocatorHandle::NULL);
    }
    if !allocator.is_predefined() {
        mistake::no_allocator(allocator.to_abi(), "the default memory space is used");
    }
    of_default_memory(request, requested)
}

/// A block of an allocator of the program whose traits, except for the size of its pool, do not
/// matter. `None` if there is no memory: the caller sees to the fallback.
#[inline(always)]
fn of_simple(
    request: &Request,
    slot: &table::Slot,
    pool_size: u64,
    allocator: AllocatorHandle,
) -> Option<NonNull<u8>> {
    let footprint = request.footprint()?;
    let is_limited = pool_size != u64::MAX;
    if is_limited && !slot.take(footprint, pool_size) {
        return None;
    }
    let charged = if is_limited { allocator } else { AllocatorHandle::NULL };
    let block = storage::from_heap(request)
        .and_then(|block| give_out(block, request, Backing::Heap, allocator, charged));
    if block.is_none() && is_limited {
        table::give_back(allocator, footprint);
    }
    block
}

/// A block of an allocator of the program, within its pool and with its traits.
fn of_created(
    request: &Request,
    slot: &table::Slot,
    traits: &Traits,
    allocator: AllocatorHandle,
    requested: AllocatorHandle,
) -> Option<NonNull<u8>> {
    let footprint = request.footprint()?;
    let is_limited = traits.pool_size != u64::MAX;
    if is_limited && !slot.take(footprint, traits.pool_size) {
        return None;
    }
    let placement = match slot.part() {
        None if traits.partition == Partition::Environment => None,
        part => {
            let all = space::nodes();
            Placement::of(traits, part.map_or(all, |part| &part.nodes), all)
        }
    };
    let (block, backing) = if traits.pinned || placement.is_some() {
        (storage::from_pages(request, traits.pinned, placement), Backing::Pages)
    } else {
        (storage::from_heap(request), Backing::Heap)
    };
    let charged = if is_limited { allocator } else { AllocatorHandle::NULL };
    let given = block.and_then(|block| give_out(block, request, backing, requested, charged));
    if given.is_none() && is_limited {
        table::give_back(allocator, footprint);
    }
    given
}

/// Writes the header and enters the block among those of the program. `None` if there is no memory
/// for the entry: then the block's memory is given back.
#[inline(always)]
fn give_out(
    (block, distance): Placed,
    request: &Request,
    backing: Backing,
    requested: AllocatorHandle,
    charged: AllocatorHandle,
) -> Option<NonNull<u8>> {
    let &Request { size, alignment, .. } = request;
    let header = Header { size, alignment, distance, backing, requested, charged };
    // SAFETY: the storage has room for a header before the block, and no thread knows it yet.
    unsafe { header.write(block) };
    if blocks::enter(block) {
        return Some(block);
    }
    // SAFETY: the block has the header that was just written, and still no thread knows it.
    unsafe { storage::give_back(block, &header) };
    None
}

/// Ends the program, as the fallback of the allocator demands.
#[cold]
fn no_memory(size: usize, allocator: AllocatorHandle) -> ! {
    diag::fatal_in_call(&format!(
        "{allocator}: {size} bytes are not to be had, and its fallback is omp_atv_abort_fb"
    ))
}
