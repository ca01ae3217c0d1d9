//! The records of a trace (App. A.6 of the report).

use super::{DeviceTime, NativeRecord};
use crate::CodePtr;
use crate::report_2015::{
    ActivityId, Construct, Event, Mutex, ParallelId, Region, Task, TaskId, Thread, ThreadId,
};

/// One record of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// A record in the standard format.
    Standard(StandardRecord),
    /// The task of the host that has caused an activity of the device.
    Correlation(Correlation),
    /// A record in the device's own format; `None` if the device shows no view of it.
    Native(Option<NativeRecord>),
    /// A record in a format that this version of the SDK has no name for, with its number.
    Unknown(i32),
}

/// The task of the host that has caused an activity of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Correlation {
    /// The target task.
    pub task: Option<TaskId>,
    /// The activity.
    pub activity: Option<ActivityId>,
}

/// A record in the standard format: an event on the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StandardRecord {
    /// The event; `None` if this version of the SDK has no name for it.
    pub event: Option<Event>,
    /// When the event happened, if the device says so.
    pub time: Option<DeviceTime>,
    /// The thread.
    pub thread: Option<ThreadId>,
    /// The activity, which a [`Correlation`] links with a task of the host.
    pub activity: Option<ActivityId>,
    /// The arguments of the event.
    pub content: Content,
}

/// The arguments of an event on a device, without frames and invokers, which records lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Content {
    /// A thread begins or ends.
    Thread(Thread),
    /// A thread begins or ends to be idle, or has flushed.
    ThreadId(Option<ThreadId>),
    /// A parallel region begins.
    ParallelBegin {
        /// The task that met the construct.
        parent: Option<TaskId>,
        /// The new region.
        parallel: Option<ParallelId>,
        /// Threads that the program asked for.
        requested_team_size: u32,
        /// The function of the region's code.
        function: CodePtr,
    },
    /// An event of a task in a parallel region.
    Region(Region),
    /// A construct begins.
    Construct(Construct),
    /// A task is created.
    TaskBegin {
        /// The task that met the construct.
        parent: Option<TaskId>,
        /// The new task.
        task: Option<TaskId>,
        /// The function of the task's code.
        function: CodePtr,
    },
    /// An event of one task.
    Task(Task),
    /// A task switch, or a dependence.
    TaskPair {
        /// The task that is suspended, or that must complete first.
        first: Option<TaskId>,
        /// The task that resumes, or that waits.
        second: Option<TaskId>,
    },
    /// A mutex is awaited, acquired or released; a lock is made or destroyed.
    Mutex(Mutex),
    /// The number of an event whose arguments are in no record, or which has no name in this
    /// version of the SDK.
    Unknown(i32),
}
