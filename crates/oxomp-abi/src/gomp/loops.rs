//! Worksharing loops (GOMP): bounds are half-open, `long` or `unsigned long long`.

use core::ffi::{c_long, c_ulonglong};

use oxomp_core::barrier::barrier;
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::worksharing::{Schedule, WorksharingLoop, iterations};
use oxomp_core::{CallSite, Thread};

use super::Truth;
use crate::argument::Out;

/// A chunk size as the clause gave it: at least 1.
#[inline(always)]
pub(super) fn chunked(chunk: u64) -> u64 {
    chunk.max(1)
}

/// schedule(static) with or without a chunk size; 0 is without.
#[inline(always)]
pub(super) fn static_schedule(chunk: u64) -> Schedule {
    if chunk == 0 { Schedule::Static } else { Schedule::StaticChunked(chunk) }
}

/// schedule(runtime), with or without the monotonic modifier.
#[inline(always)]
pub(super) fn runtime_schedule(monotonic: bool) -> Schedule {
    Schedule::of_run_sched_var(Thread::current().icvs().run_sched_var, monotonic)
}

/// The loop from `start` to before `end`.
#[inline(always)]
pub(super) fn long_loop(
    schedule: Schedule,
    start: c_long,
    end: c_long,
    incr: c_long,
) -> WorksharingLoop {
    let iterations = iterations::of_half_open(start, end, incr);
    let plain = WorksharingLoop::new(iterations, schedule, start as u64, incr as u64);
    WorksharingLoop { end: end as u64, ..plain }
}

/// The loop from `start` to before `end`, upwards or downwards; downwards `incr` is negative.
#[inline(always)]
pub(super) fn ull_loop(
    schedule: Schedule,
    up: bool,
    start: u64,
    end: u64,
    incr: u64,
) -> WorksharingLoop {
    let iterations = iterations::of_half_open_unsigned(up, start, end, incr);
    WorksharingLoop { end, ..WorksharingLoop::new(iterations, schedule, start, incr) }
}

/// Stores the next chunk's bounds. Returns whether there is a chunk.
///
/// The last chunk ends where the loop does, between two iterations or not: by this the code of
/// gcc's recognises, in a `simd` construct, the thread with the lastprivate values.
#[inline(always)]
pub(super) fn next<T>(
    thread: &Thread,
    from: Out<T>,
    to: Option<Out<T>>,
    of: impl Fn(u64) -> T,
    site: CallSite,
) -> bool {
    let Some(values) = thread.next_values(site) else { return false };
    from.set(of(values.first));
    if let Some(to) = to {
        to.set(of(values.end));
    }
    true
}

macro_rules! starts {
    (is_ordered: $ordered:literal; $($name:ident, ($($chunk:ident)?) => $schedule:expr;)*) => {
        $(
            entry! {
                /// `bool NAME(long start, long end, long incr, [long chunk,] long *istart,
                /// long *iend)`: begins the loop and takes the first chunk.
                pub fn $name(
                    start: c_long,
                    end: c_long,
                    incr: c_long,
                    $($chunk: c_long,)?
                    from: Out<c_long>,
                    to: Out<c_long>,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    let plain = long_loop($schedule, start, end, incr);
                    thread.begin_loop(WorksharingLoop { is_ordered: $ordered, ..plain }, site);
                    next(thread, from, Some(to), |value| value as c_long, site)
                }
            }
        )*
    };
}

macro_rules! ull_starts {
    (is_ordered: $ordered:literal; $($name:ident, ($($chunk:ident)?) => $schedule:expr;)*) => {
        $(
            entry! {
                /// `bool NAME(bool up, unsigned long long start, unsigned long long end,
                /// unsigned long long incr, [unsigned long long chunk,] unsigned long long *istart,
                /// unsigned long long *iend)`: begins the loop and takes the first chunk.
                pub fn $name(
                    up: Truth,
                    start: c_ulonglong,
                    end: c_ulonglong,
                    incr: c_ulonglong,
                    $($chunk: c_ulonglong,)?
                    from: Out<c_ulonglong>,
                    to: Out<c_ulonglong>,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    let plain = ull_loop($schedule, up.get(), start, end, incr);
                    thread.begin_loop(WorksharingLoop { is_ordered: $ordered, ..plain }, site);
                    next(thread, from, Some(to), |value| value, site)
                }
            }
        )*
    };
}

macro_rules! nexts {
    ($type:ty: $($name:ident)*) => {
        $(
            entry! {
                /// `bool NAME(TYPE *istart, TYPE *iend)`: takes the next chunk.
                pub fn $name(from: Out<$type>, to: Out<$type>) -> bool {
                    let site = CallSite::here();
                    next(Thread::current(), from, Some(to), |value| value as $type, site)
                }
            }
        )*
    };
}

starts! {
    is_ordered: false;
    GOMP_loop_static_start, (chunk) => static_schedule(chunk as u64);
    GOMP_loop_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk as u64));
    GOMP_loop_guided_start, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_loop_runtime_start, () => runtime_schedule(true);
    GOMP_loop_nonmonotonic_dynamic_start, (chunk) =>
        Schedule::DynamicNonmonotonic(chunked(chunk as u64));
    GOMP_loop_nonmonotonic_guided_start, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_loop_nonmonotonic_runtime_start, () => runtime_schedule(false);
    GOMP_loop_maybe_nonmonotonic_runtime_start, () => runtime_schedule(false);
}

ull_starts! {
    is_ordered: false;
    GOMP_loop_ull_static_start, (chunk) => static_schedule(chunk);
    GOMP_loop_ull_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk));
    GOMP_loop_ull_guided_start, (chunk) => Schedule::Guided(chunked(chunk));
    GOMP_loop_ull_runtime_start, () => runtime_schedule(true);
    GOMP_loop_ull_nonmonotonic_dynamic_start, (chunk) =>
        Schedule::DynamicNonmonotonic(chunked(chunk));
    GOMP_loop_ull_nonmonotonic_guided_start, (chunk) => Schedule::Guided(chunked(chunk));
    GOMP_loop_ull_nonmonotonic_runtime_start, () => runtime_schedule(false);
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start, () => runtime_schedule(false);
}

starts! {
    is_ordered: true;
    GOMP_loop_ordered_static_start, (chunk) => static_schedule(chunk as u64);
    GOMP_loop_ordered_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk as u64));
    GOMP_loop_ordered_guided_start, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_loop_ordered_runtime_start, () => runtime_schedule(true);
}

ull_starts! {
    is_ordered: true;
    GOMP_loop_ull_ordered_static_start, (chunk) => static_schedule(chunk);
    GOMP_loop_ull_ordered_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk));
    GOMP_loop_ull_ordered_guided_start, (chunk) => Schedule::Guided(chunked(chunk));
    GOMP_loop_ull_ordered_runtime_start, () => runtime_schedule(true);
}

nexts! {
    c_long:
    GOMP_loop_static_next
    GOMP_loop_dynamic_next
    GOMP_loop_guided_next
    GOMP_loop_runtime_next
    GOMP_loop_nonmonotonic_dynamic_next
    GOMP_loop_nonmonotonic_guided_next
    GOMP_loop_nonmonotonic_runtime_next
    GOMP_loop_maybe_nonmonotonic_runtime_next
    GOMP_loop_ordered_static_next
    GOMP_loop_ordered_dynamic_next
    GOMP_loop_ordered_guided_next
    GOMP_loop_ordered_runtime_next
}

nexts! {
    c_ulonglong:
    GOMP_loop_ull_static_next
    GOMP_loop_ull_dynamic_next
    GOMP_loop_ull_guided_next
    GOMP_loop_ull_runtime_next
    GOMP_loop_ull_nonmonotonic_dynamic_next
    GOMP_loop_ull_nonmonotonic_guided_next
    GOMP_loop_ull_nonmonotonic_runtime_next
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next
    GOMP_loop_ull_ordered_static_next
    GOMP_loop_ull_ordered_dynamic_next
    GOMP_loop_ull_ordered_guided_next
    GOMP_loop_ull_ordered_runtime_next
}

entry! {
    /// `void GOMP_loop_end(void)`, and `GOMP_sections_end`
    pub fn GOMP_loop_end | GOMP_sections_end() {
        let site = CallSite::here();
        let thread = Thread::current();
        thread.end_loop(site);
        barrier(thread, SyncRegion::BarrierImplicitWorkshare, site);
    }

    /// `void GOMP_loop_end_nowait(void)`, and `GOMP_sections_end_nowait`
    pub fn GOMP_loop_end_nowait | GOMP_sections_end_nowait() {
        Thread::current().end_loop(CallSite::here());
    }
}
