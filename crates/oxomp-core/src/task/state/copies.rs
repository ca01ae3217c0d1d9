//! The private copies of list items that tasks reduce: one allocation, with a part for each thread
//! of the team that holds a copy of each item.

use core::alloc::Layout;
use core::cell::Cell;
use core::ffi::c_void;
use core::ptr::{self, NonNull};
use core::slice;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::alloc;

use oxomp_base::diag;
use oxomp_protocol::Alone;

use super::properties::ALIGNMENT;

/// How a copy of a list item is initialized.
#[derive(Clone, Copy, Debug)]
pub enum Initializer {
    /// With zero bytes.
    Zero,
    /// By `init(copy)`.
    Copy(unsafe extern "C" fn(*mut c_void)),
    /// By `init(copy, original)`.
    CopyOf(unsafe extern "C" fn(*mut c_void, *mut c_void)),
}

/// A list item whose copies the runtime combines.
#[derive(Clone, Copy, Debug)]
pub struct ReductionItem {
    /// The variable into which the copies are combined; tasks ask for their copy by its address.
    pub shared: *mut c_void,
    /// The variable that `init` gets as `original`.
    pub original: *mut c_void,
    /// The size of the item, and of each copy, in bytes.
    pub bytes: usize,
    /// The way in which a thread initializes its copy, when it first asks for it.
    pub initializer: Initializer,
    /// Finalizes a copy.
    pub finalizer: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Combines its second argument into its first.
    pub combiner: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
}

/// The copies of some list items. This header is followed by the items, and a part for each thread.
///
/// Invariants:
/// 1. A thread initializes its copy when it first asks for it, and marks that in its part. No other
///    thread accesses the marks of a part, except the thread that combines, after the tasks that
///    used the copies.
/// 2. Copies that the program combines are zero bytes from the start, without marks.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct Copies {
    /// The layout of the whole allocation.
    layout: Layout,
    item_count: usize,
    parts: *mut u8,
    /// The number of bytes of a thread's part.
    stride: usize,
    threads: u32,
    /// The number of taskgroups that share the copies and have not ended.
    sharers: AtomicU32,
    is_combined_here: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    item: ReductionItem,
    /// The offset of the item's copy in each part.
    offset: usize,
}

// SAFETY: each thread accesses its own part only; the thread that combines accesses the others
// after all tasks that used them (Invariant 1).
unsafe impl Sync for Copies {}
// SAFETY: as for `Sync`; the pointers are addresses of the program, valid on every thread.
unsafe impl Send for Copies {}

/// Parts of different threads share neither a cache line nor a pair of adjacent lines, which the
/// processor prefetches together.
const LINE: usize = align_of::<Copies>();

impl Copies {
    /// Value of `sharers`: no taskgroup is the last, the program frees the copies.
    pub const KEPT: u32 = u32::MAX;

    /// Copies of `items` for `threads` threads, in memory that the calling thread keeps, if it has
    /// enough. `sharers` taskgroups use the copies, and the last of them combines them.
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
        let slots = items.map(|item| {
            let slot = Slot { item, offset };
            offset = behind(offset, item.bytes);
            slot
        });
        let copies = Self::new(spares, slots, stride, threads, sharers, true);
        for thread_num in 0..threads as usize {
            // SAFETY: the marks lie at the beginning of the thread's part.
            unsafe { copies.part(thread_num).write_bytes(0, copies.item_count) };
        }
        copies
    }

    /// Copies that the program combines. A thread's part has `stride` bytes; the copies of the
    /// items with these addresses lie at these offsets in it. The last of `sharers` taskgroups
    /// frees the copies; if `sharers` is `KEPT`, the program does.
    pub(in crate::task) fn combined_by_program(
        spares: &SpareCopies,
        items: impl ExactSizeIterator<Item = (*mut c_void, usize)>,
        stride: usize,
        threads: u32,
        sharers: u32,
    ) -> &'static Copies {
        let slots = items.map(|(shared, offset)| {
            let (initializer, finalizer, combiner) = (Initializer::Zero, None, None);
            let original = shared;
            let bytes = 0;
            let item = ReductionItem { shared, original, bytes, initializer, finalizer, combiner };
            Slot { item, offset }
        });
        let stride = stride.max(1);
        let copies = Self::new(spares, slots, stride, threads, sharers, false);
        // SAFETY: there are `threads` parts of `stride` bytes each.
        unsafe { copies.parts.write_bytes(0, stride * threads as usize) };
        copies
    }

    fn new(
        spares: &SpareCopies,
        items: impl ExactSizeIterator<Item = Slot>,
        stride: usize,
        threads: u32,
        sharers: u32,
        is_combined_here: bool,
    ) -> &'static Copies {
        let item_count = items.len();
        let (layout, parts_at) = layout(item_count, stride, threads);
        let (memory, layout) = spares.take(layout);
        // SAFETY: the memory is large enough for the header, the items and the parts, and no other
        // thread knows it.
        unsafe {
            let first = memory.add(size_of::<Copies>()).cast::<Slot>();
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

    fn items(&self) -> &[Slot] {
        // SAFETY: `new` wrote `item_count` items behind the header.
        unsafe { slice::from_raw_parts(ptr::from_ref(self).add(1).cast(), self.item_count) }
    }

    /// The index of the item that has the address `data` in a taskgroup, or of which `data` is any
    /// thread's copy. `shared` are the taskgroup's own addresses of the items, if it has some.
    pub(in crate::task) fn find(&self, data: *mut c_void, shared: &[*mut c_void]) -> Option<usize> {
        let into = data.addr().wrapping_sub(self.parts.addr());
        if into < self.stride * self.threads as usize {
            let offset = into % self.stride;
            return self.items().iter().rposition(|slot| slot.offset <= offset);
        }
        (0..self.item_count).find(|index| ptr::eq(self.shared(*index, shared), data))
    }

    /// The number of threads that have a part.
    pub(in crate::task) fn threads(&self) -> usize {
        self.threads as usize
    }

    /// The address of an item in a taskgroup with these `shared` addresses; the item's own address
    /// if the taskgroup has none.
    pub(in crate::task) fn shared(&self, index: usize, shared: &[*mut c_void]) -> *mut c_void {
        shared.get(index).copied().unwrap_or(self.items()[index].item.shared)
    }

    fn part(&self, thread_num: usize) -> *mut u8 {
        debug_assert!(thread_num < self.threads as usize);
        // SAFETY: there is a part for each of the `threads` threads.
        unsafe { self.parts.add(self.stride * thread_num) }
    }

    /// The mark of a thread for its initialized copy of an item. Accessed by that thread, or after
    /// the tasks that used the copies.
    fn mark(&self, thread_num: usize, index: usize) -> &Cell<bool> {
        // SAFETY: a part begins with as many bytes for marks as there are items (Invariant 1).
        unsafe { &*self.part(thread_num).add(index).cast::<Cell<bool>>() }
    }

    /// The copy of an item for the calling thread, which has the number `thread_num`; initialized
    /// at the first call.
    pub(in crate::task) fn begin(&self, thread_num: usize, index: usize) -> *mut c_void {
        let Slot { item, offset } = &self.items()[index];
        // SAFETY: the copy lies within the thread's part.
        let copy = unsafe { self.part(thread_num).add(*offset) }.cast::<c_void>();
        if self.is_combined_here && !self.mark(thread_num, index).replace(true) {
            // SAFETY: the compiler's function gets memory of the size that the compiler gave for
            // the item.
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

    /// Whether the runtime combines the copies; otherwise the program does.
    pub(in crate::task) fn is_combined_here(&self) -> bool {
        self.is_combined_here
    }

    /// Combines the initialized copies into the items, or into `shared` if there are some.
    pub(in crate::task) fn combine(&self, shared: &[*mut c_void]) {
        for (index, Slot { item, offset }) in self.items().iter().enumerate() {
            for thread_num in 0..self.threads as usize {
                if !self.mark(thread_num, index).get() {
                    continue;
                }
                // SAFETY: the compiler's functions get a copy that was initialized.
                unsafe {
                    let copy = self.part(thread_num).add(*offset).cast();
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

    /// In the child of a fork(2): only the taskgroup of the surviving thread still shares the
    /// copies. Copies that the program frees have a count above the number of threads, and keep it.
    pub(in crate::task) fn outlive_others(&self, _: &Alone) {
        if self.sharers.load(Relaxed) <= self.threads {
            self.sharers.store(1, Relaxed);
        }
    }

    /// Counts the end of one of the sharing taskgroups. Returns whether it was the last.
    pub(in crate::task) fn leave(&self) -> bool {
        // AcqRel: the last taskgroup sees the copies that the tasks of the others wrote.
        self.sharers.fetch_sub(1, AcqRel) == 1
    }

    /// The address of the first thread's part.
    pub fn parts(&self) -> *mut u8 {
        self.parts
    }

    /// Frees the copies: their memory goes to the calling thread's `spares`.
    ///
    /// # Safety
    /// No thread uses the copies any more.
    pub(in crate::task) unsafe fn release(&'static self, spares: &SpareCopies) {
        spares.keep(NonNull::from(self).cast(), self.layout);
    }
}

/// The layout of a header, `items` items and a part of `stride` bytes for each of `threads`
/// threads, and the offset of the parts.
fn layout(items: usize, stride: usize, threads: u32) -> (Layout, usize) {
    let parts_at = (size_of::<Copies>() + items * size_of::<Slot>()).next_multiple_of(LINE);
    let bytes = stride.checked_mul(threads as usize).and_then(|bytes| bytes.checked_add(parts_at));
    match bytes.and_then(|bytes| Layout::from_size_align(bytes, LINE).ok()) {
        Some(layout) => (layout, parts_at),
        None => diag::fatal(&format!(
            "the copies of a task reduction are too large: \
             {stride} bytes for each of {threads} threads"
        )),
    }
}

/// The memory of copies that are no longer used, for the thread's next ones
/// (`taskgroup_reduction`).
#[derive(Debug)]
pub(crate) struct SpareCopies(Cell<Option<(NonNull<u8>, Layout)>>);

/// Larger memory is freed.
const MOST_SPARE_BYTES: usize = 64 * 1024;

impl SpareCopies {
    pub(in crate::task) const fn new() -> Self {
        SpareCopies(Cell::new(None))
    }

    /// In the child of a fork(2), for a thread that is gone: drops the memory.
    pub(in crate::task) fn forget(&self, _: &Alone) {
        self.0.set(None);
    }

    /// Memory of at least that layout, with the layout that it was allocated with.
    fn take(&self, layout: Layout) -> (NonNull<u8>, Layout) {
        match self.0.take() {
            Some((memory, whole)) if whole.size() >= layout.size() => return (memory, whole),
            spare => self.0.set(spare),
        }
        // SAFETY: the layout's size is not zero: it has room for a header.
        match NonNull::new(unsafe { alloc::alloc(layout) }) {
            Some(memory) => (memory, layout),
            None => diag::fatal(&format!(
                "no memory for the copies of a task reduction: {} bytes were asked for",
                layout.size()
            )),
        }
    }

    /// Keeps memory that was allocated with that layout, or frees it: the larger of two is kept.
    fn keep(&self, memory: NonNull<u8>, layout: Layout) {
        let spare_bytes = self.0.get().map_or(0, |(_, layout)| layout.size());
        let is_kept = layout.size() > spare_bytes && layout.size() <= MOST_SPARE_BYTES;
        let freed =
            if is_kept { self.0.replace(Some((memory, layout))) } else { Some((memory, layout)) };
        if let Some((memory, layout)) = freed {
            // SAFETY: `take` allocated the memory with this layout.
            unsafe { alloc::dealloc(memory.as_ptr(), layout) };
        }
    }
}
