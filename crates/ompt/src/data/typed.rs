//! Data of the tool's own types.

use core::fmt;
use core::marker::PhantomData;

use super::model::sealed::Sealed;
use crate::{ImplicitTask, ParallelBegin, TaskCreate, ThreadBegin, Tool};

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
/// All references are shared: a callback may cause another one on its own thread. The objects
/// differ in the threads that share them:
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
