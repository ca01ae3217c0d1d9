//! Data of the tool's own types.

use core::fmt;
use core::marker::PhantomData;

use oxomp_sys::ompt::ompt_data_t;

use super::model::sealed::Sealed;
use super::record::{self, RegionRecord, TaskRecord, ThreadRecord};
use super::{Live, Model, ObjectId};
use crate::{DataWord, ImplicitTask, ParallelBegin, TaskCreate, TaskStatus, ThreadBegin, Tool};

/// The data that a tool keeps for each thread, region and task, as values of its own types.
///
/// The SDK calls [`Data::new_thread`] and its kin at the event with which the object begins, shows
/// the value in every event about the object, and hands it to [`Data::end_thread`] and its kin at
/// the end. It stores the values behind the runtime's data words, and asks the runtime for the
/// events that it needs; a type without size needs none.
///
/// `#[ompt::tool]` before the implementation fills in the objects that it does not name, with data
/// of type `()`.
///
/// # Which references are shared
///
/// All are: a callback may raise another one on its own thread. The objects differ in the threads
/// that share:
///
/// - A thread's data are seen on that thread alone, so they may use [`Cell`](core::cell::Cell).
///   (A handler of signals that looks at them counts as another thread; use atomics then.)
/// - A region's data are seen by its whole team at once. They end when the region has ended and no
///   member of the team can see them any more: a worker's last events may follow the region's end,
///   and [`Data::end_region`] is then called on that worker.
/// - A task's data are seen by the thread that executes the task, and by the one that creates it.
///
/// # Objects without data
///
/// Events show `None` for the region that the program begins in, for objects that began before the
/// tool listened, and for merged tasks, whose end no event reports. A runtime that skips the end of
/// an object leaks its data, as does the end of the tool: data that are alive when
/// [`Tool::finalize`] is called are not dropped, since their threads may be using them. A tool that
/// sums up keeps an `Arc` of its own to what it will read then.
pub trait Data: Tool<Model = Typed<Self>> {
    /// Data of a thread.
    type Thread: 'static;
    /// Data of a parallel or teams region.
    type Region: Send + Sync + 'static;
    /// Data of an implicit, explicit or initial task.
    type Task: Send + Sync + 'static;

    /// Makes the data of a thread that begins, on that thread.
    fn new_thread(&self, event: &ThreadBegin<'_, Typed<Self>>) -> Self::Thread;

    /// Makes the data of a region that begins, on the encountering thread.
    fn new_region(&self, event: &ParallelBegin<'_, Typed<Self>>) -> Self::Region;

    /// Makes the data of a task: of an implicit one on its thread, of an explicit one on the
    /// thread that creates it.
    fn new_task(&self, event: &NewTask<'_, Self>) -> Self::Task;

    /// A thread has ended.
    fn end_thread(&self, data: Self::Thread) {
        drop(data);
    }

    /// A region has ended, and the last events of its workers have been handled.
    fn end_region(&self, data: Self::Region) {
        drop(data);
    }

    /// A task has ended.
    fn end_task(&self, data: Self::Task) {
        drop(data);
    }
}

/// The event with which a task begins.
#[derive(Debug)]
pub enum NewTask<'a, T: Data> {
    /// An implicit or initial task.
    Implicit(ImplicitTask<'a, Typed<T>>),
    /// An explicit task, or one of a target or taskwait construct.
    Created(TaskCreate<'a, Typed<T>>),
}

/// The model of tools with [`Data`]: events show the data of the types that `T` names.
pub struct Typed<T>(PhantomData<fn() -> T>);

impl<T> Clone for Typed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Typed<T> {}

impl<T> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed")
    }
}

impl<T: Data> Sealed for Typed<T> {}

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
            // SAFETY: the task stops on this thread; of a detached one the record stays until both
            // events have been handled (see `TaskRecord::is_last_of_two`).
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
