//! Worksharing with memory that the team shares (GOMP): gcc's lastprivate(conditional) and scans. The
//! schedule is a word, and the loop is left by its end call, until which the memory stays.

use core::ffi::{c_long, c_uint, c_ulonglong, c_void};

use oxomp_core::worksharing::{Schedule, WorksharingLoop};
use oxomp_core::{CallSite, Thread};

use super::loops::{chunked, long_loop, next, runtime_schedule, static_schedule, ull_loop};
use super::sections::{next_section, sections};
use super::task_reduction::Descriptor;

/// Schedule word: chunks come in order.
const MONOTONIC: c_long = 1 << 31;

/// The schedule that a word and a chunk size mean.
fn schedule(word: c_long, chunk: u64) -> Schedule {
    let schedule = match word & !MONOTONIC {
        1 => static_schedule(chunk),
        2 => Schedule::DynamicNonmonotonic(chunked(chunk)),
        3 => Schedule::Guided(chunked(chunk)),
        // 4 is schedule(nonmonotonic: runtime), 0 without that modifier.
        _ => runtime_schedule(false),
    };
    if word & MONOTONIC != 0 { schedule.monotonic() } else { schedule }
}

/// What the calls of this file have in common.
struct Shared {
    /// Task reductions to register, or null.
    reductions: *mut usize,
    /// Null, or where the size of the shared memory is and its address goes.
    memory: *mut *mut c_void,
}

impl Shared {
    /// Begins the construct, and stores where its memory is.
    ///
    /// # Safety
    /// `memory` is null or the caller's variable.
    unsafe fn begin(&self, thread: &'static Thread, description: WorksharingLoop, site: CallSite) {
        if !self.reductions.is_null() {
            // SAFETY: by contract.
            unsafe { Descriptor::at(self.reductions) }.register_in_team(thread, site);
        }
        // SAFETY: by contract.
        let Some(memory) = (unsafe { self.memory.as_mut() }) else {
            return thread.begin_loop(description, site);
        };
        thread.begin_loop(WorksharingLoop { scratch: *memory as usize, ..description }, site);
        *memory = thread.loop_scratch();
    }
}

macro_rules! generic_starts {
    ($($name:ident is_ordered: $ordered:literal;)*) => {
        $(
            entry! {
                /// `bool NAME(long start, long end, long incr, long sched, long chunk_size,
                /// long *istart, long *iend, uintptr_t *reductions, void **mem)`: begins the loop
                /// and takes the first chunk, if `istart` is not null.
                ///
                /// # Safety
                /// The pointers are the caller's variables, or null where no value is wanted.
                pub unsafe fn $name(
                    start: c_long,
                    end: c_long,
                    incr: c_long,
                    word: c_long,
                    chunk: c_long,
                    from: *mut c_long,
                    to: *mut c_long,
                    reductions: *mut usize,
                    memory: *mut *mut c_void,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    let plain = long_loop(schedule(word, chunk as u64), start, end, incr);
                    let description = WorksharingLoop { is_ordered: $ordered, ..plain };
                    let shared = Shared { reductions, memory };
                    // SAFETY: by contract.
                    unsafe {
                        shared.begin(thread, description, site);
                        from.is_null() || next(thread, from, to, |value| value as c_long, site)
                    }
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
                /// void **mem)`: the same.
                ///
                /// # Safety
                /// The pointers are the caller's variables, or null where no value is wanted.
                pub unsafe fn $name(
                    up: bool,
                    start: c_ulonglong,
                    end: c_ulonglong,
                    incr: c_ulonglong,
                    word: c_long,
                    chunk: c_ulonglong,
                    from: *mut c_ulonglong,
                    to: *mut c_ulonglong,
                    reductions: *mut usize,
                    memory: *mut *mut c_void,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    let plain = ull_loop(schedule(word, chunk), up, start, end, incr);
                    let description = WorksharingLoop { is_ordered: $ordered, ..plain };
                    let shared = Shared { reductions, memory };
                    // SAFETY: by contract.
                    unsafe {
                        shared.begin(thread, description, site);
                        from.is_null() || next(thread, from, to, |value| value, site)
                    }
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
    ///
    /// # Safety
    /// `memory` is null or the caller's variable.
    pub unsafe fn GOMP_sections2_start(
        count: c_uint,
        reductions: *mut usize,
        memory: *mut *mut c_void,
    ) -> c_uint {
        let site = CallSite::here();
        let thread = Thread::current();
        let shared = Shared { reductions, memory };
        // SAFETY: by contract.
        unsafe { shared.begin(thread, sections(count), site) };
        next_section(thread, site)
    }
}
