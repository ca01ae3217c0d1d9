//! Task reductions (OpenMP 5.2 §5.5.9): a copy of each list item for every thread that executes tasks
//! of a taskgroup, combined when the taskgroup ends.

use core::alloc::Layout;
use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::AcqRel;
use std::alloc;

use super::ALIGNMENT;
use super::taskgroup::{self, Taskgroup, begin_taskgroup};
use crate::arch::CallSite;
use crate::diag;
use crate::ompt::event::{Endpoint, TaskRecord, emit};
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
pub struct Copies {
    items: Box<[(ReductionItem, usize)]>,
    base: *mut u8,
    /// Bytes of a thread's block.
    stride: usize,
    threads: u32,
    begun: Box<[Cell<bool>]>,
    /// Taskgroups that have not ended, of a reduction that a team shares.
    sharers: AtomicU32,
}

// SAFETY: see the struct: one thread an entry of `begun`; the blocks are the threads' own.
unsafe impl Sync for Copies {}
// SAFETY: as above; the pointers are the program's.
unsafe impl Send for Copies {}

/// What a taskgroup reduces: copies, and the addresses by which its own tasks ask for them, which differ
/// where each thread of a team has begun a taskgroup with its own variables.
#[derive(Debug)]
pub(super) struct Reductions {
    copies: &'static Copies,
    shared: Vec<*mut c_void>,
    /// Others of the same taskgroup.
    next: Option<Box<Reductions>>,
}

/// Copies of different threads share no line, nor the one that is fetched along.
const LINE: usize = 128;

impl Copies {
    /// No taskgroup is the last.
    pub const KEPT: u32 = u32::MAX;

    /// Copies of `items` for `threads` threads; `sharers` taskgroups use them, the last combines them.
    fn new(items: &[ReductionItem], threads: u32, sharers: u32) -> &'static Copies {
        let mut stride = 0usize;
        let mut placed = Vec::with_capacity(items.len());
        for item in items {
            placed.push((*item, stride));
            stride = (stride + item.bytes).next_multiple_of(ALIGNMENT);
        }
        let stride = stride.next_multiple_of(LINE).max(LINE);
        Self::place(placed, stride, threads, sharers)
    }

    /// Copies of which each thread has a block of `stride` bytes, each item at its offset there; the
    /// program combines them. The last of `sharers` taskgroups frees them, or the program does, by
    /// `free`, if there is no such number (`KEPT`).
    pub fn with_layout(
        items: Vec<(ReductionItem, usize)>,
        stride: usize,
        threads: u32,
        sharers: u32,
    ) -> &'static Copies {
        Self::place(items, stride.max(1), threads, sharers)
    }

    fn place(
        items: Vec<(ReductionItem, usize)>,
        stride: usize,
        threads: u32,
        sharers: u32,
    ) -> &'static Copies {
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
        Box::leak(Box::new(Copies {
            items: items.into(),
            base,
            stride,
            threads,
            begun,
            sharers: AtomicU32::new(sharers),
        }))
    }

    /// The item of which `data` is any thread's copy.
    fn item_of_copy(&self, data: *mut c_void) -> Option<usize> {
        let into = data.addr().wrapping_sub(self.base.addr());
        if into >= self.stride * self.threads as usize {
            return None;
        }
        let offset = into % self.stride;
        self.items.iter().rposition(|(_, start)| *start <= offset)
    }

    /// Thread `place`'s copy of an item.
    fn at(&self, place: usize, index: usize) -> *mut c_void {
        // SAFETY: within the thread's block.
        unsafe { self.base.add(self.stride * place + self.items[index].1).cast() }
    }

    /// The same, begun. By that thread.
    fn begin(&self, place: usize, index: usize) -> *mut c_void {
        let copy = self.at(place, index);
        if !self.begun[place * self.items.len() + index].replace(true) {
            let item = &self.items[index].0;
            // SAFETY: the compiler's function on memory of the size that it gave.
            unsafe {
                match item.initializer {
                    Initializer::Zero => {}
                    Initializer::Copy(init) => init(copy),
                    Initializer::CopyOf(init) => init(copy, item.original),
                }
            }
        }
        copy
    }

    /// Combines the copies that were begun into `shared`.
    fn combine(&self, shared: &[*mut c_void]) {
        let count = self.items.len();
        for (index, (item, _)) in self.items.iter().enumerate() {
            for place in 0..self.threads as usize {
                if !self.begun[place * count + index].get() {
                    continue;
                }
                let copy = self.at(place, index);
                // SAFETY: the compiler's functions, on a copy that was begun.
                unsafe {
                    if let Some(combine) = item.combiner {
                        combine(shared[index], copy);
                    }
                    if let Some(finalize) = item.finalizer {
                        finalize(copy);
                    }
                }
            }
        }
    }

    /// Whether the runtime combines them. If not, the program does, and nothing is left to end.
    fn are_combined_here(&self) -> bool {
        let ends = |item: &ReductionItem| item.combiner.is_some() || item.finalizer.is_some();
        self.items.iter().any(|(item, _)| ends(item))
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

impl Reductions {
    /// The calling thread's copy of the item at `data`, and the item's address in this taskgroup.
    fn find(&self, place: usize, data: *mut c_void) -> Option<(*mut c_void, *mut c_void)> {
        let index = match self.copies.item_of_copy(data) {
            Some(index) => index,
            None => self.shared.iter().position(|shared| ptr::eq(*shared, data))?,
        };
        Some((self.copies.begin(place, index), self.shared[index]))
    }

    /// The taskgroup has ended, in `task`: the last of those that share the copies combines them.
    #[cold]
    pub(super) fn finish(self: Box<Self>, task: &TaskRecord, site: CallSite) {
        let mut these = Some(self);
        while let Some(one) = these {
            // AcqRel: what the tasks of the other taskgroups did is seen.
            if one.copies.sharers.fetch_sub(1, AcqRel) == 1 {
                if one.copies.are_combined_here() {
                    emit::reduction(Endpoint::Begin, task, site);
                    one.copies.combine(&one.shared);
                    emit::reduction(Endpoint::End, task, site);
                }
                // SAFETY: the last user is this one.
                unsafe { one.copies.free() };
            }
            these = one.next;
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
    add(group, Copies::new(items, thread.team().size(), 1), shared(items));
    Some(group)
}

/// The current taskgroup reduces what `copies` are of, whose addresses are `shared`.
pub fn reduce_with(thread: &'static Thread, copies: &'static Copies, shared: Vec<*mut c_void>) {
    if let Some(group) = thread.task().taskgroup() {
        add(group, copies, shared);
    }
}

/// A reduction that all threads of the team encounter (reduction with the task modifier): each begins a
/// taskgroup, and they share the copies that `make` makes for a team of so many on the first thread.
pub fn reduce_in_team(
    thread: &'static Thread,
    make: impl FnOnce(u32) -> &'static Copies,
    shared: Vec<*mut c_void>,
    site: CallSite,
) -> (&'static Taskgroup, &'static Copies) {
    let place = thread.implicit_task();
    let team = place.team();
    let number = place.reduction.next_in_team();
    let size = team.size();
    let copies = team.tasking.shared_copies(number, size, || make(size));
    let group = begin_taskgroup(thread, site);
    add(group, copies, shared);
    (group, copies)
}

/// Runs a parallel region whose implicit tasks are in a taskgroup that reduces what `copies` are of; the
/// number of its threads.
pub fn reduce_in_region(
    thread: &'static Thread,
    copies: &'static Copies,
    shared: Vec<*mut c_void>,
    region: impl FnOnce(),
) -> u32 {
    let team = thread.implicit_task().child();
    let group = taskgroup::take(thread);
    group.outer_is(None);
    group.tasks.begin(None);
    add(group, copies, shared);
    team.taskgroup.set(Some(group));
    region();
    team.taskgroup.set(None);
    // The program combines the copies, and frees them.
    drop(group.reductions.take());
    taskgroup::give_back(thread, group);
    team.size()
}

/// The same, of items that the last taskgroup to end combines.
pub fn reduce_items_in_team(
    thread: &'static Thread,
    items: &[ReductionItem],
    site: CallSite,
) -> &'static Taskgroup {
    reduce_in_team(thread, |size| Copies::new(items, size, size), shared(items), site).0
}

fn shared(items: &[ReductionItem]) -> Vec<*mut c_void> {
    items.iter().map(|item| item.shared).collect()
}

fn add(group: &Taskgroup, copies: &'static Copies, shared: Vec<*mut c_void>) {
    let next = group.reductions.take();
    group.reductions.replace(Some(Box::new(Reductions { copies, shared, next })));
}

/// The calling thread's copy of the list item at `data`, and the item's own address: of the innermost
/// taskgroup, from `group` outward, that reduces it. `data` itself if there is none.
pub fn copy_of(
    thread: &'static Thread,
    group: Option<&'static Taskgroup>,
    data: *mut c_void,
) -> (*mut c_void, *mut c_void) {
    let place = thread.implicit_task().thread_num() as usize;
    let mut next = group.or_else(|| thread.task().taskgroup());
    while let Some(group) = next {
        // SAFETY: it does not change while tasks of the group run (`Taskgroup`).
        let mut these = unsafe { &*group.reductions.as_ptr() }.as_deref();
        while let Some(one) = these {
            if let Some(found) = one.find(place, data) {
                return found;
            }
            these = one.next.as_deref();
        }
        next = group.outer();
    }
    (data, data)
}
