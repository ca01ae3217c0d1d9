//! Explicit tasks, taskwait, taskyield and taskgroup (GOMP).

use core::ffi::{c_int, c_long, c_uint, c_void};

use oxomp_core::cancel;
use oxomp_core::task::{self, Clauses, Decided, EventHandle, Properties, Task};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn, gomp_task_flag};

use super::body::Body;
use super::{Dependences, Truth};
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
fn give_event(body: &Body, task: &'static Task, variable: Option<Out<EventHandle>>) {
    let event = task.detach();
    if let Some(variable) = variable {
        variable.set(event);
    }
    if body.has_word() {
        // SAFETY: A8: the data of a task with an event begin with its handle.
        unsafe { task.data().cast::<EventHandle>().write(event) };
    }
}

/// The arguments of a task construct, as gcc's code passes them to `GOMP_task`.
struct Construct<'a> {
    function: gomp_fn,
    data: *mut c_void,
    copy: Option<gomp_copy_fn>,
    bytes: c_long,
    alignment: c_long,
    if_clause: bool,
    flags: c_uint,
    depend: Dependences,
    priority: c_int,
    detach: Option<Out<'a, EventHandle>>,
}

impl Construct<'_> {
    fn has(&self, flag: c_uint) -> bool {
        self.flags & flag != 0
    }

    /// Executes the task, which has neither dependences nor an event, with the data that `copy`
    /// makes, if it runs in place. Returns whether it has been executed.
    ///
    /// # Safety
    /// A8, as for `GOMP_task`.
    #[inline(always)]
    unsafe fn run_copy_in_place(&self, thread: &'static Thread, copy: gomp_copy_fn) -> bool {
        let mut clauses = clauses(self.flags, self.priority);
        clauses.properties |= Properties::NOT_DISCARDED;
        // SAFETY: A8: there are `bytes` bytes of data, which `copy` copies; the task has room.
        let copy = |to| unsafe { copy(to, self.data) };
        let body = self.function as *const c_void;
        let room = (self.bytes as usize, self.alignment as usize);
        task::run_copy_in_place(thread, body, room, copy, (self.if_clause, clauses))
    }

    /// Generates a task with a copy of the data, by the decision that has been made before. Without
    /// one the decision is made when the data are copied: the program's code that copies them may
    /// generate siblings.
    ///
    /// # Safety
    /// A8, as for `GOMP_task`.
    #[inline(never)]
    unsafe fn generate(self, thread: &'static Thread, decided: Option<Decided>, site: CallSite) {
        let has_event = self.has(gomp_task_flag::DETACH);
        let (has_dependences, depend) = (self.has(gomp_task_flag::DEPEND), self.depend);
        if let Some(copy) = self.copy
            && !has_event
        {
            // SAFETY: A8.
            let is_over = cancel::discards_children(thread)
                || !has_dependences && unsafe { self.run_copy_in_place(thread, copy) };
            if is_over {
                return;
            }
        }
        // SAFETY: A8: the function is for these data.
        let body =
            unsafe { Body::new(self.function, self.data, self.copy, self.bytes, self.alignment) };
        let task = body.task(thread, clauses(self.flags, self.priority));
        if has_event {
            give_event(&body, task, self.detach);
        }
        if !self.if_clause {
            task.undefer();
        }
        let read = has_dependences.then_some(|| depend.read());
        match (decided, read) {
            (Some(decided), read) => task::generate_decided(thread, task, decided, read, site),
            (None, Some(read)) => task::generate_dependent(thread, task, read, site),
            (None, None) => task::generate(thread, task, site),
        }
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
        if_clause: Truth,
        flags: c_uint,
        depend: Dependences,
        priority: c_int,
        detach: Option<Out<EventHandle>>,
    ) {
        let site = CallSite::here();
        let (thread, if_clause) = (Thread::current(), if_clause.get());
        let decided = if copy.is_none() {
            let has_dependences = flags & gomp_task_flag::DEPEND != 0;
            let facts = (if_clause, clauses(flags, priority), has_dependences);
            let data = (data, bytes as usize);
            match task::run_in_place(thread, function as *const c_void, data, facts, site) {
                Some(decided) => Some(decided),
                None => return,
            }
        } else {
            None
        };
        // Built only here: a task that runs in place does not need it.
        let construct = Construct {
            function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach,
        };
        // SAFETY: A8 of the arguments.
        unsafe { construct.generate(thread, decided, site) };
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
