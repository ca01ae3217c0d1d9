//! The taskloop construct (kmpc): a pattern task is copied for each share of the iterations.

use core::ffi::c_int;
use core::num::NonZeroU64;

use oxomp_core::task::{self, Chunk, Grain, Task, Taskloop};
use oxomp_core::{CallSite, Thread};

use super::{Bound, Loc, TaskData};

/// `void task_dup(kmp_task_t *new, kmp_task_t *pattern, int is_last)`.
type Duplicate = unsafe extern "C" fn(TaskData, TaskData, c_int);

/// The task that all others are copies of, and the bounds in its data.
struct Pattern {
    data: TaskData,
    lower: Bound,
    upper: Bound,
    step: i64,
    duplicate: Option<Duplicate>,
}

/// The clause that `sched` and `grainsize` of the call stand for.
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
    /// A7: the bounds lie in the data; A8: `duplicate` takes the data and a copy of them.
    unsafe fn run(&self, grain: Grain, if_clause: c_int, nogroup: c_int, site: CallSite) {
        let thread = Thread::current();
        let (first, last) = (self.lower.get(), self.upper.get());
        let construct = Taskloop {
            iterations: iterations(first, last, self.step),
            grain,
            is_deferred: if_clause != 0,
            nogroup: nogroup != 0,
        };
        // SAFETY: A7 and A8, as this function demands.
        let copy = |chunk| unsafe { self.copy(thread, first, chunk) };
        task::taskloop(thread, construct, || (), copy, site);
        task::discard(thread, self.data.task());
    }

    /// A task like the pattern, for a chunk of the loop from `start`.
    ///
    /// # Safety
    /// A7 and A8, as for `run`.
    unsafe fn copy(&self, thread: &'static Thread, start: u64, chunk: Chunk) -> &'static Task {
        let at = |logical: u64| start.wrapping_add(logical.wrapping_mul(self.step as u64));
        let (first, last) = (at(chunk.first), at(chunk.first + (chunk.iterations.get() - 1)));
        let copy = self.data.copy(thread);
        // SAFETY: A7: the bounds lie in the pattern's data; A8: the function is for these tasks.
        unsafe {
            self.lower.set_in_copy(self.data, copy, first);
            self.upper.set_in_copy(self.data, copy, last);
            if let Some(duplicate) = self.duplicate {
                duplicate(copy, self.data, c_int::from(chunk.is_last));
            }
        }
        copy.task()
    }
}

/// Iterations from `first` to `last`, which both belong to the loop. Bounds that are all values of
/// 64 bits have none: clang without optimization passes them for an empty loop
/// (`trace/task_loop.c`).
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
    /// A7: the bounds lie in the task's data; A8: `duplicate` takes the data and a copy of them.
    pub unsafe fn __kmpc_taskloop(
        _loc: Loc,
        _gtid: c_int,
        task: TaskData,
        if_clause: c_int,
        lower: Bound,
        upper: Bound,
        step: i64,
        nogroup: c_int,
        kind: c_int,
        value: u64,
        duplicate: Option<Duplicate>,
    ) {
        let pattern = Pattern { data: task, lower, upper, step, duplicate };
        let grain = grain(kind, value, false);
        // SAFETY: A7 and A8 of the arguments.
        unsafe { pattern.run(grain, if_clause, nogroup, CallSite::here()) };
    }

    /// `void __kmpc_taskloop_5(ident_t *loc, int gtid, kmp_task_t *task, int if_val,
    /// kmp_uint64 *lb, kmp_uint64 *ub, kmp_int64 st, int nogroup, int sched, kmp_uint64 grainsize,
    /// int modifier, void *task_dup)`: the modifier is `strict`.
    ///
    /// # Safety
    /// A7: the bounds lie in the task's data; A8: `duplicate` takes the data and a copy of them.
    pub unsafe fn __kmpc_taskloop_5(
        _loc: Loc,
        _gtid: c_int,
        task: TaskData,
        if_clause: c_int,
        lower: Bound,
        upper: Bound,
        step: i64,
        nogroup: c_int,
        kind: c_int,
        value: u64,
        modifier: c_int,
        duplicate: Option<Duplicate>,
    ) {
        let pattern = Pattern { data: task, lower, upper, step, duplicate };
        let grain = grain(kind, value, modifier != 0);
        // SAFETY: A7 and A8 of the arguments.
        unsafe { pattern.run(grain, if_clause, nogroup, CallSite::here()) };
    }
}
