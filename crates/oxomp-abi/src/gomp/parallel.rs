//! Parallel regions, alone and combined with a loop (GOMP).

use core::ffi::{c_long, c_uint, c_void};
use core::num::NonZeroU32;

use oxomp_base::icv::ProcBind;
use oxomp_core::parallel::{self, Outlined, Request};
use oxomp_core::worksharing::{Schedule, WorksharingLoop};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::gomp_fn;

use super::loops::{chunked, long_loop, runtime_schedule, static_schedule};

/// The region of a call: gcc makes `if(0)` one thread, and 0 threads no clause.
#[inline(always)]
pub(super) fn request(num_threads: c_uint, combined_loop: Option<WorksharingLoop>) -> Request {
    let if_clause = num_threads != 1;
    let num_threads = NonZeroU32::new(num_threads);
    Request { if_clause, num_threads, combined_loop, ..Request::PLAIN }
}

/// The region with the proc_bind clause that is in the low bits of `flags`.
#[inline(always)]
pub(super) fn bound(request: Request, flags: c_uint) -> Request {
    Request { proc_bind: ProcBind::from_clause(flags & 7), ..request }
}

#[inline(always)]
pub(super) fn outlined(function: gomp_fn, data: *mut c_void) -> Outlined {
    Outlined::Gomp { function: function as *const c_void, data }
}

entry! {
    /// `void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)`
    ///
    /// # Safety
    /// A8: the outlined `function` takes `data`.
    pub unsafe fn GOMP_parallel(
        function: gomp_fn,
        data: *mut c_void,
        num_threads: c_uint,
        flags: c_uint,
    ) {
        let body = outlined(function, data);
        let region = bound(request(num_threads, None), flags);
        parallel::run(Thread::current(), body, region, CallSite::here());
    }

    /// `void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads)`: the caller
    /// runs the body on the primary thread, and calls the end.
    ///
    /// # Safety
    /// A8: the outlined `function` takes `data`.
    pub unsafe fn GOMP_parallel_start(function: gomp_fn, data: *mut c_void, num_threads: c_uint) {
        let body = outlined(function, data);
        parallel::begin(Thread::current(), body, request(num_threads, None), CallSite::here());
    }

    /// `void GOMP_parallel_end(void)`
    pub fn GOMP_parallel_end() {
        parallel::end(Thread::current(), CallSite::here());
    }
}

/// `void NAME(void (*fn)(void *), void *data, unsigned num_threads, long start, long end, long
/// incr, [long chunk,] unsigned flags)`, and the old form, whose caller runs the body and calls the
/// end.
macro_rules! parallel_loops {
    ($($name:ident, ($($chunk:ident)?) => $schedule:expr;)*) => {
        $(
            entry! {
                /// A parallel region and its loop in one call; the body asks for chunks at once.
                ///
                /// # Safety
                /// A8: the outlined `function` takes `data`.
                pub unsafe fn $name(
                    function: gomp_fn,
                    data: *mut c_void,
                    num_threads: c_uint,
                    start: c_long,
                    end: c_long,
                    incr: c_long,
                    $($chunk: c_long,)?
                    flags: c_uint,
                ) {
                    let description = long_loop($schedule, start, end, incr);
                    let region = bound(request(num_threads, Some(description)), flags);
                    let body = outlined(function, data);
                    parallel::run(Thread::current(), body, region, CallSite::here());
                }
            }
        )*
    };
}

macro_rules! parallel_loop_starts {
    ($($name:ident, ($($chunk:ident)?) => $schedule:expr;)*) => {
        $(
            entry! {
                /// The old form: the caller runs the body on the primary thread, and calls the end.
                ///
                /// # Safety
                /// A8: the outlined `function` takes `data`.
                pub unsafe fn $name(
                    function: gomp_fn,
                    data: *mut c_void,
                    num_threads: c_uint,
                    start: c_long,
                    end: c_long,
                    incr: c_long,
                    $($chunk: c_long,)?
                ) {
                    let description = long_loop($schedule, start, end, incr);
                    let region = request(num_threads, Some(description));
                    let body = outlined(function, data);
                    parallel::begin(Thread::current(), body, region, CallSite::here());
                }
            }
        )*
    };
}

parallel_loops! {
    GOMP_parallel_loop_static, (chunk) => static_schedule(chunk as u64);
    GOMP_parallel_loop_dynamic, (chunk) => Schedule::Dynamic(chunked(chunk as u64));
    GOMP_parallel_loop_guided, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_parallel_loop_runtime, () => runtime_schedule(true);
    GOMP_parallel_loop_nonmonotonic_dynamic, (chunk) =>
        Schedule::DynamicNonmonotonic(chunked(chunk as u64));
    GOMP_parallel_loop_nonmonotonic_guided, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_parallel_loop_nonmonotonic_runtime, () => runtime_schedule(false);
    GOMP_parallel_loop_maybe_nonmonotonic_runtime, () => runtime_schedule(false);
}

parallel_loop_starts! {
    GOMP_parallel_loop_static_start, (chunk) => static_schedule(chunk as u64);
    GOMP_parallel_loop_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk as u64));
    GOMP_parallel_loop_guided_start, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_parallel_loop_runtime_start, () => runtime_schedule(true);
}
