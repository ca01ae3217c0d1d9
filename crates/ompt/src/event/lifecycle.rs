//! The callbacks with which threads, regions and tasks begin and end, and the callback for the
//! program's `omp_control_tool`.
//!
//! A tool with data of its own listens to these events whether it has asked for them or not: its
//! model makes and ends the data, and the slot says which of the tool's methods are called.
//!
//! The runtime calls each callback with the arguments of its event.

use core::ffi::c_int;

use super::arguments;
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

#[inline]
pub(super) unsafe fn thread_begin<T: Registered>(c: arguments::ompt_callback_thread_begin_t) {
    let Some(tool) = T::slot().tool() else { return };
    let mut event = ThreadBegin { kind: c.thread_type.into(), thread: None };
    // SAFETY: the runtime passes the calling thread's word.
    unsafe {
        Words::<T>::begin_thread(tool, &event, c.thread_data);
        event.thread = Words::<T>::thread(c.thread_data);
    }
    if is_called::<T>(Event::THREAD_BEGIN) {
        tool.thread_begin(&event);
    }
}

#[inline]
pub(super) unsafe fn thread_end<T: Registered>(c: arguments::ompt_callback_thread_end_t) {
    let Some(tool) = T::slot().tool() else { return };
    if is_called::<T>(Event::THREAD_END) {
        // SAFETY: the runtime passes the calling thread's word.
        tool.thread_end(&ThreadEnd { thread: unsafe { Words::<T>::own_thread(c.thread_data) } });
    }
    // SAFETY: the runtime passes the word, and the event is gone.
    unsafe { Words::<T>::end_thread(tool, c.thread_data, keep::<T>()) };
}

#[inline]
pub(super) unsafe fn parallel_begin<T: Registered>(c: arguments::ompt_callback_parallel_begin_t) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the encountering task's word and frame, and the region's word.
    unsafe {
        let mut event = ParallelBegin {
            encountering_task: Words::<T>::task(c.encountering_task_data),
            encountering_frame: Frame::from_raw(c.encountering_task_frame),
            parallel: None,
            requested_parallelism: c.requested_parallelism,
            flags: c.flags,
            codeptr_ra: CodePtr::new(c.codeptr_ra),
        };
        Words::<T>::begin_region(tool, &event, c.parallel_data);
        if is_called::<T>(Event::PARALLEL_BEGIN) {
            event.parallel = Words::<T>::region(c.parallel_data);
            tool.parallel_begin(&event);
        }
    }
}

#[inline]
pub(super) unsafe fn parallel_end<T: Registered>(c: arguments::ompt_callback_parallel_end_t) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the region's word and the encountering task's; the event is gone
    // when the region's data are released.
    unsafe {
        if is_called::<T>(Event::PARALLEL_END) {
            tool.parallel_end(&ParallelEnd {
                parallel: Words::<T>::region(c.parallel_data),
                encountering_task: Words::<T>::task(c.encountering_task_data),
                flags: c.flags,
                codeptr_ra: CodePtr::new(c.codeptr_ra),
            });
        }
        Words::<T>::end_region(tool, c.parallel_data, keep::<T>());
    }
}

#[inline]
pub(super) unsafe fn implicit_task<T: Registered>(c: arguments::ompt_callback_implicit_task_t) {
    let Some(tool) = T::slot().tool() else { return };
    let endpoint = Endpoint::from(c.endpoint);
    let begins = endpoint == Endpoint::Begin;
    let mut event = ImplicitTask {
        endpoint,
        parallel: None,
        task: None,
        actual_parallelism: c.actual_parallelism,
        index: c.index,
        flags: c.flags,
    };
    // SAFETY: the runtime passes the task's word, and at the begin that of its region; the event is
    // gone when the task's data end.
    unsafe {
        if begins {
            Words::<T>::begin_implicit_task(tool, &event, c.parallel_data, c.task_data);
        }
        if is_called::<T>(Event::IMPLICIT_TASK) {
            event.parallel = Words::<T>::region_around(c.parallel_data, c.task_data);
            event.task = Words::<T>::task(c.task_data);
            tool.implicit_task(&event);
        }
        if !begins {
            Words::<T>::end_task(tool, c.task_data, keep::<T>());
        }
    }
}

#[inline]
pub(super) unsafe fn task_create<T: Registered>(c: arguments::ompt_callback_task_create_t) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the encountering task's word and frame, and the new task's word.
    unsafe {
        let mut event = TaskCreate {
            encountering_task: Words::<T>::task(c.encountering_task_data),
            encountering_frame: Frame::from_raw(c.encountering_task_frame),
            task: None,
            flags: c.flags,
            has_dependences: c.has_dependences != 0,
            codeptr_ra: CodePtr::new(c.codeptr_ra),
        };
        Words::<T>::create_task(tool, &event, c.encountering_task_data, c.new_task_data);
        if is_called::<T>(Event::TASK_CREATE) {
            event.task = Words::<T>::task(c.new_task_data);
            tool.task_create(&event);
        }
    }
}

#[inline]
pub(super) unsafe fn task_schedule<T: Registered>(c: arguments::ompt_callback_task_schedule_t) {
    let Some(tool) = T::slot().tool() else { return };
    let status = TaskStatus::from(c.prior_task_status);
    let is_fulfilled = status == TaskStatus::LateFulfill;
    // SAFETY: the runtime passes the tasks' words; the event is gone when the data of the prior
    // task end.
    unsafe {
        let detached = match status {
            TaskStatus::Detach | TaskStatus::LateFulfill => {
                Words::<T>::detached_task(c.prior_task_data, is_fulfilled)
            }
            _ => core::ptr::null(),
        };
        if is_called::<T>(Event::TASK_SCHEDULE) {
            tool.task_schedule(&TaskSchedule {
                prior: Words::<T>::prior(c.prior_task_data, status),
                status,
                next: Words::<T>::task(c.next_task_data),
            });
        }
        match status {
            TaskStatus::Complete | TaskStatus::Cancel | TaskStatus::TaskwaitComplete => {
                Words::<T>::end_task(tool, c.prior_task_data, keep::<T>());
            }
            TaskStatus::Detach | TaskStatus::LateFulfill => {
                Words::<T>::end_detached_task(tool, detached, keep::<T>());
            }
            _ => {}
        }
    }
}

#[inline]
pub(super) unsafe fn cancel<T: Registered>(c: arguments::ompt_callback_cancel_t) {
    let Some(tool) = T::slot().tool() else { return };
    // SAFETY: the runtime passes the word of the calling task, or of one that it discards.
    unsafe {
        if is_called::<T>(Event::CANCEL) {
            let task = Words::<T>::task(c.task_data);
            tool.cancel(&Cancel { task, flags: c.flags, codeptr_ra: CodePtr::new(c.codeptr_ra) });
        }
        if c.flags.contains(CancelFlags::DISCARDED_TASK) {
            Words::<T>::end_task(tool, c.task_data, keep::<T>());
        }
    }
}

/// The callback for the program's call, the only callback with an answer.
#[inline]
pub(super) unsafe fn control_tool<T: Registered>(
    c: arguments::ompt_callback_control_tool_t,
) -> c_int {
    let Some(tool) = T::slot().tool() else { return ControlResult::IGNORED.0 };
    let event = ControlTool {
        command: c.command,
        modifier: c.modifier,
        arg: c.arg,
        codeptr_ra: CodePtr::new(c.codeptr_ra),
    };
    tool.control_tool(&event).0
}
