//! Task reductions (OpenMP 5.2 §5.5.9): a copy of each list item for every thread that executes tasks
//! of a taskgroup, combined when the taskgroup ends.

use core::alloc::Layout;
use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::alloc;

use super::{Taskgroup, begin_taskgroup};
use crate::arch::CallSite;
use crate::diag;
use crate::thread::Thread;

/// How a copy of a list item begins.
#[derive(Clone, Copy, Debug)]
pub enum Initializer {
    /// As zero bytes.
    Zero,
    /// `init(copy)`.
    Copy(unsafe extern "C" fn(*mut c_void)),
    /// `init(copy, original)`.
    CopyOf(unsafe extern "C" fn(*mut c_void, *mut c_void)),
}

/// One list item.
#[derive(Clone, Copy, Debug)]
pub struct ReductionItem {
    /// What the copies are combined into, and by whose address tasks ask for their copy.
    pub shared: *mut c_void,
    /// What `init` gets.
    pub original: *mut c_void,
    pub bytes: usize,
    pub initializer: Initializer,
    /// Ends a copy.
    pub finalizer: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Combines the second into the first. None: the program does it.
    pub combiner: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
}

/// The copies of some list items: for each thread of the team a block with one of each.
///
/// A thread begins a copy when it first asks for it, so `begun` is written by that thread only, and
/// read by the one that combines, after the tasks that used the copies.
#[derive(Debug)]
pub struct Reductions {
    items: Box<[(ReductionItem, usize)]>,
    base: *mut u8,
    /// Bytes of a thread's block.
    stride: usize,
    threads: u32,
    /// Copies of other items that the same taskgroup reduces.
    pub(super) next: Cell<Option<&'static Reductions>>,
    begun: Box<[Cell<bool>]>,
    /// Taskgroups that have not ended, of a reduction that a team shares.
    sharers: AtomicU32,
}

// SAFETY: see the struct: one thread an entry of `begun`; the blocks are the threads' own.
unsafe impl Sync for Reductions {}
// SAFETY: as above; the pointers are the program's.
unsafe impl Send for Reductions {}

/// Copies of different threads share no line, nor the one that is fetched along.
const LINE: usize = 128;

impl Reductions {
    /// Copies of `items` for `threads` threads; `sharers` taskgroups use them.
    pub fn new(items: &[ReductionItem], threads: u32, sharers: u32) -> &'static Reductions {
        let mut stride = 0usize;
        let mut placed = Vec::with_capacity(items.len());
        for item in items {
            placed.push((*item, stride));
            stride = (stride + item.bytes).next_multiple_of(size_of::<u128>() * 4);
        }
        let stride = stride.next_multiple_of(LINE).max(LINE);
        Self::place(placed, stride, threads, sharers)
    }

    /// Copies of which each thread has a block of `stride` bytes, each item at its offset there: the
    /// program combines them, and calls `free`.
    pub fn with_layout(
        items: Vec<(ReductionItem, usize)>,
        stride: usize,
        threads: u32,
    ) -> &'static Reductions {
        // The program's taskgroups come and go; none of them is the last.
        Self::place(items, stride.max(1), threads, u32::MAX)
    }

    fn place(
        items: Vec<(ReductionItem, usize)>,
        stride: usize,
        threads: u32,
        sharers: u32,
    ) -> &'static Reductions {
        let layout = layout(stride, threads);
        // SAFETY: of more than zero bytes.
        let base = unsafe { alloc::alloc_zeroed(layout) };
        if base.is_null() {
            diag::fatal(&format!(
                "no memory for the copies of a task reduction: {} bytes were asked for",
                layout.size()
            ));
        }
        let begun = (0..threads as usize * items.len()).map(|_| Cell::new(false)).collect();
        Box::leak(Box::new(Reductions {
            items: items.into(),
            base,
            stride,
            threads,
            next: Cell::new(None),
            begun,
            sharers: AtomicU32::new(sharers),
        }))
    }

    /// Thread `thread_num`'s copy of the item at the shared address `data`, or of which `data` is any
    /// thread's copy; none if it is no item of these.
    fn copy(&self, thread_num: u32, data: *mut c_void) -> Option<*mut c_void> {
        let into = data.addr().wrapping_sub(self.base.addr());
        let index = if into < self.stride * self.threads as usize {
            let offset = into % self.stride;
            self.items.iter().rposition(|(_, start)| *start <= offset)?
        } else {
            self.items.iter().position(|(item, _)| ptr::eq(item.shared, data))?
        };
        let (item, offset) = &self.items[index];
        let place = thread_num as usize;
        // SAFETY: within the thread's block.
        let copy = unsafe { self.base.add(self.stride * place + offset).cast::<c_void>() };
        if !self.begun[place * self.items.len() + index].replace(true) {
            // SAFETY: the compiler's function on memory of the size that it gave.
            unsafe {
                match item.initializer {
                    Initializer::Zero => {}
                    Initializer::Copy(init) => init(copy),
                    Initializer::CopyOf(init) => init(copy, item.original),
                }
            }
        }
        Some(copy)
    }

    /// Taskgroups that use them and have not ended.
    pub(super) fn sharers(&self) -> u32 {
        self.sharers.load(Relaxed)
    }

    /// A taskgroup with these copies has ended: the last combines them, and frees them.
    pub(super) fn finish(&'static self) {
        // AcqRel: what the tasks of the other taskgroups did is seen.
        if self.sharers.fetch_sub(1, AcqRel) != 1 {
            return;
        }
        let count = self.items.len();
        for (index, (item, offset)) in self.items.iter().enumerate() {
            for place in 0..self.threads as usize {
                if !self.begun[place * count + index].get() {
                    continue;
                }
                // SAFETY: within the block; the compiler's functions on a copy that was begun.
                unsafe {
                    let copy = self.base.add(self.stride * place + offset).cast::<c_void>();
                    if let Some(combine) = item.combiner {
                        combine(item.shared, copy);
                    }
                    if let Some(finalize) = item.finalizer {
                        finalize(copy);
                    }
                }
            }
        }
        // SAFETY: the last user is this one.
        unsafe { self.free() };
    }

    /// Where the first thread's copies are.
    pub fn base(&self) -> *mut u8 {
        self.base
    }

    /// # Safety
    /// Nobody uses the copies any more.
    pub unsafe fn free(&'static self) {
        // SAFETY: allocated and leaked in `place`.
        unsafe {
            alloc::dealloc(self.base, layout(self.stride, self.threads));
            drop(Box::from_raw(ptr::from_ref(self).cast_mut()));
        }
    }
}

fn layout(stride: usize, threads: u32) -> Layout {
    let bytes = stride.checked_mul(threads as usize);
    match bytes.and_then(|bytes| Layout::from_size_align(bytes, LINE).ok()) {
        Some(layout) => layout,
        None => diag::fatal(&format!(
            "the copies of a task reduction are too large: {stride} bytes for each of {threads} threads"
        )),
    }
}

/// The current taskgroup reduces `items`: the taskgroup. None outside any: the program's error.
pub fn reduce(thread: &'static Thread, items: &[ReductionItem]) -> Option<&'static Taskgroup> {
    let group = thread.task().taskgroup()?;
    group.add_reductions(Reductions::new(items, thread.team().size(), 1));
    Some(group)
}

/// The current taskgroup reduces what `copies` are of.
pub fn reduce_with(thread: &'static Thread, copies: &'static Reductions) {
    if let Some(group) = thread.task().taskgroup() {
        group.add_reductions(copies);
    }
}

/// A reduction that all threads of the team encounter (reduction with the task modifier): each begins a
/// taskgroup, and they share the copies.
pub fn reduce_in_team(
    thread: &'static Thread,
    items: &[ReductionItem],
    site: CallSite,
) -> &'static Taskgroup {
    let place = thread.implicit_task();
    let team = place.team();
    let number = place.reduction.next_in_team();
    let size = team.size();
    let copies = team.tasking.shared_reductions(number, || Reductions::new(items, size, size));
    let group = begin_taskgroup(thread, site);
    group.add_reductions(copies);
    group
}

/// The calling thread's copy of the list item at `data`: of the innermost taskgroup, from `group`
/// outward, that reduces it. `data` itself if there is none.
pub fn copy_of(
    thread: &'static Thread,
    group: Option<&'static Taskgroup>,
    data: *mut c_void,
) -> *mut c_void {
    let thread_num = thread.implicit_task().thread_num();
    let mut next = group.or_else(|| thread.task().taskgroup());
    while let Some(group) = next {
        let mut copies = group.reductions.get();
        while let Some(these) = copies {
            if let Some(copy) = these.copy(thread_num, data) {
                return copy;
            }
            copies = these.next.get();
        }
        next = group.outer();
    }
    data
}
