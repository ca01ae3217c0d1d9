//! The arguments of the report's events.

use oxomp_sys::report_2015::{ompt_target_map_entry_t, ompt_task_dependence_t};

use super::{
    DependenceFlags, Frame, Invoker, MapFlags, MapId, ParallelId, TargetTaskKind, TaskId, ThreadId,
    ThreadKind, WaitId, arguments,
};
use crate::event::argument::elements;
use crate::event::read::{Read, events};
use crate::{CodePtr, DeviceAddress, HostAddress, SyncHint};

events! {
    /// A thread begins or ends.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Thread from c: arguments::ompt_thread_type_callback_t {
        /// The kind of thread.
        kind: ThreadKind = c.thread_type.into(),
        /// The thread.
        thread: Option<ThreadId> = ThreadId::new(c.thread_id),
    }

    /// A thread begins or ends to wait for work outside a parallel region.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Idle from c: arguments::ompt_thread_callback_t {
        /// The thread.
        thread: Option<ThreadId> = ThreadId::new(c.thread_id),
    }

    /// A thread has flushed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Flush from c: arguments::ompt_thread_callback_t {
        /// The thread.
        thread: Option<ThreadId> = ThreadId::new(c.thread_id),
    }

    /// A parallel region begins.
    #[derive(Clone, Copy, Debug)]
    ParallelBegin<'a> from c: arguments::ompt_parallel_begin_callback_t {
        /// The task that met the construct.
        parent: Option<TaskId> = TaskId::new(c.parent_task_id),
        /// That task's frames.
        parent_frame: Option<Frame<'a>> = Frame::from_raw(c.parent_frame),
        /// The new region.
        parallel: Option<ParallelId> = ParallelId::new(c.parallel_id),
        /// Threads that the program asked for; the team may be smaller.
        requested_team_size: u32 = c.requested_team_size,
        /// The function that the compiler has made of the region's code.
        function: CodePtr = CodePtr::new(c.codeptr_ofn),
        /// The caller of that function on the encountering thread.
        invoker: Invoker = c.invoker.into(),
    }

    /// A parallel region ends.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    ParallelEnd from c: arguments::ompt_parallel_end_callback_t {
        /// The region.
        parallel: Option<ParallelId> = ParallelId::new(c.parallel_id),
        /// The task that met the construct, and continues.
        task: Option<TaskId> = TaskId::new(c.task_id),
        /// The caller of the region's code on the encountering thread.
        invoker: Invoker = c.invoker.into(),
    }

    /// A task construct creates a task.
    #[derive(Clone, Copy, Debug)]
    TaskBegin<'a> from c: arguments::ompt_task_begin_callback_t {
        /// The task that met the construct.
        parent: Option<TaskId> = TaskId::new(c.parent_task_id),
        /// That task's frames.
        parent_frame: Option<Frame<'a>> = Frame::from_raw(c.parent_frame),
        /// The new task.
        task: Option<TaskId> = TaskId::new(c.new_task_id),
        /// The function that the compiler has made of the task's code.
        function: CodePtr = CodePtr::new(c.codeptr_ofn),
    }

    /// An event of one task.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Task from c: arguments::ompt_task_callback_t {
        /// The task.
        task: Option<TaskId> = TaskId::new(c.task_id),
    }

    /// An event of a task in a parallel region.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Region from c: arguments::ompt_parallel_callback_t {
        /// The region; `None` outside all regions.
        parallel: Option<ParallelId> = ParallelId::new(c.parallel_id),
        /// The task.
        task: Option<TaskId> = TaskId::new(c.task_id),
    }

    /// A construct begins.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Construct from c: arguments::ompt_sync_callback_t {
        /// The region; `None` outside all regions.
        parallel: Option<ParallelId> = ParallelId::new(c.parallel_id),
        /// The task that met the construct.
        task: Option<TaskId> = TaskId::new(c.task_id),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A mutex is awaited, acquired, released or destroyed.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Mutex from c: arguments::ompt_wait_callback_t {
        /// The mutex.
        wait_id: Option<WaitId> = WaitId::new(c.wait_id),
    }

    /// A lock is made, or a `critical` construct is awaited.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Lock from c: arguments::ompt_lock_callback_t {
        /// The mutex.
        wait_id: Option<WaitId> = WaitId::new(c.wait_id),
        /// The program's hint.
        hint: SyncHint = SyncHint(c.lock_hint),
        /// The implementation, which
        /// [`EntryPoints::enumerate_lock_types`](super::EntryPoints::enumerate_lock_types) names.
        lock_type: u32 = c.lock_type,
    }

    /// An `atomic` construct is awaited.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Atomic from c: arguments::ompt_atomic_callback_t {
        /// The mutex that the runtime takes for the construct.
        wait_id: Option<WaitId> = WaitId::new(c.wait_id),
        /// The implementation, which [`EntryPoints::enumerate_atomic_types`] names.
        ///
        /// [`EntryPoints::enumerate_atomic_types`]: super::EntryPoints::enumerate_atomic_types
        atomic_type: u32 = c.atomic_type,
    }

    /// A thread switches tasks.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    TaskSwitch from c: arguments::ompt_task_pair_callback_t {
        /// The task that is suspended; `None` if the task that the thread leaves has completed.
        suspended: Option<TaskId> = TaskId::new(c.first_task_id),
        /// The task that starts or resumes, in whose context the event happens.
        resumed: Option<TaskId> = TaskId::new(c.second_task_id),
    }

    /// A task waits for another one, by their dependences.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    TaskDependencePair from c: arguments::ompt_task_pair_callback_t {
        /// The task that must complete first.
        producer: Option<TaskId> = TaskId::new(c.first_task_id),
        /// The task that waits.
        consumer: Option<TaskId> = TaskId::new(c.second_task_id),
    }
}

impl Read<arguments::ompt_workshare_begin_callback_t> for Construct {
    #[inline]
    unsafe fn read(c: arguments::ompt_workshare_begin_callback_t) -> Self {
        Self {
            parallel: ParallelId::new(c.parallel_id),
            task: TaskId::new(c.task_id),
            codeptr_ra: CodePtr::new(c.codeptr_ra),
        }
    }
}

impl Read<arguments::ompt_target_task_end_callback_t> for Task {
    #[inline]
    unsafe fn read(c: arguments::ompt_target_task_end_callback_t) -> Self {
        Self { task: TaskId::new(c.host_task_id) }
    }
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

events! {
    /// A new task has dependences.
    #[derive(Clone, Copy, Debug)]
    Dependences<'a> from c: arguments::ompt_task_dependences_callback_t {
        /// The task.
        task: Option<TaskId> = TaskId::new(c.task_id),
        /// The task's dependences.
        dependences: &'a [Dependence] = elements(c.deps.cast::<Dependence>(), c.ndeps),
    }

    /// The program called `ompt_control`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    Control from c: arguments::ompt_control_callback_t {
        /// The command: one of the constants, or a command of the tool's own.
        command: u64 = c.command,
        /// The second argument, whose meaning the tool defines.
        modifier: u64 = c.modifier,
    }
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

events! {
    /// A target construct creates a target task.
    #[derive(Clone, Copy, Debug)]
    TargetTaskBegin<'a> from c: arguments::ompt_target_task_begin_callback_t {
        /// The task that met the construct.
        parent: Option<TaskId> = TaskId::new(c.parent_task_id),
        /// That task's frames.
        parent_frame: Option<Frame<'a>> = Frame::from_raw(c.parent_frame),
        /// The new task.
        task: Option<TaskId> = TaskId::new(c.host_task_id),
        /// The device.
        device_num: i32 = c.device_id,
        /// The function that the device executes, as the host knows it.
        function: CodePtr = CodePtr::new(c.target_task_code),
        /// The construct.
        kind: TargetTaskKind = c.task_type.into(),
    }

    /// A task meets a `target data` construct.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    TargetDataBegin from c: arguments::ompt_target_data_begin_callback_t {
        /// The task.
        task: Option<TaskId> = TaskId::new(c.task_id),
        /// The device.
        device_num: i32 = c.device_id,
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }
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

    /// The number of bytes, on the host and on the device.
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }

    /// The map type, and whether the operation is synchronous.
    pub fn flags(&self) -> MapFlags {
        self.0.mapping_flags
    }
}

events! {
    /// Items are about to be mapped.
    #[derive(Clone, Copy, Debug)]
    TargetDataMapBegin<'a> from c: arguments::ompt_target_data_map_begin_callback_t {
        /// The task.
        task: Option<TaskId> = TaskId::new(c.task_id),
        /// The device.
        device_num: i32 = c.device_id,
        /// The items.
        items: &'a [MapItem] = elements(c.items.cast::<MapItem>(), c.nitems),
        /// The mapping.
        map: MapId = MapId(c.map_id),
    }

    /// A mapping was begun; an asynchronous copy may go on.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    TargetDataMapEnd from c: arguments::ompt_target_data_map_end_callback_t {
        /// The device.
        device_num: i32 = c.device_id,
        /// The mapping.
        map: MapId = MapId(c.map_id),
    }
}
