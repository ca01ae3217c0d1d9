//! The callbacks with which threads, regions and tasks begin and end, and the callback for the
//! program's `omp_control_tool`.
//!
//! A tool with data of its own listens to these events whether it has asked for them or not: its
//! model makes and ends the data, and the slot says which of the tool's methods are called.

use core::ffi::{c_int, c_uint, c_void};

use oxomp_sys::ompt::{
    ompt_cancel_flag_t, ompt_data_t, ompt_frame_t, ompt_parallel_flag_t, ompt_scope_endpoint_t,
    ompt_task_flag_t, ompt_task_status_t, ompt_thread_t,
};

use super::host::{
    Cancel, ControlTool, ImplicitTask, ParallelBegin, ParallelEnd, TaskCreate, TaskSchedule,
    ThreadBegin, ThreadEnd,
};
use crate::data::hooks::Hooks;
use crate::{
    CancelFlags, CodePtr, ControlResult, Endpoint, Event, Frame, Model, Registered, TaskStatus,
    Tool,
};

/// The words of a tool, read as its model demands.
type Words<T> = <T as Tool>::Model;

/// Whether the tool's method for an event is called: always, unless the model listens too. Callers
/// ask after the model has made its data, for the tool may have ended itself while it made them.
#[inline]
fn is_called<T: Registered>(event: Event) -> bool {
    !Words::<T>::LIFECYCLE.contains(event) || T::slot().gate().is_listening(event)
}

/// Whether data that end now stay, because the calling thread finalizes the tool, or the tool has
/// ended in the event's method.
#[inline]
fn keep<T: Registered>() -> bool {
    let gate = T::slot().gate();
    !gate.is_open() || gate.is_finalizing_here()
}

pub(super) unsafe extern "C" fn thread_begin<T: Registered>(
    kind: ompt_thread_t,
    thread: *mut ompt_data_t,
) {
    let Some(tool) = T::slot().tool() else { return };
    let mut event = ThreadBegin { kind: kind.into(), thread: None };
    // SAFETY: the runtime passes the calling thread's word.
    unsafe {
        Words::<T>::begin_thread(tool, &event, thread);
        event.thread = Words::<T>::thread(thread);
    }
    if is_called::<T>(Event::THREAD_BEGIN) {
        tool.thread_begin(&event);
    }
}

pub(super) unsafe extern "C" fn thread_end<T: Registered>(thread: *mut ompt_data_t) {
    let Some(tool) = T::slot().tool() else { return };
    if is_called::<T>(Event::THREAD_END) {
        // SAFETY: the runtime passes the calling thread's word.
        tool.thread_end(&ThreadEnd { thread: unsafe { Words::<T>::own_thread(thread) } });
    }
    // SAFETY: the runtime passes the word, and the event is gone.
    unsafe { Words::<T>::end_thread(tool, thread, keep::<T>()) };
}

pub(super) unsafe extern "C" fn parallel_begin<T: Registered>(
    encountering_task: *mut ompt_data_t,
    encountering_frame: *const ompt_frame_t,
    parallel: *mut ompt_data_t,
    requested_parallelism: c_uint,
    flags: ompt_parallel_flag_t,
    codeptr_ra: *const c_void,
) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the encountering task's word and frame, and the region's word.
    unsafe {
        let mut event = ParallelBegin {
            encountering_task: Words::<T>::task(encountering_task),
            encountering_frame: Frame::from_raw(encountering_frame),
            parallel: None,
            requested_parallelism,
            flags,
            codeptr_ra: CodePtr::new(codeptr_ra),
        };
        Words::<T>::begin_region(tool, &event, parallel);
        if is_called::<T>(Event::PARALLEL_BEGIN) {
            event.parallel = Words::<T>::region(parallel);
            tool.parallel_begin(&event);
        }
    }
}

pub(super) unsafe extern "C" fn parallel_end<T: Registered>(
    parallel: *mut ompt_data_t,
    encountering_task: *mut ompt_data_t,
    flags: ompt_parallel_flag_t,
    codeptr_ra: *const c_void,
) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the region's word and the encountering task's; the event is gone
    // when the region's data are released.
    unsafe {
        if is_called::<T>(Event::PARALLEL_END) {
            tool.parallel_end(&ParallelEnd {
                parallel: Words::<T>::region(parallel),
                encountering_task: Words::<T>::task(encountering_task),
                flags,
                codeptr_ra: CodePtr::new(codeptr_ra),
            });
        }
        Words::<T>::end_region(tool, parallel, keep::<T>());
    }
}

pub(super) unsafe extern "C" fn implicit_task<T: Registered>(
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    actual_parallelism: c_uint,
    index: c_uint,
    flags: ompt_task_flag_t,
) {
    let Some(tool) = T::slot().tool() else { return };
    let endpoint = Endpoint::from(endpoint);
    let begins = endpoint == Endpoint::Begin;
    let mut event =
        ImplicitTask { endpoint, parallel: None, task: None, actual_parallelism, index, flags };
    // SAFETY: the runtime passes the task's word, and at the begin that of its region; the event is
    // gone when the task's data end.
    unsafe {
        if begins {
            Words::<T>::begin_implicit_task(tool, &event, parallel, task);
        }
        if is_called::<T>(Event::IMPLICIT_TASK) {
            event.parallel = Words::<T>::region_around(parallel, task);
            event.task = Words::<T>::task(task);
            tool.implicit_task(&event);
        }
        if !begins {
            Words::<T>::end_task(tool, task, keep::<T>());
        }
    }
}

pub(super) unsafe extern "C" fn task_create<T: Registered>(
    encountering_task: *mut ompt_data_t,
    encountering_frame: *const ompt_frame_t,
    task: *mut ompt_data_t,
    flags: ompt_task_flag_t,
    has_dependences: c_int,
    codeptr_ra: *const c_void,
) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the encountering task's word and frame, and the new task's word.
    unsafe {
        let mut event = TaskCreate {
            encountering_task: Words::<T>::task(encountering_task),
            encountering_frame: Frame::from_raw(encountering_frame),
            task: None,
            flags,
            has_dependences: has_dependences != 0,
            codeptr_ra: CodePtr::new(codeptr_ra),
        };
        Words::<T>::create_task(tool, &event, encountering_task, task);
        if is_called::<T>(Event::TASK_CREATE) {
            event.task = Words::<T>::task(task);
            tool.task_create(&event);
        }
    }
}

pub(super) unsafe extern "C" fn task_schedule<T: Registered>(
    prior: *mut ompt_data_t,
    status: ompt_task_status_t,
    next: *mut ompt_data_t,
) {
    let Some(tool) = T::slot().tool() else { return };
    let status = TaskStatus::from(status);
    let is_fulfilled = status == TaskStatus::LateFulfill;
    // SAFETY: the runtime passes the tasks' words; the event is gone when the data of the prior
    // task end.
    unsafe {
        let detached = match status {
            TaskStatus::Detach | TaskStatus::LateFulfill => {
                Words::<T>::detached_task(prior, is_fulfilled)
            }
            _ => core::ptr::null(),
        };
        if is_called::<T>(Event::TASK_SCHEDULE) {
            tool.task_schedule(&TaskSchedule {
                prior: Words::<T>::prior(prior, status),
                status,
                next: Words::<T>::task(next),
            });
        }
        match status {
            TaskStatus::Complete | TaskStatus::Cancel | TaskStatus::TaskwaitComplete => {
                Words::<T>::end_task(tool, prior, keep::<T>());
            }
            TaskStatus::Detach | TaskStatus::LateFulfill => {
                Words::<T>::end_detached_task(tool, detached, keep::<T>());
            }
            _ => {}
        }
    }
}

pub(super) unsafe extern "C" fn cancel<T: Registered>(
    task: *mut ompt_data_t,
    flags: ompt_cancel_flag_t,
    codeptr_ra: *const c_void,
) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the word of the calling task, or of one that it discards.
    unsafe {
        if is_called::<T>(Event::CANCEL) {
            let task = Words::<T>::task(task);
            tool.cancel(&Cancel { task, flags, codeptr_ra: CodePtr::new(codeptr_ra) });
        }
        if flags.contains(CancelFlags::DISCARDED_TASK) {
            Words::<T>::end_task(tool, task, keep::<T>());
        }
    }
}

/// The callback for the program's call, the only callback with an answer.
pub(super) unsafe extern "C" fn control_tool<T: Registered>(
    command: u64,
    modifier: u64,
    arg: *mut c_void,
    codeptr_ra: *const c_void,
) -> c_int {
    let Some(tool) = T::slot().tool() else { return ControlResult::IGNORED.0 };
    let event = ControlTool { command, modifier, arg, codeptr_ra: CodePtr::new(codeptr_ra) };
    tool.control_tool(&event).0
}
