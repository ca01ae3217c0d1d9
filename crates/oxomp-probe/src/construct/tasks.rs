//! Explicit tasks and what waits for them.

use std::ffi::{c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr;

use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn, gomp_task_flag};
use oxomp_sys::kmpc::{ident_t, kmp_depend_info_t, kmp_routine_entry_t, kmp_task_t, task_flag};

use super::form::Form;
use super::location::PLAIN;
use super::region::Member;
use crate::runtime::call;

/// The clauses of a task construct.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Task {
    pub(crate) undeferred: bool,
    pub(crate) is_final: bool,
    pub(crate) untied: bool,
    pub(crate) mergeable: bool,
    pub(crate) depend: Option<Dependence>,
    pub(crate) detach: bool,
}

/// A `depend` clause of one list item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dependence {
    pub(crate) address: usize,
    /// `inout` instead of `in`.
    pub(crate) writes: bool,
}

/// The code of a task: a function without surroundings, and a number for it.
pub(crate) type TaskBody = fn(usize);

/// The data of clang's tasks of ours.
#[repr(C)]
struct ClangTask {
    head: kmp_task_t,
    body: TaskBody,
    value: usize,
    low: u64,
    high: u64,
    stride: i64,
}

unsafe extern "C" fn clang_entry(_gtid: i32, task: *mut kmp_task_t) -> i32 {
    // SAFETY: the task was allocated as one of ours.
    let task = unsafe { &*task.cast::<ClangTask>() };
    (task.body)(task.value);
    0
}

unsafe extern "C" fn gcc_entry(data: *mut c_void) {
    // SAFETY: the data of our tasks have this layout.
    let data = unsafe { &*data.cast::<GccTask>() };
    (data.body)(data.value);
}

/// The data of gcc's tasks; the runtime writes the handle of a detachable task's event into the
/// first word.
#[repr(C)]
struct GccTask {
    handle: usize,
    body: TaskBody,
    value: usize,
}

/// The data of gcc's taskloops begin with the bounds.
#[repr(C)]
struct GccLoop {
    low: c_long,
    high: c_long,
    body: TaskBody,
}

unsafe extern "C" fn gcc_loop_entry(data: *mut c_void) {
    // SAFETY: the data of our taskloops have this layout.
    let data = unsafe { &*data.cast::<GccLoop>() };
    (data.body)(data.low as usize);
}

impl Member {
    /// A task construct. Returns the handle of the event of a detachable one.
    pub(crate) fn task(self, clauses: Task, body: TaskBody, value: usize) -> usize {
        match self.form {
            Form::Clang => self.clang_task(clauses, body, value),
            Form::Gcc => gcc_task(clauses, body, value),
        }
    }

    fn allocate(self, clauses: Task, body: TaskBody, value: usize) -> *mut ClangTask {
        let mut flags = if clauses.untied { 0 } else { task_flag::TIED };
        if clauses.is_final {
            flags |= task_flag::FINAL;
        }
        if clauses.mergeable {
            flags |= task_flag::MERGED_IF0;
        }
        if clauses.detach {
            flags |= task_flag::DETACHABLE;
        }
        let task = call!(__kmpc_omp_task_alloc(
            &raw const PLAIN => *const ident_t,
            self.gtid => i32,
            flags => i32,
            size_of::<ClangTask>() => usize,
            0 => usize,
            clang_entry => kmp_routine_entry_t,
        ) -> *mut kmp_task_t)
        .cast::<ClangTask>();
        // SAFETY: the runtime has allocated as many bytes; what follows the head is ours.
        unsafe {
            (&raw mut (*task).body).write(body);
            (&raw mut (*task).value).write(value);
        }
        task
    }

    fn clang_task(self, clauses: Task, body: TaskBody, value: usize) -> usize {
        let task = self.allocate(clauses, body, value);
        let head = task.cast::<kmp_task_t>();
        let handle = if clauses.detach {
            call!(__kmpc_task_allow_completion_event(
                &raw const PLAIN => *const ident_t, self.gtid => i32, head => *mut kmp_task_t)
                -> *mut c_void)
            .addr()
        } else {
            0
        };
        if clauses.undeferred {
            call!(__kmpc_omp_task_begin_if0(
                &raw const PLAIN => *const ident_t, self.gtid => i32, head => *mut kmp_task_t));
            body(value);
            call!(__kmpc_omp_task_complete_if0(
                &raw const PLAIN => *const ident_t, self.gtid => i32, head => *mut kmp_task_t));
        } else if let Some(dependence) = clauses.depend {
            let mut list = [dependence.for_clang()];
            call!(__kmpc_omp_task_with_deps(
                &raw const PLAIN => *const ident_t,
                self.gtid => i32,
                head => *mut kmp_task_t,
                1 => i32,
                list.as_mut_ptr() => *mut kmp_depend_info_t,
                0 => i32,
                ptr::null_mut() => *mut kmp_depend_info_t,
            ) -> i32);
        } else {
            call!(__kmpc_omp_task(
                &raw const PLAIN => *const ident_t, self.gtid => i32, head => *mut kmp_task_t)
                -> i32);
        }
        handle
    }

    /// `taskwait`.
    pub(crate) fn taskwait(self) {
        match self.form {
            Form::Clang => {
                call!(__kmpc_omp_taskwait(&raw const PLAIN => *const ident_t, self.gtid => i32)
                    -> i32);
            }
            Form::Gcc => call!(GOMP_taskwait()),
        }
    }

    /// `taskyield`.
    pub(crate) fn yield_to_tasks(self) {
        match self.form {
            Form::Clang => {
                call!(__kmpc_omp_taskyield(
                    &raw const PLAIN => *const ident_t, self.gtid => i32, 0 => c_int) -> i32);
            }
            Form::Gcc => call!(GOMP_taskyield()),
        }
    }

    /// `taskwait depend(...)`.
    pub(crate) fn taskwait_for(self, dependence: Dependence) {
        match self.form {
            Form::Clang => {
                let mut list = [dependence.for_clang()];
                call!(__kmpc_omp_taskwait_deps_51(
                    &raw const PLAIN => *const ident_t,
                    self.gtid => i32,
                    1 => i32,
                    list.as_mut_ptr() => *mut kmp_depend_info_t,
                    0 => i32,
                    ptr::null_mut() => *mut kmp_depend_info_t,
                    0 => i32,
                ));
            }
            Form::Gcc => {
                let mut list = dependence.for_gcc();
                call!(GOMP_taskwait_depend(list.as_mut_ptr() => *mut *mut c_void));
            }
        }
    }

    /// `taskgroup`.
    pub(crate) fn taskgroup(self, body: impl FnOnce()) {
        match self.form {
            Form::Clang => {
                call!(__kmpc_taskgroup(&raw const PLAIN => *const ident_t, self.gtid => i32));
                body();
                call!(__kmpc_end_taskgroup(&raw const PLAIN => *const ident_t, self.gtid => i32));
            }
            Form::Gcc => {
                call!(GOMP_taskgroup_start());
                body();
                call!(GOMP_taskgroup_end());
            }
        }
    }

    /// `taskloop num_tasks(tasks)` over 0..count.
    pub(crate) fn taskloop(self, count: u64, tasks: u64, body: TaskBody) {
        match self.form {
            Form::Clang => {
                let task = self.allocate(Task::default(), body, 0);
                // SAFETY: the task is ours until it is handed over.
                let (low, high) = unsafe {
                    (&raw mut (*task).low).write(0);
                    (&raw mut (*task).high).write(count - 1);
                    (&raw mut (*task).stride).write(1);
                    (&raw mut (*task).low, &raw mut (*task).high)
                };
                call!(__kmpc_taskloop(
                    &raw const PLAIN => *const ident_t,
                    self.gtid => i32,
                    task.cast() => *mut kmp_task_t,
                    1 => i32,
                    low => *mut u64,
                    high => *mut u64,
                    1 => i64,
                    0 => i32,
                    2 => i32,
                    tasks => u64,
                    ptr::null_mut() => *mut c_void,
                ));
            }
            Form::Gcc => {
                let mut data = GccLoop { low: 0, high: 0, body };
                call!(GOMP_taskloop(
                    gcc_loop_entry => gomp_fn,
                    (&raw mut data).cast() => *mut c_void,
                    None => Option<gomp_copy_fn>,
                    size_of::<GccLoop>() as c_long => c_long,
                    align_of::<GccLoop>() as c_long => c_long,
                    gomp_task_flag::IF | gomp_task_flag::UP => c_uint,
                    tasks => c_ulong,
                    0 => c_int,
                    0 => c_long,
                    count as c_long => c_long,
                    1 => c_long,
                ));
            }
        }
    }
}

fn gcc_task(clauses: Task, body: TaskBody, value: usize) -> usize {
    let mut data = GccTask { handle: 0, body, value };
    let mut flags = 0;
    for (is_set, flag) in [
        (clauses.untied, gomp_task_flag::UNTIED),
        (clauses.is_final, gomp_task_flag::FINAL),
        (clauses.mergeable, gomp_task_flag::MERGEABLE),
        (clauses.depend.is_some(), gomp_task_flag::DEPEND),
        (clauses.detach, gomp_task_flag::DETACH),
    ] {
        if is_set {
            flags |= flag;
        }
    }
    let mut list = clauses.depend.map(Dependence::for_gcc);
    let mut handle: usize = 0;
    call!(GOMP_task(
        gcc_entry => gomp_fn,
        (&raw mut data).cast() => *mut c_void,
        None => Option<gomp_copy_fn>,
        size_of_val(&data) as c_long => c_long,
        align_of_val(&data) as c_long => c_long,
        !clauses.undeferred => bool,
        flags => c_uint,
        list.as_mut().map_or(ptr::null_mut(), |list| list.as_mut_ptr()) => *mut *mut c_void,
        0 => c_int,
        (&raw mut handle).cast() => *mut c_void,
    ));
    handle
}

/// `omp_fulfill_event`.
pub(crate) fn fulfill(handle: usize) {
    call!(omp_fulfill_event(handle => usize));
}

impl Dependence {
    fn for_clang(self) -> kmp_depend_info_t {
        let flags = if self.writes { 3 } else { 1 };
        kmp_depend_info_t { base_addr: self.address as isize, len: 8, flags }
    }

    /// The number of items, the number of those that write, the addresses.
    fn for_gcc(self) -> [*mut c_void; 3] {
        let pointer = |value: usize| ptr::without_provenance_mut(value);
        [pointer(1), pointer(self.writes.into()), pointer(self.address)]
    }
}
