//! Worksharing with memory that the team shares (GOMP): gcc's lastprivate(conditional) and scans.
//! The schedule is a word, and the loop is left by its end call, until which the memory stays.

use core::ffi::{c_long, c_uint, c_ulonglong, c_void};

use oxomp_core::worksharing::{Schedule, WorksharingLoop};
use oxomp_core::{CallSite, Thread};

use super::loops::{chunked, long_loop, next, runtime_schedule, static_schedule, ull_loop};
use super::sections::{next_section, sections};
use super::task_reduction::register_in_team;
use super::{Descriptor, Truth};
use crate::argument::{InOut, Out};

/// Schedule word: chunks come in order.
const MONOTONIC: c_long = 1 << 31;

/// The schedule that a word and a chunk size stand for.
pub(super) fn schedule(word: c_long, chunk: u64) -> Schedule {
    let schedule = match word & !MONOTONIC {
        1 => static_schedule(chunk),
        2 => Schedule::DynamicNonmonotonic(chunked(chunk)),
        3 => Schedule::Guided(chunked(chunk)),
        // 4 is schedule(nonmonotonic: runtime), 0 without that modifier.
        _ => runtime_schedule(false),
    };
    if word & MONOTONIC != 0 { schedule.monotonic() } else { schedule }
}

/// The last two arguments of the calls of this file, and of the generic calls for doacross loops.
pub(super) struct Shared<'a> {
    /// Task reductions to register.
    pub(super) reductions: Option<Descriptor>,
    /// The size of the memory to share, which becomes its address.
    pub(super) memory: Option<InOut<'a, *mut c_void>>,
}

impl Shared<'_> {
    /// Begins the construct, and stores where its memory is.
    pub(super) fn begin(
        &self,
        thread: &'static Thread,
        description: WorksharingLoop,
        site: CallSite,
    ) {
        if let Some(descriptor) = self.reductions {
            register_in_team(descriptor, thread, site);
        }
        let Some(memory) = &self.memory else {
            return thread.begin_loop(description, site);
        };
        let scratch = memory.get() as usize;
        thread.begin_loop(WorksharingLoop { scratch, ..description }, site);
        memory.set(thread.loop_scratch());
    }
}

/// Takes the first chunk, if the caller wants one: otherwise it passes null for both bounds.
#[inline(always)]
pub(super) fn first_chunk<T>(
    thread: &Thread,
    from: Option<Out<T>>,
    to: Option<Out<T>>,
    of: impl Fn(u64) -> T,
    site: CallSite,
) -> bool {
    let Some(from) = from else { return true };
    next(thread, from, to, of, site)
}

macro_rules! generic_starts {
    ($($name:ident is_ordered: $ordered:literal;)*) => {
        $(
            entry! {
                /// `bool NAME(long start, long end, long incr, long sched, long chunk_size,
                /// long *istart, long *iend, uintptr_t *reductions, void **mem)`: begins the loop
                /// and takes the first chunk, if `istart` is not null.
                pub fn $name(
                    start: c_long,
                    end: c_long,
                    incr: c_long,
                    word: c_long,
                    chunk: c_long,
                    from: Option<Out<c_long>>,
                    to: Option<Out<c_long>>,
                    reductions: Option<Descriptor>,
                    memory: Option<InOut<*mut c_void>>,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    let plain = long_loop(schedule(word, chunk as u64), start, end, incr);
                    let description = WorksharingLoop { is_ordered: $ordered, ..plain };
                    let shared = Shared { reductions, memory };
                    shared.begin(thread, description, site);
                    first_chunk(thread, from, to, |value| value as c_long, site)
                }
            }
        )*
    };
}

macro_rules! generic_ull_starts {
    ($($name:ident is_ordered: $ordered:literal;)*) => {
        $(
            entry! {
                /// `bool NAME(bool up, unsigned long long start, unsigned long long end,
                /// unsigned long long incr, long sched, unsigned long long chunk_size,
                /// unsigned long long *istart, unsigned long long *iend, uintptr_t *reductions,
                /// void **mem)`: as the routines without `ull`, for that type.
                pub fn $name(
                    up: Truth,
                    start: c_ulonglong,
                    end: c_ulonglong,
                    incr: c_ulonglong,
                    word: c_long,
                    chunk: c_ulonglong,
                    from: Option<Out<c_ulonglong>>,
                    to: Option<Out<c_ulonglong>>,
                    reductions: Option<Descriptor>,
                    memory: Option<InOut<*mut c_void>>,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    let plain = ull_loop(schedule(word, chunk), up.get(), start, end, incr);
                    let description = WorksharingLoop { is_ordered: $ordered, ..plain };
                    let shared = Shared { reductions, memory };
                    shared.begin(thread, description, site);
                    first_chunk(thread, from, to, |value| value, site)
                }
            }
        )*
    };
}

generic_starts! {
    GOMP_loop_start is_ordered: false;
    GOMP_loop_ordered_start is_ordered: true;
}

generic_ull_starts! {
    GOMP_loop_ull_start is_ordered: false;
    GOMP_loop_ull_ordered_start is_ordered: true;
}

entry! {
    /// `unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem)`
    pub fn GOMP_sections2_start(
        count: c_uint,
        reductions: Option<Descriptor>,
        memory: Option<InOut<*mut c_void>>,
    ) -> c_uint {
        let site = CallSite::here();
        let thread = Thread::current();
        let shared = Shared { reductions, memory };
        shared.begin(thread, sections(count), site);
        next_section(thread, site)
    }
}
