//! The copies of list items that tasks reduce: for each thread of the team a part with one of each,
//! in one piece of memory.

use core::alloc::Layout;
use core::cell::Cell;
use core::ffi::c_void;
use core::ptr::{self, NonNull};
use core::slice;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::alloc;

use super::properties::ALIGNMENT;
use crate::diag;

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

/// One list item, which the runtime combines.
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
    /// Combines the second into the first.
    pub combiner: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
}

/// The copies of some list items. Behind this head lie the items, and a part for each thread.
///
/// Invariants:
/// 1. A thread begins its copy when it first asks for it, and marks that in its part. The marks are
///    that thread's alone, and read by the one that combines, after the tasks that used the copies.
/// 2. Where the program combines, all copies are zero bytes from the first, and there are no marks.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct Copies {
    /// Of all the memory.
    layout: Layout,
    item_count: usize,
    parts: *mut u8,
    /// Bytes of a thread's part.
    stride: usize,
    threads: u32,
    /// Taskgroups that have not ended, of a reduction that a team shares.
    sharers: AtomicU32,
    is_combined_here: bool,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    item: ReductionItem,
    /// Of its copies from the beginnings of the parts.
    offset: usize,
}

// SAFETY: see the invariants; the parts are the threads' own.
unsafe impl Sync for Copies {}
// SAFETY: as above; the pointers are the program's.
unsafe impl Send for Copies {}

/// Parts of different threads share no line, nor the one that is fetched along.
const LINE: usize = align_of::<Copies>();

impl Copies {
    /// No taskgroup is the last.
    pub const KEPT: u32 = u32::MAX;

    /// Copies of `items` for `threads` threads, from the memory that the calling thread keeps; `sharers` taskgroups use them, the
    /// last combines them.
    pub(in crate::task) fn of_items(
        spares: &SpareCopies,
        items: impl ExactSizeIterator<Item = ReductionItem> + Clone,
        threads: u32,
        sharers: u32,
    ) -> &'static Copies {
        let marks = items.len().next_multiple_of(ALIGNMENT);
        let behind = |at: usize, bytes: usize| at.saturating_add(bytes.next_multiple_of(ALIGNMENT));
        let end = items.clone().fold(marks, |at, item| behind(at, item.bytes));
        let stride = if end < usize::MAX - LINE { end.next_multiple_of(LINE) } else { end };
        let mut offset = marks;
        let placed = items.map(|item| {
            let placed = Placed { item, offset };
            offset = behind(offset, item.bytes);
            placed
        });
        let copies = Self::new(spares, placed, stride, threads, sharers, true);
        for place in 0..threads as usize {
            // SAFETY: within the thread's part.
            unsafe { copies.part(place).write_bytes(0, copies.item_count) };
        }
        copies
    }

    /// Copies that the program combines. A thread's part has `stride` bytes, the copies of the
    /// items with these addresses at these offsets. The last of `sharers` taskgroups frees them, or
    /// the program does if there is no such number (`KEPT`).
    pub(in crate::task) fn combined_by_program(
        spares: &SpareCopies,
        items: impl ExactSizeIterator<Item = (*mut c_void, usize)>,
        stride: usize,
        threads: u32,
        sharers: u32,
    ) -> &'static Copies {
        let placed = items.map(|(shared, offset)| {
            let (initializer, finalizer, combiner) = (Initializer::Zero, None, None);
            let original = shared;
            let bytes = 0;
            let item = ReductionItem { shared, original, bytes, initializer, finalizer, combiner };
            Placed { item, offset }
        });
        let stride = stride.max(1);
        let copies = Self::new(spares, placed, stride, threads, sharers, false);
        // SAFETY: all parts.
        unsafe { copies.parts.write_bytes(0, stride * threads as usize) };
        copies
    }

    fn new(
        spares: &SpareCopies,
        items: impl ExactSizeIterator<Item = Placed>,
        stride: usize,
        threads: u32,
        sharers: u32,
        is_combined_here: bool,
    ) -> &'static Copies {
        let item_count = items.len();
        let (layout, parts_at) = layout(item_count, stride, threads);
        let (memory, layout) = spares.take(layout);
        // SAFETY: the memory is large enough for the head, the items and the parts behind them, and
        // nobody else's.
        unsafe {
            let first = memory.add(size_of::<Copies>()).cast::<Placed>();
            for (index, item) in items.enumerate() {
                first.add(index).write(item);
            }
            let copies = memory.cast::<Copies>();
            copies.write(Copies {
                layout,
                item_count,
                parts: memory.add(parts_at).as_ptr(),
                stride,
                threads,
                sharers: AtomicU32::new(sharers),
                is_combined_here,
            });
            &*copies.as_ptr()
        }
    }

    fn items(&self) -> &[Placed] {
        // SAFETY: `new` wrote them behind the head.
        unsafe { slice::from_raw_parts(ptr::from_ref(self).add(1).cast(), self.item_count) }
    }

    /// The item that a taskgroup knows by the address `data`, of `shared` addresses if it has some
    /// of its own, or of which `data` is any thread's copy.
    pub(in crate::task) fn find(&self, data: *mut c_void, shared: &[*mut c_void]) -> Option<usize> {
        let into = data.addr().wrapping_sub(self.parts.addr());
        if into < self.stride * self.threads as usize {
            let offset = into % self.stride;
            return self.items().iter().rposition(|placed| placed.offset <= offset);
        }
        (0..self.item_count).find(|index| ptr::eq(self.shared(*index, shared), data))
    }

    /// An item's address in a taskgroup with these `shared` addresses, if it has some of its own.
    pub(in crate::task) fn shared(&self, index: usize, shared: &[*mut c_void]) -> *mut c_void {
        shared.get(index).copied().unwrap_or(self.items()[index].item.shared)
    }

    fn part(&self, place: usize) -> *mut u8 {
        debug_assert!(place < self.threads as usize);
        // SAFETY: there is one for each thread.
        unsafe { self.parts.add(self.stride * place) }
    }

    /// Whether the thread at `place` has begun its copy of an item. By that thread, or after it.
    fn mark(&self, place: usize, index: usize) -> &Cell<bool> {
        // SAFETY: a part begins with as many bytes for marks as there are items (Invariant 1).
        unsafe { &*self.part(place).add(index).cast::<Cell<bool>>() }
    }

    /// The copy of an item for the calling thread, which is at `place`.
    pub(in crate::task) fn begin(&self, place: usize, index: usize) -> *mut c_void {
        let Placed { item, offset } = &self.items()[index];
        // SAFETY: within the part.
        let copy = unsafe { self.part(place).add(*offset) }.cast::<c_void>();
        if self.is_combined_here && !self.mark(place, index).replace(true) {
            // SAFETY: the compiler's function on memory of the size that it gave.
            unsafe {
                match item.initializer {
                    Initializer::Zero => copy.cast::<u8>().write_bytes(0, item.bytes),
                    Initializer::Copy(init) => init(copy),
                    Initializer::CopyOf(init) => init(copy, item.original),
                }
            }
        }
        copy
    }

    /// Whether the runtime combines them. If not, the program does.
    pub(in crate::task) fn is_combined_here(&self) -> bool {
        self.is_combined_here
    }

    /// Combines the copies that were begun into the items, or `shared` if there are some.
    pub(in crate::task) fn combine(&self, shared: &[*mut c_void]) {
        for (index, Placed { item, offset }) in self.items().iter().enumerate() {
            for place in 0..self.threads as usize {
                if !self.mark(place, index).get() {
                    continue;
                }
                // SAFETY: the compiler's functions, on a copy that was begun.
                unsafe {
                    let copy = self.part(place).add(*offset).cast();
                    if let Some(combine) = item.combiner {
                        combine(self.shared(index, shared), copy);
                    }
                    if let Some(finalize) = item.finalizer {
                        finalize(copy);
                    }
                }
            }
        }
    }

    /// In the child of a fork(2), where one of the sharing taskgroups is left. Copies that the
    /// program combines have a greater count than one for each thread, and keep it.
    pub(in crate::task) fn outlive_others(&self) {
        if self.sharers.load(Relaxed) <= self.threads {
            self.sharers.store(1, Relaxed);
        }
    }

    /// One of the sharing taskgroups has ended: whether it was the last.
    pub(in crate::task) fn leave(&self) -> bool {
        // AcqRel: what the tasks of the other taskgroups did is seen.
        self.sharers.fetch_sub(1, AcqRel) == 1
    }

    /// Where the first thread's part is.
    pub fn parts(&self) -> *mut u8 {
        self.parts
    }

    /// # Safety
    /// Nobody uses the copies any more.
    pub(in crate::task) unsafe fn release(&'static self, spares: &SpareCopies) {
        spares.keep(NonNull::from(self).cast(), self.layout);
    }
}

/// The memory for a head, so many items and parts, and where in it the parts begin.
fn layout(items: usize, stride: usize, threads: u32) -> (Layout, usize) {
    let parts_at = (size_of::<Copies>() + items * size_of::<Placed>()).next_multiple_of(LINE);
    let bytes = stride.checked_mul(threads as usize).and_then(|bytes| bytes.checked_add(parts_at));
    match bytes.and_then(|bytes| Layout::from_size_align(bytes, LINE).ok()) {
        Some(layout) => (layout, parts_at),
        None => diag::fatal(&format!(
            "the copies of a task reduction are too large: \
             {stride} bytes for each of {threads} threads"
        )),
    }
}

/// The memory of copies that are over, for the thread's next ones (`taskgroup_reduction`).
#[derive(Debug)]
pub(crate) struct SpareCopies(Cell<Option<(NonNull<u8>, Layout)>>);

/// More than that goes back to the system.
const MOST_SPARE_BYTES: usize = 64 * 1024;

impl SpareCopies {
    pub(in crate::task) const fn new() -> Self {
        SpareCopies(Cell::new(None))
    }

    /// In the child of a fork(2), of a thread that is gone.
    pub(in crate::task) fn forget(&self) {
        self.0.set(None);
    }

    /// Memory of at least that layout, and its own layout.
    fn take(&self, layout: Layout) -> (NonNull<u8>, Layout) {
        match self.0.take() {
            Some((memory, whole)) if whole.size() >= layout.size() => return (memory, whole),
            spare => self.0.set(spare),
        }
        // SAFETY: of more than zero bytes.
        match NonNull::new(unsafe { alloc::alloc(layout) }) {
            Some(memory) => (memory, layout),
            None => diag::fatal(&format!(
                "no memory for the copies of a task reduction: {} bytes were asked for",
                layout.size()
            )),
        }
    }

    /// The memory, of that layout, is of no use any more; the larger of two is kept.
    fn keep(&self, memory: NonNull<u8>, layout: Layout) {
        let spare_bytes = self.0.get().map_or(0, |(_, layout)| layout.size());
        let is_kept = layout.size() > spare_bytes && layout.size() <= MOST_SPARE_BYTES;
        let freed =
            if is_kept { self.0.replace(Some((memory, layout))) } else { Some((memory, layout)) };
        if let Some((memory, layout)) = freed {
            // SAFETY: from `take`.
            unsafe { alloc::dealloc(memory.as_ptr(), layout) };
        }
    }
}
