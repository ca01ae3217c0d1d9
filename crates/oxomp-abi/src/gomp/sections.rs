//! The sections construct (GOMP): a loop over section numbers from 1, one at a time.

use core::ffi::{c_uint, c_void};

use oxomp_core::parallel;
use oxomp_core::worksharing::WorksharingLoop;
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::gomp_fn;

use super::parallel::{bound, outlined, request};

/// The construct of `count` sections.
pub(super) fn sections(count: c_uint) -> WorksharingLoop {
    WorksharingLoop::sections(u64::from(count))
}

/// The number of the next section; 0 if no section is left.
pub(super) fn next_section(thread: &Thread, site: CallSite) -> c_uint {
    thread.next_chunk(site).map_or(0, |chunk| chunk.start as c_uint + 1)
}

entry! {
    /// `unsigned GOMP_sections_start(unsigned count)`
    pub fn GOMP_sections_start(count: c_uint) -> c_uint {
        let site = CallSite::here();
        let thread = Thread::current();
        thread.begin_loop(sections(count), site);
        next_section(thread, site)
    }

    /// `unsigned GOMP_sections_next(void)`
    pub fn GOMP_sections_next() -> c_uint {
        next_section(Thread::current(), CallSite::here())
    }

    /// `void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads,
    /// unsigned count, unsigned flags)`
    ///
    /// # Safety
    /// A8: the outlined `function` takes `data`.
    pub unsafe fn GOMP_parallel_sections(
        function: gomp_fn,
        data: *mut c_void,
        num_threads: c_uint,
        count: c_uint,
        flags: c_uint,
    ) {
        let region = bound(request(num_threads, Some(sections(count))), flags);
        parallel::run(Thread::current(), outlined(function, data), region, CallSite::here());
    }

    /// `void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads,
    /// unsigned count)`: the caller runs the body on the primary thread, and calls the end.
    ///
    /// # Safety
    /// A8: the outlined `function` takes `data`.
    pub unsafe fn GOMP_parallel_sections_start(
        function: gomp_fn,
        data: *mut c_void,
        num_threads: c_uint,
        count: c_uint,
    ) {
        let region = request(num_threads, Some(sections(count)));
        parallel::begin(Thread::current(), outlined(function, data), region, CallSite::here());
    }
}
