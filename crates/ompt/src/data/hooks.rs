//! The actions of a model where objects begin and end.

use core::ptr;

use oxomp_sys::ompt::ompt_data_t;

use super::{Model, Raw};
use crate::{EventSet, ImplicitTask, ParallelBegin, TaskCreate, ThreadBegin};

/// The actions of a model where objects begin and end, for a tool of type `T`.
///
/// The words are the callback's arguments; `keep` says that the tool is being finalized, perhaps
/// below a callback that has references to the object, so that its data must stay.
#[doc(hidden)]
#[expect(unused_variables, reason = "the raw model does nothing")]
pub trait Hooks<T>: Model {
    /// The events that the model itself listens to.
    const LIFECYCLE: EventSet = EventSet::NONE;

    /// # Safety
    /// The arguments are those of the callback.
    unsafe fn begin_thread(tool: &T, event: &ThreadBegin<'_, Self>, thread: *mut ompt_data_t) {}

    /// # Safety
    /// As for [`Hooks::begin_thread`]; nothing on this thread uses its data any more.
    unsafe fn end_thread(tool: &T, thread: *mut ompt_data_t, keep: bool) {}

    /// # Safety
    /// As for [`Hooks::begin_thread`].
    unsafe fn begin_region(tool: &T, event: &ParallelBegin<'_, Self>, region: *mut ompt_data_t) {}

    /// # Safety
    /// As for [`Hooks::begin_thread`].
    unsafe fn end_region(tool: &T, region: *mut ompt_data_t, keep: bool) {}

    /// # Safety
    /// As for [`Hooks::begin_thread`].
    unsafe fn begin_implicit_task(
        tool: &T,
        event: &ImplicitTask<'_, Self>,
        region: *mut ompt_data_t,
        task: *mut ompt_data_t,
    ) {
    }

    /// # Safety
    /// As for [`Hooks::begin_thread`].
    unsafe fn create_task(
        tool: &T,
        event: &TaskCreate<'_, Self>,
        encountering_task: *mut ompt_data_t,
        task: *mut ompt_data_t,
    ) {
    }

    /// # Safety
    /// As for [`Hooks::begin_thread`]; nothing uses the task's data any more.
    unsafe fn end_task(tool: &T, task: *mut ompt_data_t, keep: bool) {}

    /// The record of a detached task, read where the callback begins: such a task ends with two
    /// events, and one may be handled while the other one frees the word. If `is_fulfilled`, its
    /// detach event was fulfilled; otherwise its body has ended.
    ///
    /// # Safety
    /// As for [`Hooks::begin_thread`].
    unsafe fn detached_task(task: *mut ompt_data_t, is_fulfilled: bool) -> *const () {
        ptr::null()
    }

    /// One of the two events with which a detached task ends has been handled.
    ///
    /// # Safety
    /// `record` is `detached_task`'s answer.
    unsafe fn end_detached_task(tool: &T, record: *const (), keep: bool) {}
}

impl<T> Hooks<T> for Raw {}
