//! Every question that a debugger can ask, of all that it can reach from the address space.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use oxomp_sys::ompd::{
    ompd_parallel_handle_t, ompd_rc_t, ompd_scope_t, ompd_task_handle_t, ompd_thread_handle_t,
};

use super::api::{
    ompd_enumerate_icvs, ompd_enumerate_states, ompd_get_curr_parallel_handle,
    ompd_get_curr_task_handle, ompd_get_device_from_thread, ompd_get_display_control_vars,
    ompd_get_enclosing_parallel_handle, ompd_get_generating_task_handle, ompd_get_icv_from_scope,
    ompd_get_icv_string_from_scope, ompd_get_omp_version, ompd_get_omp_version_string,
    ompd_get_scheduling_task_handle, ompd_get_state, ompd_get_task_frame, ompd_get_task_function,
    ompd_get_task_in_parallel, ompd_get_task_parallel_handle, ompd_get_thread_handle,
    ompd_get_thread_id, ompd_get_thread_in_parallel, ompd_get_tool_data,
    ompd_parallel_handle_compare, ompd_rel_address_space_handle, ompd_rel_display_control_vars,
    ompd_rel_parallel_handle, ompd_rel_task_handle, ompd_rel_thread_handle,
    ompd_task_handle_compare, ompd_thread_handle_compare,
};
use super::debugger::{Debugger, ask, scopes, take};
use super::program::{IDLE, PRIMARY, SECOND};

/// Steps along a relation.
const DEPTH: usize = 4;

/// The answers that the library has given.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers(pub(crate) Vec<ompd_rc_t>);

impl Answers {
    /// Notes the answer, and returns the result.
    fn note<T>(&mut self, answer: Result<T, ompd_rc_t>) -> Option<T> {
        self.0.push(answer.as_ref().err().copied().unwrap_or(ompd_rc_t::OK));
        answer.ok()
    }

    fn ask<T>(&mut self, call: impl FnOnce(*mut T) -> ompd_rc_t) -> Option<T> {
        let answer = ask(call);
        self.note(answer)
    }

    /// What has a value in scopes: variables and the tool's word.
    fn scoped(&mut self, handle: *mut c_void) {
        for scope in scopes() {
            for id in 0..=50 {
                let number = |place| ompd_get_icv_from_scope(handle, scope, id, place);
                self.ask(number);
                let text = |place| ompd_get_icv_string_from_scope(handle, scope, id, place);
                if let Some(text) = self.ask(text) {
                    take(text);
                }
            }
            let mut pointer = MaybeUninit::uninit();
            self.ask(|place| ompd_get_tool_data(handle, scope, place, pointer.as_mut_ptr()));
        }
    }

    fn space(&mut self, debugger: &Debugger) {
        let space = debugger.space;
        self.scoped(space.cast());
        self.ask(|place| ompd_get_omp_version(space, place));
        if let Some(text) = self.ask(|place| ompd_get_omp_version_string(space, place)) {
            take(text);
        }
        let vars = self.ask(|place| ompd_get_display_control_vars(space, place));
        if let Some(mut vars) = vars {
            self.ask(|_: *mut ()| ompd_rel_display_control_vars(&raw mut vars));
        }
        let (mut name, mut scope) = (MaybeUninit::uninit(), MaybeUninit::<ompd_scope_t>::uninit());
        let (mut more, mut left) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let (name, scope) = (name.as_mut_ptr(), scope.as_mut_ptr());
        let icvs = |place| ompd_enumerate_icvs(space, 0, place, name, scope, more.as_mut_ptr());
        if self.ask(icvs).is_some() {
            // SAFETY: the library has written the name.
            take(unsafe { *name });
        }
        let states = |place| ompd_enumerate_states(space, 0x102, place, name, left.as_mut_ptr());
        if self.ask(states).is_some() {
            // SAFETY: the library has written the name.
            take(unsafe { *name });
        }
    }

    fn thread(&mut self, thread: *mut ompd_thread_handle_t) {
        self.scoped(thread.cast());
        let mut wait_id = MaybeUninit::uninit();
        self.ask(|place| ompd_get_state(thread, place, wait_id.as_mut_ptr()));
        self.ask(|place: *mut u64| ompd_get_thread_id(thread, 0, 8, place.cast()));
        self.ask(|place: *mut u32| ompd_get_thread_id(thread, 1, 4, place.cast()));
        self.ask(|place| ompd_thread_handle_compare(thread, thread, place));
        let device = self.ask(|place| ompd_get_device_from_thread(thread, place));
        if let Some(device) = device {
            self.ask(|_: *mut ()| ompd_rel_address_space_handle(device));
        }
        let region = self.ask(|place| ompd_get_curr_parallel_handle(thread, place));
        if let Some(region) = region {
            self.region(region, DEPTH);
        }
        let task = self.ask(|place| ompd_get_curr_task_handle(thread, place));
        if let Some(task) = task {
            self.task(task, DEPTH);
        }
        self.ask(|_: *mut ()| ompd_rel_thread_handle(thread));
    }

    fn region(&mut self, region: *mut ompd_parallel_handle_t, depth: usize) {
        self.scoped(region.cast());
        self.ask(|place| ompd_parallel_handle_compare(region, region, place));
        for number in -1..=2 {
            let thread = self.ask(|place| ompd_get_thread_in_parallel(region, number, place));
            if let Some(thread) = thread {
                self.ask(|_: *mut ()| ompd_rel_thread_handle(thread));
            }
            let task = self.ask(|place| ompd_get_task_in_parallel(region, number, place));
            if let Some(task) = task {
                self.ask(|_: *mut ()| ompd_rel_task_handle(task));
            }
        }
        let around = |place| ompd_get_enclosing_parallel_handle(region, place);
        if let Some(around) = self.ask(around) {
            match depth.checked_sub(1) {
                Some(depth) => self.region(around, depth),
                None => _ = self.ask(|_: *mut ()| ompd_rel_parallel_handle(around)),
            }
        }
        self.ask(|_: *mut ()| ompd_rel_parallel_handle(region));
    }

    fn task(&mut self, task: *mut ompd_task_handle_t, depth: usize) {
        self.scoped(task.cast());
        self.ask(|place| ompd_task_handle_compare(task, task, place));
        self.ask(|place| ompd_get_task_function(task, place));
        let mut enter = MaybeUninit::uninit();
        self.ask(|place| ompd_get_task_frame(task, place, enter.as_mut_ptr()));
        let region = self.ask(|place| ompd_get_task_parallel_handle(task, place));
        if let Some(region) = region {
            self.ask(|_: *mut ()| ompd_rel_parallel_handle(region));
        }
        let relations = [ompd_get_generating_task_handle, ompd_get_scheduling_task_handle];
        for (step, relation) in relations.into_iter().enumerate() {
            let Some(other) = self.ask(|place| relation(task, place)) else { continue };
            match depth.checked_sub(1) {
                // Only along one relation: both would branch.
                Some(depth) if step == 0 => self.task(other, depth),
                _ => _ = self.ask(|_: *mut ()| ompd_rel_task_handle(other)),
            }
        }
        self.ask(|_: *mut ()| ompd_rel_task_handle(task));
    }
}

/// Asks everything, and releases everything.
pub(crate) fn ask_everything(debugger: &Debugger) -> Answers {
    let mut answers = Answers::default();
    answers.space(debugger);
    for lwp in [PRIMARY, SECOND, IDLE] {
        let id = (&raw const lwp).cast();
        let thread = answers.ask(|place| ompd_get_thread_handle(debugger.space, 1, 8, id, place));
        if let Some(thread) = thread {
            answers.thread(thread);
        }
    }
    answers
}
