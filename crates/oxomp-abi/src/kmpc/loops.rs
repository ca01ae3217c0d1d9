//! Worksharing loops (kmpc): bounds are inclusive, of four integer types.

use core::ffi::c_int;

use oxomp_core::ompt::event::Work;
use oxomp_core::worksharing::iterations::{self, LoopInteger};
use oxomp_core::worksharing::static_loop::{Division, StaticChunk, StaticLoop};
use oxomp_core::worksharing::{
    Schedule, WorksharingLoop, begin_common_static, begin_static, end_static,
};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_flag_t, ident_t, sched_type};

use super::site;

/// The kind of a schedule word, without modifiers; the `nomerge` kinds are the plain ones.
fn kind(schedule: i32) -> sched_type {
    let kind = schedule & !(sched_type::MODIFIER_MONOTONIC | sched_type::MODIFIER_NONMONOTONIC);
    sched_type(if kind >= FIRST_NOMERGE { kind - sched_type::NOMERGE_OFFSET } else { kind })
}

/// The least kind with `NOMERGE_OFFSET` added.
const FIRST_NOMERGE: i32 = 160;

/// The kinds of loops with ordered regions.
const ORDERED: core::ops::RangeInclusive<i32> =
    sched_type::ORDERED_STATIC_CHUNKED.0..=sched_type::ORDERED_TRAPEZOIDAL.0;

/// What a dispatch call's schedule word and chunk mean.
fn schedule(thread: &Thread, word: i32, chunk: i64) -> Schedule {
    let size = u64::try_from(chunk).unwrap_or(0).max(1);
    let nonmonotonic = word & sched_type::MODIFIER_NONMONOTONIC != 0;
    let of_the_program = || {
        let schedule = Schedule::from(thread.icvs().run_sched_var);
        if word & sched_type::MODIFIER_MONOTONIC != 0 { schedule.monotonic() } else { schedule }
    };
    match kind(word) {
        sched_type::STATIC_CHUNKED | sched_type::ORDERED_STATIC_CHUNKED => {
            Schedule::StaticChunked(size)
        }
        sched_type::STATIC_BALANCED_CHUNKED => Schedule::StaticAligned(size),
        sched_type::DYNAMIC_CHUNKED if nonmonotonic => Schedule::DynamicNonmonotonic(size),
        sched_type::STATIC_STEAL => Schedule::DynamicNonmonotonic(size),
        sched_type::DYNAMIC_CHUNKED | sched_type::ORDERED_DYNAMIC_CHUNKED => {
            Schedule::Dynamic(size)
        }
        sched_type::GUIDED_CHUNKED
        | sched_type::GUIDED_ITERATIVE_CHUNKED
        | sched_type::GUIDED_ANALYTICAL_CHUNKED
        | sched_type::ORDERED_GUIDED_CHUNKED => Schedule::Guided(size),
        // As run-sched-var's auto.
        sched_type::AUTO | sched_type::ORDERED_AUTO => Schedule::Guided(1),
        sched_type::GUIDED_SIMD => Schedule::GuidedAligned(size),
        sched_type::TRAPEZOIDAL | sched_type::ORDERED_TRAPEZOIDAL => Schedule::Trapezoidal(size),
        sched_type::RUNTIME | sched_type::ORDERED_RUNTIME => of_the_program(),
        // The chunk argument is the length of a vector.
        sched_type::RUNTIME_SIMD => of_the_program().of_vectors(size),
        // What has no chunks: one block a thread.
        _ => Schedule::Static,
    }
}

/// The construct that a static-init call belongs to.
///
/// # Safety
/// `loc` is null or points to a location.
unsafe fn work_kind(loc: *const ident_t) -> Work {
    // SAFETY: by contract.
    let flags = unsafe { loc.as_ref() }.map_or(0, |loc| loc.flags.0);
    if flags & ident_flag_t::WORK_SECTIONS.0 != 0 {
        Work::Sections
    } else if flags & ident_flag_t::WORK_DISTRIBUTE.0 != 0 {
        Work::Distribute
    } else {
        Work::LoopStatic
    }
}

/// Where a static-init call stores its results.
struct Out<T: LoopInteger> {
    last: *mut i32,
    lower: *mut T,
    upper: *mut T,
    stride: *mut T::Step,
}

impl<T: LoopInteger> Out<T> {
    /// Stores the results.
    ///
    /// # Safety
    /// The pointers are the compiler's variables; `last` may be null.
    #[inline(always)]
    unsafe fn store(self, part: StaticChunk<T>) {
        // SAFETY: by contract.
        unsafe {
            *self.lower = part.lower;
            *self.upper = part.upper;
            *self.stride = part.stride;
            if !self.last.is_null() {
                *self.last = i32::from(part.is_last);
            }
        }
    }
}

/// The calling thread's part of a static loop.
///
/// # Safety
/// `out` points to the compiler's variables, which hold the bounds of the whole loop; `loc` is null or
/// points to a location.
#[inline(always)]
unsafe fn static_init<T: LoopInteger>(
    loc: *const ident_t,
    word: i32,
    out: Out<T>,
    step: T::Step,
    chunk: T::Step,
    site: CallSite,
) {
    // SAFETY: by contract.
    let (lower, upper) = unsafe { (*out.lower, *out.upper) };
    let division = match sched_type(word) {
        sched_type::STATIC => Some(Division::Blocks),
        sched_type::STATIC_CHUNKED => Some(Division::RoundRobin(chunk)),
        _ => None,
    };
    let common = division
        .and_then(|division| begin_common_static(&StaticLoop { lower, upper, step, division }));
    match common {
        // SAFETY: by contract.
        Some(part) => unsafe { out.store(part) },
        None => {
            let Out { last, lower, upper, stride } = out;
            // SAFETY: by contract.
            unsafe { static_init_any(loc, word, last, lower, upper, stride, step, chunk, site) }
        }
    }
}

/// `static_init`, of any loop.
///
/// # Safety
/// As of `static_init`.
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments, reason = "each in its register, so that no caller stores it")]
unsafe fn static_init_any<T: LoopInteger>(
    loc: *const ident_t,
    word: i32,
    last: *mut i32,
    lower: *mut T,
    upper: *mut T,
    stride: *mut T::Step,
    step: T::Step,
    chunk: T::Step,
    site: CallSite,
) {
    let division = match kind(word) {
        sched_type::STATIC_CHUNKED => Division::RoundRobin(chunk),
        sched_type::STATIC_BALANCED_CHUNKED => Division::AlignedBlocks(chunk),
        _ => Division::Blocks,
    };
    // SAFETY: by contract.
    unsafe {
        let whole = StaticLoop { lower: *lower, upper: *upper, step, division };
        let part = begin_static(&whole, || work_kind(loc), site);
        Out { last, lower, upper, stride }.store(part);
    }
}

/// Begins a loop whose chunks are handed out.
#[inline(always)]
fn dispatch_init<T: LoopInteger>(
    word: i32,
    lower: T,
    upper: T,
    step: T::Step,
    chunk: T::Step,
    site: CallSite,
) {
    let thread = Thread::current();
    let plain = WorksharingLoop::new(
        iterations::of_inclusive(lower, upper, step),
        schedule(thread, word, T::extend_step(chunk)),
        lower.extend(),
        T::extend_step(step).cast_unsigned(),
    );
    let is_ordered = ORDERED.contains(&kind(word).0);
    thread.begin_loop(WorksharingLoop { is_ordered, ..plain }, site);
}

/// Stores the next chunk's bounds; whether there is one.
///
/// # Safety
/// `out` points to the compiler's variables, or is null where it wants no value.
#[inline(always)]
unsafe fn dispatch_next<T: LoopInteger>(out: Out<T>, site: CallSite) -> c_int {
    let Some(values) = Thread::current().next_values(site) else { return 0 };
    // SAFETY: by contract.
    unsafe {
        if !out.last.is_null() {
            *out.last = i32::from(values.is_last);
        }
        *out.lower = T::truncate(values.first);
        *out.upper = T::truncate(values.last);
        if !out.stride.is_null() {
            *out.stride = T::truncate_step(values.step.cast_signed());
        }
    }
    1
}

macro_rules! loops {
    ($(
        $type:ty, $step:ty:
        $static_init:ident $dispatch_init:ident $dispatch_next:ident $dispatch_fini:ident;
    )*) => {
        $(
            entry! {
                /// `void __kmpc_for_static_init_TYPE(ident_t *loc, kmp_int32 gtid,
                /// kmp_int32 schedtype, kmp_int32 *plastiter, TYPE *plower, TYPE *pupper,
                /// STEP *pstride, STEP incr, STEP chunk)`
                ///
                /// # Safety
                /// The pointers are the compiler's variables.
                pub unsafe fn $static_init(
                    loc: *const ident_t,
                    _gtid: i32,
                    schedule: i32,
                    last: *mut i32,
                    lower: *mut $type,
                    upper: *mut $type,
                    stride: *mut $step,
                    step: $step,
                    chunk: $step,
                ) {
                    // SAFETY: by contract.
                    let site = unsafe { site(loc) };
                    let out = Out { last, lower, upper, stride };
                    // SAFETY: by contract.
                    unsafe { static_init(loc, schedule, out, step, chunk, site) }
                }

                /// `void __kmpc_dispatch_init_TYPE(ident_t *loc, kmp_int32 gtid,
                /// enum sched_type schedule, TYPE lb, TYPE ub, STEP st, STEP chunk)`
                ///
                /// # Safety
                /// `loc` is null or points to a location.
                pub unsafe fn $dispatch_init(
                    loc: *const ident_t,
                    _gtid: i32,
                    schedule: i32,
                    lower: $type,
                    upper: $type,
                    step: $step,
                    chunk: $step,
                ) {
                    // SAFETY: by contract.
                    let site = unsafe { site(loc) };
                    dispatch_init(schedule, lower, upper, step, chunk, site);
                }

                /// `int __kmpc_dispatch_next_TYPE(ident_t *loc, kmp_int32 gtid, kmp_int32 *p_last,
                /// TYPE *p_lb, TYPE *p_ub, STEP *p_st)`
                ///
                /// # Safety
                /// The pointers are the compiler's variables.
                pub unsafe fn $dispatch_next(
                    _loc: *const ident_t,
                    _gtid: i32,
                    last: *mut i32,
                    lower: *mut $type,
                    upper: *mut $type,
                    stride: *mut $step,
                ) -> c_int {
                    let out = Out { last, lower, upper, stride };
                    // SAFETY: by contract.
                    unsafe { dispatch_next(out, CallSite::here()) }
                }

                /// `void __kmpc_dispatch_fini_TYPE(ident_t *loc, kmp_int32 gtid)`: an iteration of
                /// an ordered loop is over.
                pub fn $dispatch_fini(_loc: *const ident_t, _gtid: i32) {
                    Thread::current().end_ordered_iteration();
                }
            }
        )*
    };
}

loops! {
    i32, i32:
        __kmpc_for_static_init_4 __kmpc_dispatch_init_4
        __kmpc_dispatch_next_4 __kmpc_dispatch_fini_4;
    u32, i32:
        __kmpc_for_static_init_4u __kmpc_dispatch_init_4u
        __kmpc_dispatch_next_4u __kmpc_dispatch_fini_4u;
    i64, i64:
        __kmpc_for_static_init_8 __kmpc_dispatch_init_8
        __kmpc_dispatch_next_8 __kmpc_dispatch_fini_8;
    u64, i64:
        __kmpc_for_static_init_8u __kmpc_dispatch_init_8u
        __kmpc_dispatch_next_8u __kmpc_dispatch_fini_8u;
}

entry! {
    /// `void __kmpc_for_static_fini(ident_t *loc, kmp_int32 global_tid)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_for_static_fini(loc: *const ident_t, _gtid: i32) {
        // SAFETY: by contract.
        end_static(move || unsafe { work_kind(loc) }, CallSite::here());
    }

    /// `void __kmpc_dispatch_deinit(ident_t *loc, kmp_int32 gtid)`: the loop was left when its last
    /// chunk was asked for.
    pub fn __kmpc_dispatch_deinit(_loc: *const ident_t, _gtid: i32) {}
}

entry! {
    /// `void __kmpc_ordered(ident_t *loc, kmp_int32 gtid)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_ordered(loc: *const ident_t, _gtid: i32) {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        Thread::current().begin_ordered(site);
    }

    /// `void __kmpc_end_ordered(ident_t *loc, kmp_int32 gtid)`
    pub fn __kmpc_end_ordered(_loc: *const ident_t, _gtid: i32) {
        Thread::current().end_ordered(CallSite::here());
    }
}
