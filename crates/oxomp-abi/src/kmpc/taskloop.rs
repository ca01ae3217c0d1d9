//! The taskloop construct (kmpc): a pattern task is copied for each share of the iterations.

use core::ffi::c_int;
use core::num::NonZeroU64;

use oxomp_core::task::{self, Chunk, Grain, Task, Taskloop};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_t, kmp_task_t};

use super::tasks::task_of;

/// `void task_dup(kmp_task_t *new, kmp_task_t *pattern, int is_last)`.
type Duplicate = unsafe extern "C" fn(*mut kmp_task_t, *mut kmp_task_t, c_int);

/// The task that all others are copies of, and where its bounds are.
struct Pattern {
    data: *mut kmp_task_t,
    lower: *mut u64,
    upper: *mut u64,
    step: i64,
    duplicate: Option<Duplicate>,
}

/// What `sched` and `grainsize` of the call mean.
fn grain(kind: c_int, value: u64, strict: bool) -> Grain {
    match (kind, NonZeroU64::new(value)) {
        (1, Some(iterations)) => Grain::Size { iterations, strict },
        (2, Some(tasks)) => Grain::Tasks(tasks),
        _ => Grain::Any,
    }
}

impl Pattern {
    /// Makes the tasks, and waits for them unless there is a nogroup clause.
    ///
    /// # Safety
    /// The pattern came from `__kmpc_omp_task_alloc`, and the bounds lie in its data.
    unsafe fn run(&self, grain: Grain, if_clause: c_int, nogroup: c_int, site: CallSite) {
        let thread = Thread::current();
        // SAFETY: by contract.
        let (first, last) = unsafe { (*self.lower, *self.upper) };
        let construct = Taskloop {
            iterations: iterations(first, last, self.step),
            grain,
            is_deferred: if_clause != 0,
            nogroup: nogroup != 0,
        };
        // SAFETY: by contract.
        let copy = |chunk| unsafe { self.copy(thread, first, chunk) };
        task::taskloop(thread, construct, || (), copy, site);
        // SAFETY: by contract.
        task::discard(thread, unsafe { task_of(self.data) });
    }

    /// A task like the pattern, for a chunk of the loop from `start`.
    ///
    /// # Safety
    /// As for `run`.
    unsafe fn copy(&self, thread: &'static Thread, start: u64, chunk: Chunk) -> &'static Task {
        let at = |logical: u64| start.wrapping_add(logical.wrapping_mul(self.step as u64));
        let (first, last) = (at(chunk.first), at(chunk.first + (chunk.iterations.get() - 1)));
        // SAFETY: by contract; the bounds lie at the same offsets in the copy.
        unsafe {
            let pattern = self.data;
            let task = task::copy(thread, task_of(pattern));
            let data = task.payload().cast::<kmp_task_t>();
            if !(*pattern).shareds.is_null() {
                let offset = (*pattern).shareds.byte_offset_from(pattern);
                (*data).shareds = data.byte_offset(offset).cast();
            }
            data.byte_offset(self.lower.byte_offset_from(pattern)).cast::<u64>().write(first);
            data.byte_offset(self.upper.byte_offset_from(pattern)).cast::<u64>().write(last);
            if let Some(duplicate) = self.duplicate {
                duplicate(data, pattern, c_int::from(chunk.is_last));
            }
            task
        }
    }
}

/// Iterations from `first` to `last`, which both belong to the loop.
fn iterations(first: u64, last: u64, step: i64) -> u64 {
    let magnitude = step.unsigned_abs().max(1);
    // The bounds are of any width, sign-extended: the loop is empty if they are the
    // wrong way round.
    let (from, to) = if step < 0 { (last, first) } else { (first, last) };
    if (to.cast_signed()) < from.cast_signed() && to < from {
        return 0;
    }
    (to.wrapping_sub(from) / magnitude).wrapping_add(1)
}

entry! {
    /// `void __kmpc_taskloop(ident_t *loc, int gtid, kmp_task_t *task, int if_val, kmp_uint64 *lb,
    /// kmp_uint64 *ub, kmp_int64 st, int nogroup, int sched, kmp_uint64 grainsize, void *task_dup)`
    ///
    /// # Safety
    /// `task` came from `__kmpc_omp_task_alloc`, and the bounds lie in its data.
    pub unsafe fn __kmpc_taskloop(
        _loc: *const ident_t,
        _gtid: c_int,
        task: *mut kmp_task_t,
        if_clause: c_int,
        lower: *mut u64,
        upper: *mut u64,
        step: i64,
        nogroup: c_int,
        kind: c_int,
        value: u64,
        duplicate: Option<Duplicate>,
    ) {
        let pattern = Pattern { data: task, lower, upper, step, duplicate };
        let grain = grain(kind, value, false);
        // SAFETY: by contract.
        unsafe { pattern.run(grain, if_clause, nogroup, CallSite::here()) };
    }

    /// `void __kmpc_taskloop_5(ident_t *loc, int gtid, kmp_task_t *task, int if_val,
    /// kmp_uint64 *lb, kmp_uint64 *ub, kmp_int64 st, int nogroup, int sched, kmp_uint64 grainsize,
    /// int modifier, void *task_dup)`: the modifier is `strict`.
    ///
    /// # Safety
    /// `task` came from `__kmpc_omp_task_alloc`, and the bounds lie in its data.
    pub unsafe fn __kmpc_taskloop_5(
        _loc: *const ident_t,
        _gtid: c_int,
        task: *mut kmp_task_t,
        if_clause: c_int,
        lower: *mut u64,
        upper: *mut u64,
        step: i64,
        nogroup: c_int,
        kind: c_int,
        value: u64,
        modifier: c_int,
        duplicate: Option<Duplicate>,
    ) {
        let pattern = Pattern { data: task, lower, upper, step, duplicate };
        let grain = grain(kind, value, modifier != 0);
        // SAFETY: by contract.
        unsafe { pattern.run(grain, if_clause, nogroup, CallSite::here()) };
    }
}
