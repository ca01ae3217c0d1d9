//! The taskloop construct (GOMP): each task's data begin with its bounds.

use core::ffi::{c_int, c_long, c_uint, c_ulong, c_ulonglong, c_void};
use core::num::NonZeroU64;

use oxomp_core::task::{self, Chunk, Grain, Taskloop};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn, gomp_task_flag};

use super::task_reduction::Descriptor;
use super::tasks::{Body, clauses};

/// A loop from `start` by `step`, `count` times; what is written of the bounds are words.
struct Loop {
    start: u64,
    step: u64,
    count: u64,
}

/// Makes the tasks of a loop, and waits for them unless there is a nogroup clause.
///
/// # Safety
/// As for the entries.
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
            // SAFETY: by contract: the word behind the bounds.
            unsafe {
                let descriptor = body.data.cast::<*mut usize>().add(2).read();
                Descriptor::at(descriptor).register(thread);
            }
        }
    };
    let clauses = clauses(flags, priority);
    let task = |chunk: Chunk| {
        let first = start.wrapping_add(chunk.first.wrapping_mul(step));
        let end = first.wrapping_add(chunk.iterations.get().wrapping_mul(step));
        // SAFETY: by contract.
        unsafe {
            let task = body.task(thread, clauses);
            task.data().cast::<[u64; 2]>().write([first, end]);
            task
        }
    };
    task::taskloop(thread, construct, register, task, site);
}

/// How often a loop from `start` to before `end` runs, by a step of that magnitude.
fn count(distance: u64, magnitude: u64) -> u64 {
    distance.div_ceil(magnitude.max(1))
}

entry! {
    /// `void GOMP_taskloop(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    /// long arg_size, long arg_align, unsigned flags, unsigned long num_tasks, int priority,
    /// long start, long end, long step)`
    ///
    /// # Safety
    /// gcc's outlined `function` takes a copy of the data; that begins with two longs.
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
        let (low, high) = if step < 0 { (end, start) } else { (start, end) };
        let distance = if low < high { high.wrapping_sub(low) as u64 } else { 0 };
        let count = count(distance, step.unsigned_abs());
        let shape = Loop { start: start as u64, step: step as u64, count };
        let (bytes, alignment) = (bytes as usize, alignment as usize);
        let body = Body { function, data, copy, bytes, alignment };
        // SAFETY: by contract.
        unsafe { run(&body, flags, number, priority, shape, CallSite::here()) };
    }

    /// `void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    /// long arg_size, long arg_align, unsigned flags, unsigned long num_tasks, int priority,
    /// unsigned long long start, unsigned long long end, unsigned long long step)`
    ///
    /// # Safety
    /// gcc's outlined `function` takes a copy of the data; that begins with two
    /// unsigned long longs.
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
        let (low, high) = if up { (start, end) } else { (end, start) };
        let magnitude = if up { step } else { step.wrapping_neg() };
        let shape = Loop { start, step, count: count(high.saturating_sub(low), magnitude) };
        let (bytes, alignment) = (bytes as usize, alignment as usize);
        let body = Body { function, data, copy, bytes, alignment };
        // SAFETY: by contract.
        unsafe { run(&body, flags, number, priority, shape, CallSite::here()) };
    }
}
