//! Explicit tasks, taskwait, taskyield and taskgroup (GOMP).

use core::ffi::{c_int, c_long, c_uint, c_void};

use oxomp_core::cancel;
use oxomp_core::task::{self, Clauses, DependenceList, EventHandle, Properties, Task};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn, gomp_task_flag};

use super::Dependences;
use super::body::Body;
use crate::argument::Out;

/// The clauses in the flags of a task or a taskloop; `priority` is an argument if they say so.
#[inline(always)]
pub(super) fn clauses(flags: c_uint, priority: c_int) -> Clauses {
    let pairs = [
        (gomp_task_flag::UNTIED, Properties::UNTIED),
        (gomp_task_flag::FINAL, Properties::FINAL),
        (gomp_task_flag::MERGEABLE, Properties::MERGEABLE),
        (gomp_task_flag::DETACH, Properties::DETACHABLE),
    ];
    let named = pairs.iter().filter(|(flag, _)| flags & flag != 0);
    let properties = named.fold(Properties::empty(), |all, (_, property)| all | *property);
    let priority = if flags & gomp_task_flag::PRIORITY != 0 { priority } else { 0 };
    Clauses { properties, priority }
}

/// Gives the handle of the task's event to the program: in its variable, and in the task's data,
/// which begin with a copy of that.
fn give_event(body: Body, task: &'static Task, variable: Option<Out<EventHandle>>) {
    let event = task.detach();
    if let Some(variable) = variable {
        variable.set(event);
    }
    if body.has_word() {
        // SAFETY: A8: the data of a task with an event begin with its handle.
        unsafe { task.data().cast::<EventHandle>().write(event) };
    }
}

/// Generates a task with data that code of the program copies. The copies are made first, since
/// that code may generate siblings.
#[cold]
#[inline(never)]
fn generate_copied(
    thread: &'static Thread,
    body: Body,
    if_clause: bool,
    clauses: Clauses,
    name_event: impl FnOnce(&'static Task),
    read: Option<impl FnOnce() -> DependenceList>,
    site: CallSite,
) {
    let task = body.task(thread, clauses);
    name_event(task);
    if !if_clause {
        task.undefer();
    }
    match read {
        Some(read) => task::generate_dependent(thread, task, read, site),
        None => task::generate(thread, task, site),
    }
}

entry! {
    /// `void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    /// long arg_size, long arg_align, bool if_clause, unsigned flags, void **depend, int priority,
    /// void *detach)`: the arguments after the flags are there if the flags say so.
    ///
    /// # Safety
    /// A8: the outlined `function` takes a copy of the `bytes` of data, made by `copy` if there is
    /// one.
    pub unsafe fn GOMP_task(
        function: gomp_fn,
        data: *mut c_void,
        copy: Option<gomp_copy_fn>,
        bytes: c_long,
        alignment: c_long,
        if_clause: bool,
        flags: c_uint,
        depend: Dependences,
        priority: c_int,
        detach: Option<Out<EventHandle>>,
    ) {
        let site = CallSite::here();
        let thread = Thread::current();
        let clauses = clauses(flags, priority);
        // SAFETY: A8: the function is for these data.
        let body = unsafe { Body::new(function, data, copy, bytes, alignment) };
        let has_event = flags & gomp_task_flag::DETACH != 0;
        let read = (flags & gomp_task_flag::DEPEND != 0).then_some(move || depend.read());
        let name_event = move |task| {
            if has_event {
                give_event(body, task, detach);
            }
        };
        if copy.is_some() {
            if has_event || !cancel::discards_children(thread) {
                generate_copied(thread, body, if_clause, clauses, name_event, read, site);
            }
            return;
        }
        let fill = move |task| {
            body.fill(task);
            name_event(task);
        };
        task::generate_in_place(thread, body.in_place(), if_clause, clauses, fill, read, site);
    }

    /// `void GOMP_taskwait(void)`
    pub fn GOMP_taskwait() {
        task::taskwait(Thread::current(), CallSite::here());
    }

    /// `void GOMP_taskwait_depend(void **depend)`
    pub fn GOMP_taskwait_depend(depend: Dependences) {
        task::taskwait_depend(Thread::current(), depend.read(), false, CallSite::here());
    }

    /// `void GOMP_taskwait_depend_nowait(void **depend)`
    pub fn GOMP_taskwait_depend_nowait(depend: Dependences) {
        task::taskwait_depend(Thread::current(), depend.read(), true, CallSite::here());
    }

    /// `void GOMP_taskyield(void)`
    pub fn GOMP_taskyield() {
        task::taskyield(Thread::current(), CallSite::here());
    }

    /// `void GOMP_taskgroup_start(void)`
    pub fn GOMP_taskgroup_start() {
        task::begin_taskgroup(Thread::current(), CallSite::here());
    }

    /// `void GOMP_taskgroup_end(void)`
    pub fn GOMP_taskgroup_end() {
        task::end_taskgroup(Thread::current(), CallSite::here());
    }
}
