//! The actions of a model where objects begin and end.

use core::ptr;
use std::boxed::Box;

use oxomp_sys::ompt::ompt_data_t;

use super::record::{self, RegionRecord, TaskRecord, ThreadRecord};
use super::{Data, Live, Model, NewTask, Raw, Typed};
use crate::{DataWord, Event, EventSet, ImplicitTask, ParallelBegin, TaskCreate, ThreadBegin};

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

    /// The record of a detached task, read where the callback begins: of the two events with which
    /// such a task ends, one may be handled while the other one frees the word. Its event was
    /// fulfilled if `is_fulfilled`, else its body has ended.
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

impl<T: Data> Hooks<T> for Typed<T> {
    const LIFECYCLE: EventSet = {
        let mut events = EventSet::NONE;
        if record::is_kept::<T::Thread>() {
            events = events.union(EventSet::of(&[Event::THREAD_BEGIN, Event::THREAD_END]));
        }
        if record::is_kept::<T::Region>() {
            events = events.union(EventSet::of(&[
                Event::PARALLEL_BEGIN,
                Event::PARALLEL_END,
                Event::IMPLICIT_TASK,
            ]));
        }
        if record::is_kept::<T::Task>() {
            events = events.union(EventSet::of(&[
                Event::IMPLICIT_TASK,
                Event::TASK_CREATE,
                Event::TASK_SCHEDULE,
                Event::CANCEL,
            ]));
        }
        events
    };

    unsafe fn begin_thread(tool: &T, event: &ThreadBegin<'_, Self>, thread: *mut ompt_data_t) {
        if !record::is_kept::<T::Thread>() {
            return;
        }
        // SAFETY: a callback's argument.
        if let Some(word) = unsafe { DataWord::from_raw(thread) } {
            record::store(word, ThreadRecord::<T>::new(tool.new_thread(event)));
        }
    }

    unsafe fn end_thread(tool: &T, thread: *mut ompt_data_t, keep: bool) {
        // SAFETY: the word is 0 or has a record, which only the thread's end takes away.
        let thread = unsafe { record::take::<ThreadRecord<T>>(thread) };
        // SAFETY: null, or the record, which is still there.
        let is_own = unsafe { thread.as_ref() }.is_some_and(ThreadRecord::is_own);
        if is_own && !keep {
            // SAFETY: made by `store` from a box, and this thread, the only one to use it, does so
            // no more.
            tool.end_thread(unsafe { Box::from_raw(thread) }.data);
        }
    }

    unsafe fn begin_region(tool: &T, event: &ParallelBegin<'_, Self>, region: *mut ompt_data_t) {
        if !record::is_kept::<T::Region>() {
            return;
        }
        // SAFETY: a callback's argument.
        if let Some(word) = unsafe { DataWord::from_raw(region) } {
            record::store(word, RegionRecord::<T>::new(tool.new_region(event)));
        }
    }

    unsafe fn end_region(tool: &T, region: *mut ompt_data_t, keep: bool) {
        // SAFETY: the word is 0, or has a record of which this thread is a holder until here.
        unsafe { RegionRecord::release(tool, record::take::<RegionRecord<T>>(region), keep) };
    }

    unsafe fn begin_implicit_task(
        tool: &T,
        event: &ImplicitTask<'_, Self>,
        region: *mut ompt_data_t,
        task: *mut ompt_data_t,
    ) {
        if !record::is_kept::<T::Region>() && !record::is_kept::<T::Task>() {
            return;
        }
        // SAFETY: callback's arguments. The encountering thread holds the region at least until
        // this task has reached the region's last barrier.
        let (region, word) = unsafe {
            let region = record::behind::<RegionRecord<T>>(region);
            (region, DataWord::from_raw(task))
        };
        let Some(word) = word else { return };
        let parallel =
            region.and_then(|region| record::id(region).map(|id| Live::new(&region.data, id)));
        let data = tool.new_task(&NewTask::Implicit(ImplicitTask { parallel, ..*event }));
        let region = region.map_or(ptr::null(), RegionRecord::hold);
        record::store(word, TaskRecord::<T>::implicit(region, data));
    }

    unsafe fn create_task(
        tool: &T,
        event: &TaskCreate<'_, Self>,
        encountering_task: *mut ompt_data_t,
        task: *mut ompt_data_t,
    ) {
        if !record::is_kept::<T::Task>() || event.flags.contains(crate::TaskFlags::MERGED) {
            return;
        }
        // SAFETY: callback's arguments; the encountering task is the calling thread's.
        let (parent, word) = unsafe {
            (record::behind::<TaskRecord<T>>(encountering_task), DataWord::from_raw(task))
        };
        if let Some(word) = word {
            let region = parent.map_or(ptr::null(), |parent| parent.region);
            let data = tool.new_task(&NewTask::Created(*event));
            record::store(word, TaskRecord::<T>::created(region, data));
        }
    }

    #[inline]
    unsafe fn end_task(tool: &T, task: *mut ompt_data_t, keep: bool) {
        // SAFETY: the word is 0 or has a record.
        let task = unsafe { record::take::<TaskRecord<T>>(task) };
        if !task.is_null() {
            // SAFETY: the task has ended on this thread.
            unsafe { TaskRecord::end(tool, task, keep) };
        }
    }

    #[inline]
    unsafe fn detached_task(task: *mut ompt_data_t, is_fulfilled: bool) -> *const () {
        if is_fulfilled {
            // SAFETY: as the caller promises.
            return unsafe { record::take::<TaskRecord<T>>(task) }.cast_const().cast();
        }
        // SAFETY: as the caller promises.
        let record = unsafe { record::behind::<TaskRecord<T>>(task) };
        record.map_or(ptr::null(), |record| ptr::from_ref(record).cast())
    }

    unsafe fn end_detached_task(tool: &T, record: *const (), keep: bool) {
        let record = record.cast::<TaskRecord<T>>();
        // SAFETY: null, or the record of a detached task, which stays until both events of its end
        // have been handled.
        let is_last = unsafe { record.as_ref() }.is_some_and(TaskRecord::is_last_of_two);
        if is_last {
            // SAFETY: both events have been handled.
            unsafe { TaskRecord::end(tool, record.cast_mut(), keep) };
        }
    }
}
