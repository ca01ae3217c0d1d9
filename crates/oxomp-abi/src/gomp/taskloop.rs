//! The taskloop construct (GOMP): each task's data begin with its bounds.

use core::ffi::{c_int, c_long, c_uint, c_ulong, c_ulonglong, c_void};
use core::num::NonZeroU64;

use oxomp_core::task::{self, Chunk, Grain, Taskloop};
use oxomp_core::worksharing::iterations;
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn, gomp_task_flag};

use super::body::Body;
use super::tasks::clauses;
use super::{Descriptor, task_reduction};

/// A loop from `start` by `step`, `count` times; its bounds are words, whatever their sign.
struct Loop {
    start: u64,
    step: u64,
    count: u64,
}

/// Makes the tasks of a loop, and waits for them unless there is a nogroup clause.
///
/// # Safety
/// A8: the data begin with two bounds; behind them lies a descriptor, if the flags say so.
unsafe fn run(
    body: &Body,
    flags: c_uint,
    number: c_ulong,
    priority: c_int,
    Loop { start, step, count }: Loop,
    site: CallSite,
) {
    let thread = Thread::current();
    let grain = match NonZeroU64::new(number) {
        None => Grain::Any,
        Some(iterations) if flags & gomp_task_flag::GRAINSIZE != 0 => {
            Grain::Size { iterations, strict: flags & gomp_task_flag::STRICT != 0 }
        }
        Some(tasks) => Grain::Tasks(tasks),
    };
    let construct = Taskloop {
        iterations: count,
        grain,
        is_deferred: flags & gomp_task_flag::IF != 0,
        nogroup: flags & gomp_task_flag::NOGROUP != 0,
    };
    let register = || {
        if flags & gomp_task_flag::REDUCTION != 0 {
            // SAFETY: A8, as this function demands: the word behind the bounds is one.
            let descriptor = unsafe { body.data().cast::<Descriptor>().add(2).read() };
            task_reduction::register(descriptor, thread);
        }
    };
    let clauses = clauses(flags, priority);
    let task = |chunk: Chunk| {
        let first = start.wrapping_add(chunk.first.wrapping_mul(step));
        let end = first.wrapping_add(chunk.iterations.get().wrapping_mul(step));
        let task = body.task(thread, clauses);
        // SAFETY: A8, as this function demands: the data begin with two bounds.
        unsafe { task.data().cast::<[u64; 2]>().write([first, end]) };
        task
    };
    task::taskloop(thread, construct, register, task, site);
}

entry! {
    /// `void GOMP_taskloop(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    /// long arg_size, long arg_align, unsigned flags, unsigned long num_tasks, int priority,
    /// long start, long end, long step)`
    ///
    /// # Safety
    /// A8: the outlined `function` takes a copy of the data; they begin with two longs.
    pub unsafe fn GOMP_taskloop(
        function: gomp_fn,
        data: *mut c_void,
        copy: Option<gomp_copy_fn>,
        bytes: c_long,
        alignment: c_long,
        flags: c_uint,
        number: c_ulong,
        priority: c_int,
        start: c_long,
        end: c_long,
        step: c_long,
    ) {
        let count = iterations::of_half_open(start, end, step);
        let shape = Loop { start: start as u64, step: step as u64, count };
        // SAFETY: A8: the function is for these data, which begin with the bounds.
        unsafe {
            let body = Body::new(function, data, copy, bytes, alignment);
            run(&body, flags, number, priority, shape, CallSite::here());
        }
    }

    /// `void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    /// long arg_size, long arg_align, unsigned flags, unsigned long num_tasks, int priority,
    /// unsigned long long start, unsigned long long end, unsigned long long step)`
    ///
    /// # Safety
    /// A8: the outlined `function` takes a copy of the data; they begin with two unsigned long
    /// longs.
    pub unsafe fn GOMP_taskloop_ull(
        function: gomp_fn,
        data: *mut c_void,
        copy: Option<gomp_copy_fn>,
        bytes: c_long,
        alignment: c_long,
        flags: c_uint,
        number: c_ulong,
        priority: c_int,
        start: c_ulonglong,
        end: c_ulonglong,
        step: c_ulonglong,
    ) {
        let up = flags & gomp_task_flag::UP != 0;
        let count = iterations::of_half_open_unsigned(up, start, end, step);
        let shape = Loop { start, step, count };
        // SAFETY: A8: the function is for these data, which begin with the bounds.
        unsafe {
            let body = Body::new(function, data, copy, bytes, alignment);
            run(&body, flags, number, priority, shape, CallSite::here());
        }
    }
}
