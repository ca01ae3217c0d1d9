//! Explicit tasks, taskwait, taskyield and taskgroup (GOMP).

use core::ffi::{c_int, c_long, c_uint, c_void};

use oxomp_core::task::{self, Clauses, Task, property};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn, gomp_task_flag};

use super::dependences;

/// A task's function and the data that it gets a copy of.
pub(super) struct Body {
    pub(super) function: gomp_fn,
    pub(super) data: *mut c_void,
    pub(super) copy: Option<gomp_copy_fn>,
    pub(super) bytes: usize,
    pub(super) alignment: usize,
}

impl Body {
    /// A new task with a copy of the data.
    ///
    /// # Safety
    /// The data is what the function and `copy` expect.
    pub(super) unsafe fn task(&self, thread: &'static Thread, clauses: Clauses) -> &'static Task {
        let alignment = self.alignment.max(1);
        // What is aligned further than any block finds its place in a larger one.
        let room = if alignment > task::ALIGNMENT { self.bytes + alignment } else { self.bytes };
        let shift = alignment.trailing_zeros() << property::ALIGNMENT_SHIFT;
        let clauses = Clauses { properties: clauses.properties | shift, ..clauses };
        let task = task::allocate(thread, room, self.function as *const c_void, clauses);
        // SAFETY: by contract; the task has as much room.
        unsafe {
            match self.copy {
                Some(copy) => copy(task.data(), self.data),
                None => task.data().cast::<u8>().copy_from(self.data.cast(), self.bytes),
            }
        }
        task
    }
}

/// What the flags of a task or a taskloop mean; `priority` is there if they say so.
#[inline(always)]
pub(super) fn clauses(flags: c_uint, priority: c_int) -> Clauses {
    let pairs = [
        (gomp_task_flag::UNTIED, property::UNTIED),
        (gomp_task_flag::FINAL, property::FINAL),
        (gomp_task_flag::MERGEABLE, property::MERGEABLE),
        (gomp_task_flag::DETACH, property::DETACHABLE),
    ];
    let named = pairs.iter().filter(|(flag, _)| flags & flag != 0);
    let properties = named.fold(0, |all, (_, property)| all | property);
    let priority = if flags & gomp_task_flag::PRIORITY != 0 { priority } else { 0 };
    Clauses { properties, priority }
}

entry! {
    /// `void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    /// long arg_size, long arg_align, bool if_clause, unsigned flags, void **depend, int priority,
    /// void *detach)`: the arguments after the flags are there if the flags say so.
    ///
    /// # Safety
    /// gcc's outlined `function` takes `data`, or a copy of so many bytes made by `copy`.
    pub unsafe fn GOMP_task(
        function: gomp_fn,
        data: *mut c_void,
        copy: Option<gomp_copy_fn>,
        bytes: c_long,
        alignment: c_long,
        if_clause: bool,
        flags: c_uint,
        depend: *const *const c_void,
        priority: c_int,
        detach: *mut *const c_void,
    ) {
        let site = CallSite::here();
        let thread = Thread::current();
        let clauses = clauses(flags, priority);
        let is_alone = match flags & (gomp_task_flag::DEPEND | gomp_task_flag::DETACH) {
            0 => true,
            gomp_task_flag::DEPEND => task::needs_no_order(thread),
            _ => false,
        };
        let at_once = !if_clause || task::runs_at_once(thread, priority);
        if at_once && copy.is_none() && is_alone {
            return task::included(thread, function as *const c_void, data, clauses, site);
        }
        let (bytes, alignment) = (bytes as usize, alignment as usize);
        let body = Body { function, data, copy, bytes, alignment };
        // SAFETY: by contract.
        unsafe {
            let task = body.task(thread, clauses);
            if flags & gomp_task_flag::DETACH != 0 {
                let event = core::ptr::from_ref(task.detach()).cast::<c_void>();
                *detach = event;
                if bytes >= size_of::<usize>() {
                    task.data().cast::<*const c_void>().write(event);
                }
            }
            if !if_clause {
                task.undefer();
            }
            if flags & gomp_task_flag::DEPEND != 0 {
                task::generate_dependent(thread, task, || dependences::read(depend), site);
            } else {
                task::generate(thread, task, site);
            }
        }
    }

    /// `void GOMP_taskwait(void)`
    pub fn GOMP_taskwait() {
        task::taskwait(Thread::current(), CallSite::here());
    }

    /// `void GOMP_taskwait_depend(void **depend)`
    ///
    /// # Safety
    /// `depend` is an array of dependences.
    pub unsafe fn GOMP_taskwait_depend(depend: *const *const c_void) {
        // SAFETY: by contract.
        let mut list = unsafe { dependences::read(depend) };
        task::taskwait_depend(Thread::current(), &mut list, false, CallSite::here());
    }

    /// `void GOMP_taskwait_depend_nowait(void **depend)`
    ///
    /// # Safety
    /// `depend` is an array of dependences.
    pub unsafe fn GOMP_taskwait_depend_nowait(depend: *const *const c_void) {
        // SAFETY: by contract.
        let mut list = unsafe { dependences::read(depend) };
        task::taskwait_depend(Thread::current(), &mut list, true, CallSite::here());
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
