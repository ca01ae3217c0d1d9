//! Doacross loop nests (GOMP): ordered(n), with `source` and `sink`. The first of the counts is
//! that of the iterations which the threads share out; values are numbers of iterations, from 0.

use core::ffi::{c_long, c_uint, c_ulonglong, c_void};

use oxomp_core::worksharing::{
    Dimension, Schedule, WorksharingLoop, await_iteration, post_iteration,
};
use oxomp_core::{CallSite, Thread};

use super::Descriptor;
use super::generic_loops::{Shared, first_chunk, schedule};
use super::loops::{chunked, runtime_schedule, static_schedule};
use crate::argument::{InOut, List, Out, Vector, Words};

/// Begins the nest of loops with `counts` iterations, outermost first. Returns the outermost loop,
/// which the threads share out.
#[inline(always)]
fn begin(thread: &Thread, counts: &[u64], schedule: Schedule) -> WorksharingLoop {
    thread.begin_doacross(counts.iter().map(|&count| Dimension::counted(count)));
    let iterations = counts.first().copied().unwrap_or(0);
    let plain = WorksharingLoop::new(iterations, schedule.monotonic(), 0, 1);
    WorksharingLoop { end: iterations, ..plain }
}

macro_rules! starts {
    ($type:ty, $text:literal; $($name:ident, ($($chunk:ident)?) => $schedule:expr;)*) => {
        $(
            entry! {
                #[doc = concat!("`bool NAME(unsigned ncounts, ", $text, " *counts, [", $text)]
                #[doc = concat!("chunk_size,] ", $text, " *istart, ", $text, " *iend)`: begins")]
                /// the loop nest and takes the first chunk of its outermost loop.
                ///
                /// # Safety
                /// A3: `length` is that of `counts`.
                pub unsafe fn $name(
                    length: c_uint,
                    counts: List<u64>,
                    $($chunk: $type,)?
                    from: Out<$type>,
                    to: Out<$type>,
                ) -> bool {
                    let site = CallSite::here();
                    let thread = Thread::current();
                    // SAFETY: A3: `length` is the list's.
                    let counts = unsafe { counts.with(length) };
                    thread.begin_loop(begin(thread, counts, $schedule), site);
                    first_chunk(thread, Some(from), Some(to), |value| value as $type, site)
                }
            }
        )*
    };
}

macro_rules! generic_start {
    ($type:ty, $text:literal; $name:ident) => {
        entry! {
            #[doc = concat!("`bool NAME(unsigned ncounts, ", $text, " *counts, long sched, ")]
            #[doc = concat!($text, " chunk_size, ", $text, " *istart, ", $text, " *iend,")]
            /// uintptr_t *reductions, void **mem)`: begins the loop nest and takes the first chunk
            /// of its outermost loop, if `istart` is not null.
            ///
            /// # Safety
            /// A3: `length` is that of `counts`.
            pub unsafe fn $name(
                length: c_uint,
                counts: List<u64>,
                word: c_long,
                chunk: $type,
                from: Option<Out<$type>>,
                to: Option<Out<$type>>,
                reductions: Option<Descriptor>,
                memory: Option<InOut<*mut c_void>>,
            ) -> bool {
                let site = CallSite::here();
                let thread = Thread::current();
                // SAFETY: A3: `length` is the list's.
                let counts = unsafe { counts.with(length) };
                let description = begin(thread, counts, schedule(word, chunk as u64));
                Shared { reductions, memory }.begin(thread, description, site);
                first_chunk(thread, from, to, |value| value as $type, site)
            }
        }
    };
}

starts! {
    c_long, "long";
    GOMP_loop_doacross_static_start, (chunk) => static_schedule(chunk as u64);
    GOMP_loop_doacross_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk as u64));
    GOMP_loop_doacross_guided_start, (chunk) => Schedule::Guided(chunked(chunk as u64));
    GOMP_loop_doacross_runtime_start, () => runtime_schedule(true);
}

starts! {
    c_ulonglong, "unsigned long long";
    GOMP_loop_ull_doacross_static_start, (chunk) => static_schedule(chunk);
    GOMP_loop_ull_doacross_dynamic_start, (chunk) => Schedule::Dynamic(chunked(chunk));
    GOMP_loop_ull_doacross_guided_start, (chunk) => Schedule::Guided(chunked(chunk));
    GOMP_loop_ull_doacross_runtime_start, () => runtime_schedule(true);
}

generic_start! { c_long, "long"; GOMP_loop_doacross_start }
generic_start! { c_ulonglong, "unsigned long long"; GOMP_loop_ull_doacross_start }

entry! {
    /// `void GOMP_doacross_post(long *counts)`, and `GOMP_doacross_ull_post`
    pub fn GOMP_doacross_post | GOMP_doacross_ull_post(vector: Vector) {
        post_iteration(move |index| vector.element(index), CallSite::here());
    }

    /// `void GOMP_doacross_wait(long first, ...)`, and `GOMP_doacross_ull_wait`
    ///
    /// # Safety
    /// A18: the words of the call are an iteration's vector.
    pub unsafe naked fn GOMP_doacross_wait | GOMP_doacross_ull_wait() {
        oxomp_arch::pass_words!(wait)
    }
}

/// `GOMP_doacross_wait` with its words in memory, and its frame.
///
/// # Safety
/// A16: the entry calls it, with the words that it has stored and its frame.
unsafe extern "C" fn wait(first: *const u64, rest: *const u64, frame: *const c_void) {
    // SAFETY: A16: the entry's words and frame, which stay until it returns.
    let (words, site) = unsafe { (Words::new(first, rest), CallSite::from_frame(frame)) };
    await_iteration(move |index| words.element(index), site);
}
