//! Task reductions (GOMP): the runtime makes a block of copies for each thread of the team, and the
//! program combines them.

use core::ffi::{c_uint, c_void};
use core::ptr;

use oxomp_core::barrier::barrier;
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::parallel;
use oxomp_core::task::{self, Copies};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_fn, gomp_reduction_word as word};

use super::parallel::{bound, outlined, request};

/// One of gcc's descriptors.
#[derive(Clone, Copy)]
pub(super) struct Descriptor(*mut usize);

impl Descriptor {
    /// # Safety
    /// `words` is a descriptor.
    pub(super) unsafe fn at(words: *mut usize) -> Self {
        Descriptor(words)
    }

    fn word(self, index: usize) -> usize {
        // SAFETY: by the contract of `at`.
        unsafe { *self.0.add(index) }
    }

    /// The descriptor that goes with it.
    fn next(self) -> Option<Descriptor> {
        let next = ptr::with_exposed_provenance_mut::<usize>(self.word(word::NEXT));
        (!next.is_null()).then_some(Descriptor(next))
    }

    /// The addresses of its items, and the offsets of their copies.
    fn items(self) -> impl ExactSizeIterator<Item = (*mut c_void, usize)> {
        (0..self.word(word::COUNT)).map(move |index| {
            let at = word::ITEMS + index * word::ITEM_WORDS;
            (ptr::with_exposed_provenance_mut(self.word(at)), self.word(at + 1))
        })
    }

    /// Copies of them for each thread of a team; the last of `sharers` taskgroups frees them.
    fn make(self, thread: &Thread, threads: u32, sharers: u32) -> &'static Copies {
        Copies::of_program(thread, self.items(), self.word(word::BYTES), threads, sharers)
    }

    /// Tells the program where the copies are.
    fn publish(self, copies: &'static Copies) {
        // SAFETY: by the contract of `at`: words for the runtime to write.
        unsafe {
            self.0.add(word::BASE).write(copies.parts().expose_provenance());
            self.0.add(word::RUNTIME).write(ptr::from_ref(copies).expose_provenance());
        }
    }

    /// The current taskgroup reduces what this descriptor and those with it say.
    pub(super) fn register(self, thread: &'static Thread) {
        let mut next = Some(self);
        while let Some(one) = next {
            let copies = one.make(thread, thread.team().size(), Copies::KEPT);
            one.publish(copies);
            task::reduce_with(thread, copies);
            next = one.next();
        }
    }

    /// Each thread of the team begins a taskgroup that reduces what its descriptor says; the copies
    /// are the same for all.
    pub(super) fn register_in_team(self, thread: &'static Thread, site: CallSite) {
        let make = |threads| self.make(thread, threads, threads);
        let shared = self.items().map(|(shared, _)| shared).collect();
        let (_, copies) = task::reduce_in_team(thread, make, shared, site);
        self.publish(copies);
    }

    /// Runs a parallel region of at most so many threads whose tasks may ask for their copies; the
    /// number of its threads.
    fn with_region(self, thread: &'static Thread, threads: u32, region: impl FnOnce()) -> u32 {
        let copies = self.make(thread, threads, Copies::KEPT);
        self.publish(copies);
        task::reduce_in_region(thread, copies, region)
    }

    /// The copies of this descriptor and of those with it are combined.
    fn unregister(self, thread: &Thread) {
        let mut next = Some(self);
        while let Some(one) = next {
            next = one.next();
            let copies = ptr::with_exposed_provenance::<Copies>(one.word(word::RUNTIME));
            // SAFETY: `publish` wrote it; the program has done with the copies.
            unsafe { (*copies).free(thread) };
        }
    }
}

entry! {
    /// `unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads,
    /// unsigned flags)`: a parallel region whose data begin with a descriptor; the number of its
    /// threads.
    ///
    /// # Safety
    /// gcc's outlined `function` takes `data`.
    pub unsafe fn GOMP_parallel_reductions(
        function: gomp_fn,
        data: *mut c_void,
        num_threads: c_uint,
        flags: c_uint,
    ) -> c_uint {
        let site = CallSite::here();
        let thread = Thread::current();
        let most = if num_threads == 0 { thread.icvs().nthreads_var } else { num_threads };
        // SAFETY: by contract.
        let descriptor = unsafe { Descriptor::at(*data.cast::<*mut usize>()) };
        descriptor.with_region(thread, most, || {
            let region = bound(request(num_threads, None), flags);
            parallel::run(thread, outlined(function, data), region, site);
        })
    }

    /// `void GOMP_scope_start(uintptr_t *reductions)`: on each thread of the team.
    ///
    /// # Safety
    /// `reductions` is null or a descriptor.
    pub unsafe fn GOMP_scope_start(reductions: *mut usize) {
        if !reductions.is_null() {
            // SAFETY: by contract.
            let descriptor = unsafe { Descriptor::at(reductions) };
            descriptor.register_in_team(Thread::current(), CallSite::here());
        }
    }

    /// `void GOMP_workshare_task_reduction_unregister(bool cancelled)`: on each thread of the team,
    /// after one of them has combined the copies.
    pub fn GOMP_workshare_task_reduction_unregister(cancelled: bool) {
        let site = CallSite::here();
        let thread = Thread::current();
        task::end_taskgroup(thread, site);
        if !cancelled {
            barrier(thread, SyncRegion::BarrierImplementation, site);
        }
    }

    /// `void GOMP_taskgroup_reduction_register(uintptr_t *data)`
    ///
    /// # Safety
    /// `data` is a descriptor.
    pub unsafe fn GOMP_taskgroup_reduction_register(data: *mut usize) {
        // SAFETY: by contract.
        unsafe { Descriptor::at(data) }.register(Thread::current());
    }

    /// `void GOMP_taskgroup_reduction_unregister(uintptr_t *data)`
    ///
    /// # Safety
    /// `data` is a descriptor that was registered.
    pub unsafe fn GOMP_taskgroup_reduction_unregister(data: *mut usize) {
        // SAFETY: by contract.
        unsafe { Descriptor::at(data) }.unregister(Thread::current());
    }

    /// `void GOMP_task_reduction_remap(size_t cnt, size_t cntorig, void **ptrs)`: puts the calling
    /// thread's copies in the place of the addresses, and behind them the first original ones.
    ///
    /// # Safety
    /// `pointers` has `count` addresses of items, and room for `originals` more.
    pub unsafe fn GOMP_task_reduction_remap(
        count: usize,
        originals: usize,
        pointers: *mut *mut c_void,
    ) {
        let thread = Thread::current();
        for index in 0..count {
            // SAFETY: by contract.
            unsafe {
                let (copy, original) = task::copy_of(thread, None, *pointers.add(index));
                *pointers.add(index) = copy;
                if index < originals {
                    *pointers.add(count + index) = original;
                }
            }
        }
    }
}
