//! The arguments of the report's events.

use oxomp_sys::report_2015::{ompt_target_map_entry_t, ompt_task_dependence_t};

use super::{
    DependenceFlags, Frame, Invoker, MapFlags, MapId, ParallelId, TargetTaskKind, TaskId, ThreadId,
    ThreadKind, WaitId,
};
use crate::{CodePtr, DeviceAddress, HostAddress, SyncHint};

/// A thread begins or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thread {
    /// The kind of thread.
    pub kind: ThreadKind,
    /// The thread.
    pub thread: Option<ThreadId>,
}

/// A thread begins or ends to wait for work outside a parallel region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Idle {
    /// The thread.
    pub thread: Option<ThreadId>,
}

/// A thread has flushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flush {
    /// The thread.
    pub thread: Option<ThreadId>,
}

/// A parallel region begins.
#[derive(Clone, Copy, Debug)]
pub struct ParallelBegin<'a> {
    /// The task that met the construct.
    pub parent: Option<TaskId>,
    /// That task's frames.
    pub parent_frame: Option<Frame<'a>>,
    /// The new region.
    pub parallel: Option<ParallelId>,
    /// Threads that the program asked for; the team may be smaller.
    pub requested_team_size: u32,
    /// The function that the compiler has made of the region's code.
    pub function: CodePtr,
    /// The caller of that function on the encountering thread.
    pub invoker: Invoker,
}

/// A parallel region ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParallelEnd {
    /// The region.
    pub parallel: Option<ParallelId>,
    /// The task that met the construct, and continues.
    pub task: Option<TaskId>,
    /// The caller of the region's code on the encountering thread.
    pub invoker: Invoker,
}

/// A task construct creates a task.
#[derive(Clone, Copy, Debug)]
pub struct TaskBegin<'a> {
    /// The task that met the construct.
    pub parent: Option<TaskId>,
    /// That task's frames.
    pub parent_frame: Option<Frame<'a>>,
    /// The new task.
    pub task: Option<TaskId>,
    /// The function that the compiler has made of the task's code.
    pub function: CodePtr,
}

/// An event of one task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// The task.
    pub task: Option<TaskId>,
}

/// An event of a task in a parallel region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The region; `None` outside all regions.
    pub parallel: Option<ParallelId>,
    /// The task.
    pub task: Option<TaskId>,
}

/// A construct begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Construct {
    /// The region; `None` outside all regions.
    pub parallel: Option<ParallelId>,
    /// The task that met the construct.
    pub task: Option<TaskId>,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A mutex is awaited, acquired, released or destroyed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mutex {
    /// The mutex.
    pub wait_id: Option<WaitId>,
}

/// A lock is made, or a `critical` construct is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lock {
    /// The mutex.
    pub wait_id: Option<WaitId>,
    /// The program's hint.
    pub hint: SyncHint,
    /// The implementation, which
    /// [`EntryPoints::enumerate_lock_types`](super::EntryPoints::enumerate_lock_types) names.
    pub lock_type: u32,
}

/// An `atomic` construct is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atomic {
    /// The mutex that the runtime takes for the construct.
    pub wait_id: Option<WaitId>,
    /// The implementation, which
    /// [`EntryPoints::enumerate_atomic_types`](super::EntryPoints::enumerate_atomic_types) names.
    pub atomic_type: u32,
}

/// A thread switches tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskSwitch {
    /// The task that is suspended; `None` if the task that the thread leaves has completed.
    pub suspended: Option<TaskId>,
    /// The task that starts or resumes, in whose context the event happens.
    pub resumed: Option<TaskId>,
}

/// A task waits for another one, by their dependences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskDependencePair {
    /// The task that must complete first.
    pub producer: Option<TaskId>,
    /// The task that waits.
    pub consumer: Option<TaskId>,
}

/// One dependence of a task.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Dependence(ompt_task_dependence_t);

impl Dependence {
    /// The kind of dependence: in, out, or both.
    pub fn flags(&self) -> DependenceFlags {
        self.0.dependence_flags
    }

    /// The storage's address.
    pub fn variable(&self) -> u64 {
        self.0.variable_addr.addr() as u64
    }
}

/// A new task has dependences.
#[derive(Clone, Copy, Debug)]
pub struct Dependences<'a> {
    /// The task.
    pub task: Option<TaskId>,
    /// The task's dependences.
    pub dependences: &'a [Dependence],
}

/// The program called `ompt_control`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Control {
    /// The command: one of the constants, or a command of the tool's own.
    pub command: u64,
    /// The second argument, whose meaning the tool defines.
    pub modifier: u64,
}

impl Control {
    /// Start or restart collecting.
    pub const START: u64 = 1;
    /// Pause collecting.
    pub const PAUSE: u64 = 2;
    /// Flush what was collected, and go on.
    pub const FLUSH: u64 = 3;
    /// Stop for good; no start follows.
    pub const END: u64 = 4;
    /// The first command whose meaning the tool defines.
    pub const FIRST_OWN: u64 = 64;
}

/// A target construct creates a target task.
#[derive(Clone, Copy, Debug)]
pub struct TargetTaskBegin<'a> {
    /// The task that met the construct.
    pub parent: Option<TaskId>,
    /// That task's frames.
    pub parent_frame: Option<Frame<'a>>,
    /// The new task.
    pub task: Option<TaskId>,
    /// The device.
    pub device_num: i32,
    /// The function that the device executes, as the host knows it.
    pub function: CodePtr,
    /// The construct.
    pub kind: TargetTaskKind,
}

/// A task meets a `target data` construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetDataBegin {
    /// The task.
    pub task: Option<TaskId>,
    /// The device.
    pub device_num: i32,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// One item that is mapped.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct MapItem(ompt_target_map_entry_t);

impl MapItem {
    /// The address on the host.
    pub fn host_address(&self) -> HostAddress {
        HostAddress::new(self.0.host_addr)
    }

    /// The address on the device.
    pub fn device_address(&self) -> DeviceAddress {
        DeviceAddress::new(self.0.device_addr)
    }

    /// The size.
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }

    /// The map type, and whether the operation is synchronous.
    pub fn flags(&self) -> MapFlags {
        self.0.mapping_flags
    }
}

/// Items are about to be mapped.
#[derive(Clone, Copy, Debug)]
pub struct TargetDataMapBegin<'a> {
    /// The task.
    pub task: Option<TaskId>,
    /// The device.
    pub device_num: i32,
    /// The items.
    pub items: &'a [MapItem],
    /// The mapping.
    pub map: MapId,
}

/// A mapping was begun; an asynchronous copy may go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetDataMapEnd {
    /// The device.
    pub device_num: i32,
    /// The mapping.
    pub map: MapId,
}
