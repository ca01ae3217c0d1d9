//! Task reductions (GOMP): the runtime makes a block of copies for each thread of the team, and the
//! program combines them.

use core::ffi::{c_uint, c_void};

use oxomp_core::barrier::barrier;
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::parallel::{self, Request};
use oxomp_core::task::{self, Copies, Taskgroup};
use oxomp_core::worksharing::scope_to_barrier;
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::gomp_fn;

use super::parallel::{bound, outlined, request};
use super::{Descriptor, Truth};

/// The current taskgroup reduces the items of a descriptor and of those after it.
pub(super) fn register(descriptor: Descriptor, thread: &'static Thread) {
    for one in descriptor.chain() {
        let copies = one.make(thread, thread.team().size(), Copies::KEPT);
        one.publish(copies);
        task::reduce_with(thread, copies);
    }
}

/// Each thread of the team begins a taskgroup that reduces the items of its descriptor; the threads
/// share the copies.
pub(super) fn register_in_team(descriptor: Descriptor, thread: &'static Thread, site: CallSite) {
    let make = |threads| descriptor.make(thread, threads, threads);
    let shared = descriptor.items().map(|(shared, _)| shared).collect();
    let (_, copies) = task::reduce_in_team(thread, make, shared, site);
    descriptor.publish(copies);
}

/// Runs a parallel region of at most `threads` threads, whose tasks may ask for their copies.
/// Returns the number of threads that it has.
fn with_region(
    descriptor: Descriptor,
    thread: &'static Thread,
    threads: u32,
    region: impl FnOnce(&'static Taskgroup),
) -> u32 {
    let copies = descriptor.make(thread, threads, Copies::KEPT);
    descriptor.publish(copies);
    task::reduce_in_region(thread, copies, region)
}

/// The program has combined the copies of a descriptor and of those after it.
fn unregister(descriptor: Descriptor, thread: &Thread) {
    for one in descriptor.chain() {
        one.free_copies(thread);
    }
}

entry! {
    /// `unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned num_threads,
    /// unsigned flags)`: a parallel region whose data begin with a descriptor; the number of its
    /// threads.
    ///
    /// # Safety
    /// A8: the outlined `function` takes `data`; A10: they begin with the address of a descriptor.
    pub unsafe fn GOMP_parallel_reductions(
        function: gomp_fn,
        data: *mut c_void,
        num_threads: c_uint,
        flags: c_uint,
    ) -> c_uint {
        let site = CallSite::here();
        let thread = Thread::current();
        let most = if num_threads == 0 { thread.icvs().nthreads_var } else { num_threads };
        // SAFETY: A10: the first word of the data.
        let descriptor = unsafe { data.cast::<Descriptor>().read() };
        with_region(descriptor, thread, most, |taskgroup| {
            let region = bound(request(num_threads, None), flags);
            let region = Request { taskgroup: Some(taskgroup), ..region };
            parallel::run(thread, outlined(function, data), region, site);
        })
    }

    /// `void GOMP_scope_start(uintptr_t *reductions)`: on each thread of the team. gcc calls it for
    /// reductions with the modifier `task` only; without this call no event of the scope is raised.
    pub fn GOMP_scope_start(reductions: Option<Descriptor>) {
        let site = CallSite::here();
        let thread = Thread::current();
        if let Some(descriptor) = reductions {
            register_in_team(descriptor, thread, site);
        }
        scope_to_barrier(thread, site);
    }

    /// `void GOMP_workshare_task_reduction_unregister(bool cancelled)`: on each thread of the team,
    /// after one of them has combined the copies.
    pub fn GOMP_workshare_task_reduction_unregister(cancelled: Truth) {
        let site = CallSite::here();
        let thread = Thread::current();
        task::end_taskgroup(thread, site);
        if !cancelled.get() {
            barrier(thread, SyncRegion::BarrierImplementation, site);
        }
    }

    /// `void GOMP_taskgroup_reduction_register(uintptr_t *data)`
    pub fn GOMP_taskgroup_reduction_register(data: Descriptor) {
        register(data, Thread::current());
    }

    /// `void GOMP_taskgroup_reduction_unregister(uintptr_t *data)`
    pub fn GOMP_taskgroup_reduction_unregister(data: Descriptor) {
        unregister(data, Thread::current());
    }

    /// `void GOMP_task_reduction_remap(size_t cnt, size_t cntorig, void **ptrs)`: puts the calling
    /// thread's copies in the place of the addresses, and behind them the first original ones.
    ///
    /// # Safety
    /// A10: `pointers` has `count` addresses of items, and room for `originals` more.
    pub unsafe fn GOMP_task_reduction_remap(
        count: usize,
        originals: usize,
        pointers: *mut *mut c_void,
    ) {
        let thread = Thread::current();
        for index in 0..count {
            // SAFETY: A10: `count` addresses, and room for `originals` more.
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
