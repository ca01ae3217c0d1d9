//! Worksharing loops (kmpc): bounds are inclusive, of four integer types.

use core::ffi::c_int;

use oxomp_core::ompt::event::Work;
use oxomp_core::worksharing::iterations::{self, LoopInteger};
use oxomp_core::worksharing::static_loop::{Division, StaticChunk, StaticLoop};
use oxomp_core::worksharing::{
    Among, Schedule, WorksharingLoop, begin_common_static, begin_static, end_static,
};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_flag_t, sched_type};

use super::Loc;
use crate::argument::{InOut, Out};

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

/// The schedule that a dispatch call's word and chunk size stand for.
fn schedule(thread: &Thread, word: i32, chunk: i64) -> Schedule {
    let size = u64::try_from(chunk).unwrap_or(0).max(1);
    let nonmonotonic = word & sched_type::MODIFIER_NONMONOTONIC != 0;
    let monotonic = word & sched_type::MODIFIER_MONOTONIC != 0;
    let of_the_program = || Schedule::of_run_sched_var(thread.icvs().run_sched_var, monotonic);
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
        // The schedule that run-sched-var's auto has, too.
        sched_type::AUTO | sched_type::ORDERED_AUTO => Schedule::Guided(1),
        sched_type::GUIDED_SIMD => Schedule::GuidedAligned(size),
        sched_type::TRAPEZOIDAL | sched_type::ORDERED_TRAPEZOIDAL => Schedule::Trapezoidal(size),
        sched_type::RUNTIME | sched_type::ORDERED_RUNTIME => of_the_program(),
        // The chunk argument is the length of a vector.
        sched_type::RUNTIME_SIMD => of_the_program().of_vectors(size),
        // The kinds without chunks: one block for each thread.
        _ => Schedule::Static,
    }
}

/// How a schedule word divides a static loop.
pub(super) fn division<S>(word: i32, chunk: S) -> Division<S> {
    match kind(word) {
        sched_type::STATIC_CHUNKED | sched_type::DISTRIBUTE_STATIC_CHUNKED => {
            Division::RoundRobin(chunk)
        }
        sched_type::STATIC_BALANCED_CHUNKED => Division::AlignedBlocks(chunk),
        _ => Division::Blocks,
    }
}

/// The construct that a static-init call belongs to.
pub(super) fn work_kind(loc: Loc) -> Work {
    if loc.has(ident_flag_t::WORK_SECTIONS) {
        Work::Sections
    } else if loc.has(ident_flag_t::WORK_DISTRIBUTE) {
        Work::Distribute
    } else {
        Work::LoopStatic
    }
}

/// The variables of a static-init call: the bounds of the whole loop, which become those of the
/// thread's first chunk.
pub(super) struct StaticInit<'a, T: LoopInteger> {
    pub(super) last: Option<Out<'a, i32>>,
    pub(super) lower: InOut<'a, T>,
    pub(super) upper: InOut<'a, T>,
    pub(super) stride: Out<'a, T::Step>,
}

impl<T: LoopInteger> StaticInit<'_, T> {
    /// Stores the bounds of the thread's first chunk.
    #[inline(always)]
    pub(super) fn store(self, part: StaticChunk<T>) {
        self.lower.set(part.lower);
        self.upper.set(part.upper);
        self.stride.set(part.stride);
        if let Some(last) = self.last {
            last.set(i32::from(part.is_last));
        }
    }
}

/// The calling thread's part of a static loop.
#[inline(always)]
fn static_init<T: LoopInteger>(
    loc: Loc,
    word: i32,
    variables: StaticInit<T>,
    step: T::Step,
    chunk: T::Step,
    site: CallSite,
) {
    let (lower, upper) = (variables.lower.get(), variables.upper.get());
    let division = match sched_type(word) {
        sched_type::STATIC => Some(Division::Blocks),
        sched_type::STATIC_CHUNKED => Some(Division::RoundRobin(chunk)),
        _ => None,
    };
    let common = division
        .and_then(|division| begin_common_static(&StaticLoop { lower, upper, step, division }));
    match common {
        Some(part) => variables.store(part),
        None => {
            let StaticInit { last, lower, upper, stride } = variables;
            static_init_any(loc, word, last, lower, upper, stride, step, chunk, site);
        }
    }
}

/// `static_init`, of any loop.
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments, reason = "each in its register, so that no caller stores it")]
fn static_init_any<T: LoopInteger>(
    loc: Loc,
    word: i32,
    last: Option<Out<i32>>,
    lower: InOut<T>,
    upper: InOut<T>,
    stride: Out<T::Step>,
    step: T::Step,
    chunk: T::Step,
    site: CallSite,
) {
    let among = match kind(word) {
        sched_type::DISTRIBUTE_STATIC | sched_type::DISTRIBUTE_STATIC_CHUNKED => Among::Teams,
        _ => Among::Threads,
    };
    let division = division(word, chunk);
    let whole = StaticLoop { lower: lower.get(), upper: upper.get(), step, division };
    let part = begin_static(&whole, among, || work_kind(loc), site);
    StaticInit { last, lower, upper, stride }.store(part);
}

/// Begins a loop whose chunks are handed out.
#[inline(always)]
pub(super) fn dispatch_init<T: LoopInteger>(
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

/// The variables of a dispatch-next call, which get the bounds of a chunk.
struct DispatchNext<'a, T: LoopInteger> {
    last: Option<Out<'a, i32>>,
    lower: Out<'a, T>,
    upper: Out<'a, T>,
    stride: Option<Out<'a, T::Step>>,
}

/// Stores the next chunk's bounds; whether there is one.
#[inline(always)]
fn dispatch_next<T: LoopInteger>(variables: DispatchNext<T>, site: CallSite) -> c_int {
    let Some(values) = Thread::current().next_values(site) else { return 0 };
    if let Some(last) = variables.last {
        last.set(i32::from(values.is_last));
    }
    variables.lower.set(T::truncate(values.first));
    variables.upper.set(T::truncate(values.last));
    if let Some(stride) = variables.stride {
        stride.set(T::truncate_step(values.step.cast_signed()));
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
                pub fn $static_init(
                    loc: Loc,
                    _gtid: i32,
                    schedule: i32,
                    last: Option<Out<i32>>,
                    lower: InOut<$type>,
                    upper: InOut<$type>,
                    stride: Out<$step>,
                    step: $step,
                    chunk: $step,
                ) {
                    let site = loc.site();
                    let variables = StaticInit { last, lower, upper, stride };
                    static_init(loc, schedule, variables, step, chunk, site);
                }

                /// `void __kmpc_dispatch_init_TYPE(ident_t *loc, kmp_int32 gtid,
                /// enum sched_type schedule, TYPE lb, TYPE ub, STEP st, STEP chunk)`
                pub fn $dispatch_init(
                    loc: Loc,
                    _gtid: i32,
                    schedule: i32,
                    lower: $type,
                    upper: $type,
                    step: $step,
                    chunk: $step,
                ) {
                    let site = loc.site();
                    dispatch_init(schedule, lower, upper, step, chunk, site);
                }

                /// `int __kmpc_dispatch_next_TYPE(ident_t *loc, kmp_int32 gtid, kmp_int32 *p_last,
                /// TYPE *p_lb, TYPE *p_ub, STEP *p_st)`
                pub fn $dispatch_next(
                    _loc: Loc,
                    _gtid: i32,
                    last: Option<Out<i32>>,
                    lower: Out<$type>,
                    upper: Out<$type>,
                    stride: Option<Out<$step>>,
                ) -> c_int {
                    let variables = DispatchNext { last, lower, upper, stride };
                    dispatch_next(variables, CallSite::here())
                }

                /// `void __kmpc_dispatch_fini_TYPE(ident_t *loc, kmp_int32 gtid)`: an iteration of
                /// an ordered loop is over.
                pub fn $dispatch_fini(_loc: Loc, _gtid: i32) {
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
    pub fn __kmpc_for_static_fini(loc: Loc, _gtid: i32) {
        end_static(move || work_kind(loc), CallSite::here());
    }

    /// `void __kmpc_dispatch_deinit(ident_t *loc, kmp_int32 gtid)`: the loop was left when its last
    /// chunk was asked for.
    pub fn __kmpc_dispatch_deinit(_loc: Loc, _gtid: i32) {}
}

entry! {
    /// `void __kmpc_ordered(ident_t *loc, kmp_int32 gtid)`
    pub fn __kmpc_ordered(loc: Loc, _gtid: i32) {
        let site = loc.site();
        Thread::current().begin_ordered(site);
    }

    /// `void __kmpc_end_ordered(ident_t *loc, kmp_int32 gtid)`
    pub fn __kmpc_end_ordered(_loc: Loc, _gtid: i32) {
        Thread::current().end_ordered(CallSite::here());
    }
}
