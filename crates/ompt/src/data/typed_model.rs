//! The model of tools with [`Data`]: how a word leads to a record, and when records begin and end.

use core::ptr;
use std::boxed::Box;

use oxomp_sys::ompt::ompt_data_t;

use super::hooks::Hooks;
use super::record::{self, RegionRecord, TaskRecord, ThreadRecord};
use super::{Data, Live, Model, NewTask, ObjectId, Typed};
use crate::{
    DataWord, Event, EventSet, ImplicitTask, ParallelBegin, TaskCreate, TaskStatus, ThreadBegin,
};

impl<T: Data> Model for Typed<T> {
    type Thread<'a> = Live<'a, T::Thread>;
    type Region<'a> = Live<'a, T::Region>;
    type Task<'a> = Live<'a, T::Task>;
    type Other<'a> = ObjectId;

    #[inline]
    unsafe fn thread<'a>(word: *mut ompt_data_t) -> Option<Self::Thread<'a>> {
        // SAFETY: the word is 0, or `begin_thread` stored a record in it, which stays until the
        // thread ends.
        let thread = unsafe { record::behind::<ThreadRecord<T>>(word) }?;
        Some(Live::new(&thread.data, record::id(thread)?))
    }

    unsafe fn own_thread<'a>(word: *mut ompt_data_t) -> Option<Self::Thread<'a>> {
        // SAFETY: as for `thread`; data of a thread that ends stay until this callback has ended.
        let thread = unsafe { record::behind::<ThreadRecord<T>>(word) }?;
        match thread.is_own() {
            true => Some(Live::new(&thread.data, record::id(thread)?)),
            false => None,
        }
    }

    #[inline]
    unsafe fn task<'a>(word: *mut ompt_data_t) -> Option<Self::Task<'a>> {
        // SAFETY: the word is 0, or a begin stored a record in it, which stays until the end of the
        // task; no other thread ends a task that is this thread's.
        let task = unsafe { record::behind::<TaskRecord<T>>(word) }?;
        Some(Live::new(&task.data, record::id(task)?))
    }

    #[inline]
    unsafe fn prior<'a>(word: *mut ompt_data_t, status: TaskStatus) -> Option<Self::Task<'a>> {
        match status {
            // The event of a detached task was fulfilled, on any thread.
            TaskStatus::EarlyFulfill | TaskStatus::LateFulfill => None,
            // SAFETY: the task stops on this thread; the record of a detached task stays until both
            // events of its end have been handled (see `TaskRecord::is_last_of_two`).
            _ => unsafe { Self::task(word) },
        }
    }

    #[inline]
    unsafe fn region<'a>(word: *mut ompt_data_t) -> Option<Self::Region<'a>> {
        // SAFETY: the word is 0, or `begin_region` stored a record in it; the encountering thread
        // is a holder until it has handled the region's end.
        let region = unsafe { record::behind::<RegionRecord<T>>(word) }?;
        Some(Live::new(&region.data, record::id(region)?))
    }

    #[inline]
    unsafe fn region_around<'a>(
        _: *mut ompt_data_t,
        task: *mut ompt_data_t,
    ) -> Option<Self::Region<'a>> {
        // SAFETY: as for `task`.
        let task = unsafe { record::behind::<TaskRecord<T>>(task) }?;
        // SAFETY: an implicit task is a holder of its region. An explicit task ends before the
        // implicit tasks of its region do, one of which is the executing thread's.
        let region = unsafe { task.region.as_ref() }?;
        Some(Live::new(&region.data, record::id(region)?))
    }

    #[inline]
    unsafe fn other<'a>(word: *mut ompt_data_t) -> Option<Self::Other<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(word) }.and_then(|word| ObjectId::of_word(word.get()))
    }
}

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
