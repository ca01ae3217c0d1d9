//! The taskloop construct (kmpc): a pattern task is copied for each share of the iterations.

use core::ffi::c_int;
use core::num::NonZeroU64;

use oxomp_core::ompt::event::{Endpoint, Work, emit};
use oxomp_core::task::{self, Grain, Iterations, Task};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_t, kmp_task_t};

use super::tasks::task_of;

/// `void task_dup(kmp_task_t *new, kmp_task_t *pattern, int is_last)`.
type Duplicate = unsafe extern "C" fn(*mut kmp_task_t, *mut kmp_task_t, c_int);

/// The construct, as its call describes it.
struct Taskloop {
    pattern: *mut kmp_task_t,
    if_clause: bool,
    lower: *mut u64,
    upper: *mut u64,
    step: i64,
    nogroup: bool,
    grain: Grain,
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

impl Taskloop {
    /// Makes the tasks, and waits for them unless there is a nogroup clause.
    ///
    /// # Safety
    /// The pattern came from `__kmpc_omp_task_alloc`, and the bounds lie in its data.
    unsafe fn run(&self, site: CallSite) {
        let thread = Thread::current();
        // SAFETY: by contract.
        let (first, last) = unsafe { (*self.lower, *self.upper) };
        let count = iterations(first, last, self.step);
        if !self.nogroup {
            task::begin_taskgroup(thread, site);
        }
        let encountering = thread.task();
        emit::work(Work::Taskloop, Endpoint::Begin, &encountering.ompt, count, site);
        let shares = Iterations::new(count, self.grain, thread.team().size());
        let (mut next, mut logical) = (first, 0);
        let mut left = shares.tasks();
        for share in shares {
            left -= 1;
            let end = next.wrapping_add((share - 1).wrapping_mul(self.step as u64));
            // SAFETY: by contract.
            let task = unsafe { self.copy(thread, next, end, left == 0) };
            if !self.if_clause {
                task.undefer();
            }
            task.set_chunk(logical, share);
            logical += share;
            task::generate(thread, task, site);
            next = end.wrapping_add(self.step as u64);
        }
        emit::work(Work::Taskloop, Endpoint::End, &encountering.ompt, count, site);
        // SAFETY: by contract; the pattern is of no use any more.
        task::discard(thread, unsafe { task_of(self.pattern) });
        if !self.nogroup {
            task::end_taskgroup(thread, site);
        }
    }

    /// A task like the pattern, for the iterations from `first` to `last`.
    ///
    /// # Safety
    /// As for `run`.
    unsafe fn copy(
        &self,
        thread: &'static Thread,
        first: u64,
        last: u64,
        is_last: bool,
    ) -> &'static Task {
        // SAFETY: by contract; the bounds lie at the same offsets in the copy.
        unsafe {
            let task = task::copy(thread, task_of(self.pattern));
            let data = task.payload().cast::<kmp_task_t>();
            let pattern = self.pattern;
            if !(*pattern).shareds.is_null() {
                let offset = (*pattern).shareds.byte_offset_from(pattern);
                (*data).shareds = data.byte_offset(offset).cast();
            }
            data.byte_offset(self.lower.byte_offset_from(pattern)).cast::<u64>().write(first);
            data.byte_offset(self.upper.byte_offset_from(pattern)).cast::<u64>().write(last);
            if let Some(duplicate) = self.duplicate {
                duplicate(data, pattern, c_int::from(is_last));
            }
            task
        }
    }
}

/// Iterations from `first` to `last`, which both belong to the loop.
fn iterations(first: u64, last: u64, step: i64) -> u64 {
    let magnitude = step.unsigned_abs().max(1);
    // The bounds are of any width, sign-extended: the loop is empty if they are the wrong way round.
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
        let taskloop = Taskloop {
            pattern: task,
            if_clause: if_clause != 0,
            lower,
            upper,
            step,
            nogroup: nogroup != 0,
            grain: grain(kind, value, false),
            duplicate,
        };
        // SAFETY: by contract.
        unsafe { taskloop.run(CallSite::here()) };
    }

    /// `void __kmpc_taskloop_5(ident_t *loc, int gtid, kmp_task_t *task, int if_val, kmp_uint64 *lb,
    /// kmp_uint64 *ub, kmp_int64 st, int nogroup, int sched, kmp_uint64 grainsize, int modifier,
    /// void *task_dup)`: the modifier is `strict`.
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
        let taskloop = Taskloop {
            pattern: task,
            if_clause: if_clause != 0,
            lower,
            upper,
            step,
            nogroup: nogroup != 0,
            grain: grain(kind, value, modifier != 0),
            duplicate,
        };
        // SAFETY: by contract.
        unsafe { taskloop.run(CallSite::here()) };
    }
}
