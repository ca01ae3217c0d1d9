//! The library's memory, which the debugger's callbacks provide (OpenMP 6.0 §40.1).
//!
//! While the library answers a call, each of its allocations is a block of the debugger's memory.
//! A block begins with a header that names its origin, so that the block goes back to where it came
//! from, whichever debugger has initialized the library by then. Where the callback refuses, the
//! block comes from the system: nothing is aborted, and the call ends with `ompd_rc_nomem`.
//!
//! Outside of calls, and while a callback runs, this allocator is the system's. The library
//! allocates nothing then; the tests of the crate allocate then, by the same allocator.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::ffi::c_void;
use core::ptr::{self, NonNull};
use std::alloc::System;

use oxomp_sys::ompd::{ompd_callback_memory_alloc_fn_t, ompd_callback_memory_free_fn_t, ompd_rc_t};

use crate::Answer;

#[global_allocator]
static ALLOCATOR: Forwarding = Forwarding;

/// The debugger's callbacks for memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Provider {
    pub(crate) allocate: ompd_callback_memory_alloc_fn_t,
    pub(crate) free: ompd_callback_memory_free_fn_t,
}

// Neither variable needs memory or a destructor.
thread_local! {
    /// The debugger whose call this thread answers.
    static PROVIDER: Cell<Option<Provider>> = const { Cell::new(None) };
    /// Whether the debugger has refused memory since the call began.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` with memory of `provider`.
pub(crate) fn with<R>(provider: Option<Provider>, work: impl FnOnce() -> R) -> R {
    let around = PROVIDER.replace(provider);
    let result = work();
    PROVIDER.set(around);
    result
}

/// Answers a call of the debugger with its memory, which it has not refused yet.
pub(crate) fn answer(provider: Option<Provider>, work: impl FnOnce() -> Answer<()>) -> Answer<()> {
    REFUSED.set(false);
    let answer = with(provider, work);
    // Without memory the work may have gone wrong in any way.
    enough().and(answer)
}

/// Fails with `nomem` if the debugger has refused memory since the call began: then the call must
/// leave nothing behind, and give nothing to the debugger.
pub(crate) fn enough() -> Answer<()> {
    if REFUSED.get() { Err(ompd_rc_t::NOMEM) } else { Ok(()) }
}

/// What stands before each block.
#[derive(Clone, Copy)]
struct Header {
    /// The address that the origin gave.
    start: *mut u8,
    /// The debugger's callback that frees the block; `None` if the system frees it.
    free: Option<ompd_callback_memory_free_fn_t>,
}

/// The allocator of the library.
struct Forwarding;

/// A block with room for a header and for the layout, at any address; `None` if that is too large.
fn room(layout: Layout) -> Option<Layout> {
    let size = layout.size().checked_add(layout.align())?.checked_add(size_of::<Header>())?;
    Layout::from_size_align(size, 1).ok()
}

impl Provider {
    /// Memory of the debugger.
    fn block(self, size: usize) -> Option<NonNull<u8>> {
        let mut memory: *mut c_void = ptr::null_mut();
        // SAFETY: the debugger promises by `ompd_initialize` that its callback allocates memory;
        // `memory` is a place for the result.
        let code = with(None, || unsafe { (self.allocate)(size as u64, &raw mut memory) });
        NonNull::new(memory.cast()).filter(|_| code == ompd_rc_t::OK)
    }
}

/// The address of the block in `room.size()` bytes at `start`, behind a new header.
///
/// # Safety
/// The bytes are new memory, and `room` is the layout's.
unsafe fn place(header: Header, layout: Layout) -> *mut u8 {
    // SAFETY: the room has bytes for a header, and for the block at its alignment behind it.
    unsafe {
        let after = header.start.add(size_of::<Header>());
        let block = after.add(after.align_offset(layout.align()));
        block.cast::<Header>().sub(1).write_unaligned(header);
        block
    }
}

// SAFETY: each block lies in memory of its own, of the layout's size behind an address of the
// layout's alignment; no function unwinds.
unsafe impl GlobalAlloc for Forwarding {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(room) = room(layout) else { return ptr::null_mut() };
        let provider = PROVIDER.get();
        let header = match provider
            .and_then(|provider| Some((provider, provider.block(room.size())?)))
        {
            Some((provider, start)) => Header { start: start.as_ptr(), free: Some(provider.free) },
            None => {
                REFUSED.set(REFUSED.get() | provider.is_some());
                // SAFETY: the room has bytes.
                Header { start: unsafe { System.alloc(room) }, free: None }
            }
        };
        if header.start.is_null() {
            return ptr::null_mut();
        }
        // SAFETY: the memory at `start` is new, and has the room's size.
        unsafe { place(header, layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `alloc` has written a header before the block.
        let Header { start, free } = unsafe { block.cast::<Header>().sub(1).read_unaligned() };
        match (free, room(layout)) {
            // SAFETY: the callback that came with this one in a debugger's table has allocated the
            // memory. Its failure has no consequence.
            (Some(free), _) => _ = with(None, || unsafe { free(start.cast()) }),
            // SAFETY: the system has allocated it with this layout.
            (None, Some(room)) => unsafe { System.dealloc(start, room) },
            // `alloc` has made no block of this layout.
            (None, None) => {}
        }
    }
}
