//! The memory of a block: of the C library's heap, or pages of its own.

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::{self, NonNull};

use oxomp_base::allocators::traits::LARGEST_ALIGNMENT;
use oxomp_base::diag;
use oxomp_base::os::pages::{lock_pages, map_pages, page_size, unmap_pages};

use super::header::{Backing, HEADER, Header, LARGEST, LARGEST_DISTANCE};
use super::placement::Placement;

/// A request for the memory of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// The block's size in bytes, not 0.
    pub(super) size: usize,
    /// Its alignment, a power of two, at least that of a header.
    pub(super) alignment: usize,
    /// Whether the block is to be zero.
    pub(super) is_zeroed: bool,
}

impl Request {
    /// The bytes from the start of the memory to the end of the block. `None` if no address space
    /// is that large.
    #[inline(always)]
    pub(super) fn footprint(&self) -> Option<usize> {
        let fits = self.size <= LARGEST && self.alignment <= LARGEST_ALIGNMENT;
        fits.then(|| self.alignment + self.size)
    }
}

/// A block begins at least this number of bytes after the one before it: `blocks` relies on that.
const LEAST: usize = 32;

/// A block and the distance from the start of its memory.
pub(super) type Placed = (NonNull<u8>, usize);

/// Memory of the heap, with room for a header before the block. Returns the block.
#[inline(always)]
pub(super) fn from_heap(request: &Request) -> Option<Placed> {
    let bytes = request.footprint()?.max(LEAST);
    if request.alignment > LARGEST_DISTANCE {
        return from_aligned_heap(request, bytes);
    }
    // SAFETY: any size may be asked for.
    let memory =
        unsafe { if request.is_zeroed { libc::calloc(1, bytes) } else { libc::malloc(bytes) } };
    let memory = NonNull::new(memory.cast::<u8>())?;
    let address = memory.addr().get();
    if !address.is_multiple_of(HEADER) {
        // SAFETY: malloc has returned it, and nothing has used it.
        unsafe { libc::free(memory.as_ptr().cast()) };
        return from_aligned_heap(request, bytes);
    }
    // The first multiple of the alignment behind the header: at most the alignment from the begin,
    // which is a multiple of the header's size.
    let distance = request.alignment - (address & (request.alignment - 1));
    // SAFETY: the memory has more bytes than that.
    Some((unsafe { memory.add(distance) }, distance))
}

/// As `from_heap`, for alignments at which most of the memory would lie before the block, and where
/// the program's own heap does not keep the least alignment.
#[cold]
fn from_aligned_heap(request: &Request, bytes: usize) -> Option<Placed> {
    let mut memory: *mut c_void = ptr::null_mut();
    // SAFETY: a power of two that is not less than a pointer; nothing is stored on failure.
    unsafe { libc::posix_memalign(&mut memory, request.alignment, bytes) };
    let memory = NonNull::new(memory.cast::<u8>())?;
    // SAFETY: the memory has `bytes` bytes, which only the caller has.
    unsafe {
        if request.is_zeroed {
            memory.write_bytes(0, bytes);
        }
        Some((memory.add(request.alignment), request.alignment))
    }
}

/// Pages of their own, with room for a header before the block. They are zero. Returns the block.
pub(super) fn from_pages(
    request: &Request,
    is_pinned: bool,
    placement: Option<Placement<'_>>,
) -> Option<Placed> {
    let page = page_size();
    let bytes = request.footprint()?.checked_next_multiple_of(page)?;
    // The pages that make the block's alignment possible are given back.
    let surplus = if request.alignment > page { request.alignment } else { 0 };
    let all = map_pages(bytes.checked_add(surplus)?)?;
    let skipped = all.align_offset(request.alignment.max(page));
    // SAFETY: the pages begin at the first multiple of the alignment, which is at most `surplus`
    // behind the start, or, without surplus, at the start, a page's. What lies before and behind
    // them has not been used.
    let pages = unsafe {
        let pages = all.add(skipped);
        unmap_pages(all, skipped);
        unmap_pages(pages.add(bytes), surplus - skipped);
        pages
    };
    if let Some(placement) = placement {
        placement.apply(pages, bytes, page);
    }
    if is_pinned && !lock_pages(pages, bytes) {
        // SAFETY: these pages are left of those that were mapped, and nothing has used them.
        unsafe { unmap_pages(pages, bytes) };
        return None;
    }
    // SAFETY: the pages have more bytes than that.
    Some((unsafe { pages.add(request.alignment) }, request.alignment))
}

/// Gives the memory of a block back.
///
/// # Safety
/// The block has this header, and nothing uses it any more.
#[inline(always)]
pub(super) unsafe fn give_back(block: NonNull<u8>, header: &Header) {
    // SAFETY: as this function demands.
    let memory = unsafe { header.memory(block) };
    match header.backing {
        // SAFETY: the C library has returned this address, and nothing uses the memory any more.
        Backing::Heap => unsafe { libc::free(memory.as_ptr().cast()) },
        Backing::Pages => {
            let bytes = header.footprint().next_multiple_of(page_size());
            // SAFETY: the pages of `from_pages`, and nothing uses them any more. They are unlocked
            // as they are unmapped.
            unsafe { unmap_pages(memory, bytes) };
        }
    }
}

/// Changes the size of memory of the heap whose block has a header of the least size. `None` if
/// there is no such memory: the old memory is unchanged. Returns the block, perhaps elsewhere.
///
/// # Safety
/// The block has this header, it is of the heap, and the caller gives it up on success.
pub(super) unsafe fn resize_in_heap(
    block: NonNull<u8>,
    header: &Header,
    size: usize,
) -> Option<NonNull<u8>> {
    debug_assert!(header.backing == Backing::Heap && header.alignment == HEADER);
    let request = Request { size, alignment: HEADER, is_zeroed: false };
    let layout = Layout::array::<u8>(request.footprint()?.max(LEAST)).ok()?;
    // SAFETY: as this function demands: memory of the C library's.
    let memory = unsafe { libc::realloc(header.memory(block).as_ptr().cast(), layout.size()) };
    let memory = NonNull::new(memory.cast::<u8>())?;
    if memory.addr().get().is_multiple_of(HEADER) {
        // SAFETY: the memory has more bytes than that.
        return Some(unsafe { memory.add(HEADER) });
    }
    // SAFETY: realloc has returned the memory, with the block's bytes behind those of the header.
    unsafe {
        let moved = aligned_copy(memory.add(HEADER), &request, layout, header.size.min(size));
        libc::free(memory.as_ptr().cast());
        Some(moved)
    }
}

/// A block in aligned memory of the size of `layout`, with the first `kept` bytes of `contents`:
/// for memory of a heap of the program's own that does not keep the least alignment. Ends the
/// program if there is no memory: the block from which the contents come is gone already.
///
/// # Safety
/// `kept` bytes are readable, and `request` is for at least `kept` bytes.
#[cold]
unsafe fn aligned_copy(
    contents: NonNull<u8>,
    request: &Request,
    layout: Layout,
    kept: usize,
) -> NonNull<u8> {
    let Some((block, _)) = from_aligned_heap(request, layout.size()) else {
        diag::no_memory(layout)
    };
    // SAFETY: as this function demands, and the new block is this function's alone.
    unsafe { block.copy_from_nonoverlapping(contents, kept) };
    block
}

#[cfg(test)]
mod tests {
    use super::{Backing, HEADER, Header, Request, aligned_copy, from_heap, from_pages, give_back};
    use core::alloc::Layout;
    use core::ptr::NonNull;

    use oxomp_base::icv::AllocatorHandle;

    fn check(request: &Request, backing: Backing) {
        let block = match backing {
            Backing::Heap => from_heap(request),
            Backing::Pages => from_pages(request, false, None),
        };
        let (block, distance) = block.unwrap_or_else(|| panic!("{request:?}"));
        assert!(block.addr().get().is_multiple_of(request.alignment), "{request:?}");
        let header = Header {
            size: request.size,
            alignment: request.alignment,
            distance,
            backing,
            requested: AllocatorHandle::DEFAULT_MEM,
            charged: AllocatorHandle::NULL,
        };
        // SAFETY: the block is this test's, with room for a header before it.
        unsafe {
            header.write(block);
            if request.is_zeroed {
                let bytes = core::slice::from_raw_parts(block.as_ptr(), request.size);
                assert!(bytes.iter().all(|&byte| byte == 0), "{request:?}");
            }
            block.write_bytes(0xa5, request.size);
            assert_eq!(Header::read(block), header);
            give_back(block, &header);
        }
    }

    #[test]
    fn blocks_have_their_alignment_their_size_and_zeros() {
        for backing in [Backing::Heap, Backing::Pages] {
            for shift in 4..24 {
                for size in [1, 8, 31, 4096, 100_000] {
                    for is_zeroed in [false, true] {
                        check(&Request { size, alignment: 1 << shift, is_zeroed }, backing);
                    }
                }
            }
        }
    }

    #[test]
    fn what_a_heap_of_less_alignment_has_moved_is_moved_to_aligned_memory() {
        let memory: Vec<u8> = (0..=255).collect();
        for begin in [1, 8] {
            let request = Request { size: 100, alignment: HEADER, is_zeroed: false };
            let contents = NonNull::from(&memory[begin]);
            // SAFETY: the vector has the bytes that are copied; the block begins behind room for a
            // header, where posix_memalign's memory begins, and the test uses it no more when it
            // frees it.
            unsafe {
                let block = aligned_copy(contents, &request, Layout::new::<[u8; 116]>(), 70);
                assert!(block.addr().get().is_multiple_of(HEADER));
                let copied = core::slice::from_raw_parts(block.as_ptr(), 70);
                assert_eq!(copied, &memory[begin..begin + 70]);
                libc::free(block.sub(HEADER).as_ptr().cast());
            }
        }
    }

    #[test]
    fn no_address_space_has_some_sizes() {
        for (size, alignment) in [(usize::MAX, 16), (1 << 48, 16), (1, 1 << 47), (1 << 47, 16)] {
            let request = Request { size, alignment, is_zeroed: false };
            assert!(from_heap(&request).is_none() && from_pages(&request, false, None).is_none());
        }
    }
}
