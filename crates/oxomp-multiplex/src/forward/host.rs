//! Events with which objects of the host begin and end (OpenMP 5.2 §19.5.2), and the program's call
//! of `omp_control_tool`, which wants one answer.
//!
//! The functions have the signatures and conditions that OpenMP gives callbacks: each is called by
//! the runtime, with arguments of its event.
#![allow(clippy::missing_safety_doc, reason = "one condition for all: the module's text")]

use std::ffi::{c_int, c_uint, c_void};
use std::mem::transmute;

use ompt::raw::c::{
    ompt_callback_cancel_t, ompt_callback_control_tool_t, ompt_callback_implicit_task_t,
    ompt_callback_parallel_begin_t, ompt_callback_parallel_end_t, ompt_callback_task_create_t,
    ompt_callback_task_schedule_t, ompt_callback_thread_begin_t, ompt_callback_thread_end_t,
    ompt_callbacks_t, ompt_cancel_flag_t, ompt_data_t, ompt_frame_t, ompt_parallel_flag_t,
    ompt_scope_endpoint_t, ompt_task_flag_t, ompt_task_status_t, ompt_thread_t,
};

use super::each::{each, order_of, word};
use crate::arena::Id;
use crate::running::Running;
use crate::tools::{self, Order};
use crate::words::{ARENA, end_block};

pub(super) unsafe extern "C" fn thread_begin(kind: ompt_thread_t, thread: *mut ompt_data_t) {
    let _running = Running::enter();
    // SAFETY: an argument of this callback.
    let thread = unsafe { word(thread) }.begin();
    each!(THREAD_BEGIN: ompt_callback_thread_begin_t, Order::List,
        tool => (kind, thread.of(tool)));
}

pub(super) unsafe extern "C" fn thread_end(thread: *mut ompt_data_t) {
    let _running = Running::enter();
    // SAFETY: an argument of this callback.
    let word = unsafe { word(thread) };
    let thread = word.find();
    each!(THREAD_END: ompt_callback_thread_end_t, Order::Reverse, tool => (thread.of(tool)));
    word.end();
}

pub(super) unsafe extern "C" fn parallel_begin(
    encountering: *mut ompt_data_t,
    frame: *const ompt_frame_t,
    parallel: *mut ompt_data_t,
    requested_parallelism: c_uint,
    flags: ompt_parallel_flag_t,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (task, parallel) = unsafe { (word(encountering).find(), word(parallel).begin()) };
    each!(PARALLEL_BEGIN: ompt_callback_parallel_begin_t, Order::List, tool => (
        task.of(tool), frame, parallel.of(tool), requested_parallelism, flags, codeptr_ra,
    ));
}

pub(super) unsafe extern "C" fn parallel_end(
    parallel: *mut ompt_data_t,
    encountering: *mut ompt_data_t,
    flags: ompt_parallel_flag_t,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (task, word) = unsafe { (word(encountering).find(), word(parallel)) };
    let parallel = word.find();
    each!(PARALLEL_END: ompt_callback_parallel_end_t, Order::Reverse, tool => (
        parallel.of(tool), task.of(tool), flags, codeptr_ra,
    ));
    word.end();
}

pub(super) unsafe extern "C" fn task_create(
    encountering: *mut ompt_data_t,
    frame: *const ompt_frame_t,
    task: *mut ompt_data_t,
    flags: ompt_task_flag_t,
    has_dependences: c_int,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (encountering, task) = unsafe { (word(encountering).find(), word(task).begin()) };
    each!(TASK_CREATE: ompt_callback_task_create_t, Order::List, tool => (
        encountering.of(tool), frame, task.of(tool), flags, has_dependences, codeptr_ra,
    ));
}

pub(super) unsafe extern "C" fn task_schedule(
    prior: *mut ompt_data_t,
    status: ompt_task_status_t,
    next: *mut ompt_data_t,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (word, next) = unsafe { (word(prior), word(next).find()) };
    let prior = word.find();
    each!(TASK_SCHEDULE: ompt_callback_task_schedule_t, Order::List, tool => (
        prior.of(tool), status, next.of(tool),
    ));
    // A task whose code is over while its detach event is not fulfilled ends with the fulfilment.
    if matches!(
        status,
        ompt_task_status_t::COMPLETE
            | ompt_task_status_t::CANCEL
            | ompt_task_status_t::LATE_FULFILL
            | ompt_task_status_t::TASKWAIT_COMPLETE
    ) {
        word.end();
    }
}

pub(super) unsafe extern "C" fn implicit_task(
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    actual_parallelism: c_uint,
    index: c_uint,
    flags: ompt_task_flag_t,
) {
    let _running = Running::enter();
    // SAFETY: arguments of this callback.
    let (region, word) = unsafe { (word(parallel), word(task)) };
    if endpoint == ompt_scope_endpoint_t::BEGIN {
        // The implicit region of an initial task outside teams has no begin of its own, nor an end
        // (OpenMP 6.0 §14.13): the task's events are its events.
        let is_outermost =
            flags.0 & ompt_task_flag_t::INITIAL.0 != 0 && actual_parallelism == 1 && index == 1;
        if let Some(Some(block)) = word.begin_block()
            && is_outermost
            && let Some(Some(region)) = region.begin_block()
        {
            block.set_link(region.id().value());
        }
    }
    let (parallel, task) = (region.find(), word.find());
    each!(IMPLICIT_TASK: ompt_callback_implicit_task_t, order_of(endpoint), tool => (
        endpoint, parallel.of(tool), task.of(tool), actual_parallelism, index, flags,
    ));
    if endpoint == ompt_scope_endpoint_t::END
        && let Some(block) = word.block()
    {
        if let Some(region) = ARENA.get(Id::from_value(block.link())) {
            end_block(region);
        }
        end_block(block);
    }
}

pub(super) unsafe extern "C" fn cancel(
    task: *mut ompt_data_t,
    flags: ompt_cancel_flag_t,
    codeptr_ra: *const c_void,
) {
    let _running = Running::enter();
    // SAFETY: an argument of this callback.
    let word = unsafe { word(task) };
    let task = word.find();
    each!(CANCEL: ompt_callback_cancel_t, Order::List, tool => (task.of(tool), flags, codeptr_ra));
    // The last event of a task that never runs.
    if flags.0 & ompt_cancel_flag_t::DISCARDED_TASK.0 != 0 {
        word.end();
    }
}

/// `omp_control_tool`: the program gets one result for all tools, by the rule of [`combined`].
pub(super) unsafe extern "C" fn control_tool(
    command: u64,
    modifier: u64,
    argument: *mut c_void,
    codeptr_ra: *const c_void,
) -> c_int {
    let _running = Running::enter();
    let mut result = None;
    tools::each(ompt_callbacks_t::CONTROL_TOOL, Order::List, |_, callback| {
        // SAFETY: as in `each!`; program and tools agree on the use of the argument.
        let one = unsafe {
            let callback = transmute::<*mut (), ompt_callback_control_tool_t>(callback);
            callback(command, modifier, argument, codeptr_ra)
        };
        result = Some(result.map_or(one, |result| combined(result, one)));
    });
    result.unwrap_or(NO_CALLBACK)
}

const NO_CALLBACK: c_int = -1;
const SUCCESS: c_int = 0;
const IGNORED: c_int = 1;

/// Combines the result of the tools earlier in the list with the result of the next tool. It is the
/// first result that only its tool can interpret; otherwise success, if any tool succeeded;
/// otherwise the result that all ignored the command.
fn combined(result: c_int, next: c_int) -> c_int {
    match (result, next) {
        (SUCCESS, SUCCESS | IGNORED) | (IGNORED, SUCCESS) => SUCCESS,
        (SUCCESS | IGNORED, next) => next,
        (result, _) => result,
    }
}

#[cfg(test)]
mod tests {
    use super::combined;

    #[test]
    fn control_results_combine() {
        let all = |results: &[i32]| results.iter().copied().reduce(combined);
        assert_eq!(all(&[1, 1]), Some(1));
        assert_eq!(all(&[1, 0, 1]), Some(0));
        assert_eq!(all(&[0, 1]), Some(0));
        assert_eq!(all(&[1, 0, 64, 65]), Some(64));
        assert_eq!(all(&[77, 0]), Some(77));
        assert_eq!(all(&[0, -5, 1]), Some(-5));
    }
}
