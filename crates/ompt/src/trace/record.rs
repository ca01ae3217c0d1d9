//! Records in the standard format (OpenMP 6.0 chapter 33).

use std::boxed::Box;

use oxomp_sys::ompt::ompt_id_t;

use super::{DeviceTime, NativeRecord};
use crate::{
    CancelFlags, CodePtr, DependenceKind, DeviceAddress, DispatchKind, Endpoint, Event, MapItem,
    MutexKind, ParallelFlags, Severity, SyncHint, SyncRegionKind, TargetDataOpKind, TargetKind,
    TaskFlags, TaskStatus, ThreadKind, WaitId, WorkKind,
};

/// One record of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// A record in the standard format.
    Standard(StandardRecord),
    /// A record in the device's own format.
    Native(NativeRecord),
    /// A record in a format that this version of the SDK has no name for, with its number.
    Unknown(i32),
}

/// A record in the standard format: an event on the device. Ids take the place of the words that
/// the event has on the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandardRecord {
    /// The event; `None` if this version of the SDK has no name for it.
    pub event: Option<Event>,
    /// When the event happened, or the operation began, if the device says so.
    pub time: Option<DeviceTime>,
    /// The thread of the device, unique within the target region.
    pub thread_id: ompt_id_t,
    /// The target region: what the tool stored in [`TargetEmi::target`](crate::TargetEmi) when it
    /// began, or, if the tool does not get that event, the id of [`Target`](crate::Target).
    pub target_id: ompt_id_t,
    /// The arguments of the event.
    pub content: Content,
}

/// The arguments of an event on a device. Regions, tasks and threads are named by numbers that are
/// unique within one target region.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Content {
    /// A thread begins.
    ThreadBegin {
        /// The kind of the thread.
        kind: ThreadKind,
    },
    /// A thread ends.
    ThreadEnd,
    /// A parallel or teams region begins.
    ParallelBegin {
        /// The task that encountered the construct.
        encountering_task: ompt_id_t,
        /// The region.
        parallel: ompt_id_t,
        /// Threads or teams that the program asked for.
        requested_parallelism: u32,
        /// The kind of region and its invoker.
        flags: ParallelFlags,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A parallel or teams region ends.
    ParallelEnd {
        /// The region.
        parallel: ompt_id_t,
        /// The task that encountered the construct.
        encountering_task: ompt_id_t,
        /// The kind of region and its invoker.
        flags: ParallelFlags,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A worksharing, distribute or taskloop region begins or ends.
    Work {
        /// The kind of region.
        kind: WorkKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region around it.
        parallel: ompt_id_t,
        /// The task.
        task: ompt_id_t,
        /// Iterations or sections.
        count: u64,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// An iteration, a section or a chunk is about to run.
    Dispatch {
        /// The region around it.
        parallel: ompt_id_t,
        /// The task.
        task: ompt_id_t,
        /// What the instance is.
        kind: DispatchKind,
        /// The word that names the iteration, section or chunk. A chunk's first iteration and
        /// length are not part of the record: the word would be an address on the device.
        instance: u64,
    },
    /// A task is created.
    TaskCreate {
        /// The task that encountered the construct.
        encountering_task: ompt_id_t,
        /// The new task.
        task: ompt_id_t,
        /// The kind of task.
        flags: TaskFlags,
        /// Whether it has dependences.
        has_dependences: bool,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// One dependence of a task. There is one record for each.
    Dependence {
        /// The task.
        task: ompt_id_t,
        /// The kind of dependence.
        kind: DependenceKind,
        /// The storage's address, or an element of the iteration vector.
        variable: u64,
        /// How many dependences the task has.
        count: u32,
    },
    /// A task depends on another.
    TaskDependence {
        /// The task that comes first.
        source: ompt_id_t,
        /// The task that comes second.
        sink: ompt_id_t,
    },
    /// A thread switches tasks.
    TaskSchedule {
        /// The task that stops.
        prior: ompt_id_t,
        /// What has become of the prior task.
        status: TaskStatus,
        /// The task that starts or resumes.
        next: ompt_id_t,
    },
    /// An implicit or initial task begins or ends.
    ImplicitTask {
        /// Begin or end.
        endpoint: Endpoint,
        /// The region.
        parallel: ompt_id_t,
        /// The task.
        task: ompt_id_t,
        /// Threads of the team, or teams of the league.
        actual_parallelism: u32,
        /// The number of the thread, or of the team.
        index: u32,
        /// The kind of task.
        flags: TaskFlags,
    },
    /// A masked region begins or ends.
    Masked {
        /// Begin or end.
        endpoint: Endpoint,
        /// The region around it.
        parallel: ompt_id_t,
        /// The task.
        task: ompt_id_t,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A synchronization region, a wait in one, or a reduction begins or ends;
    /// [`StandardRecord::event`] says which of the three.
    SyncRegion {
        /// The kind of region.
        kind: SyncRegionKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The region around it.
        parallel: ompt_id_t,
        /// The task.
        task: ompt_id_t,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A lock was initialized, or a mutex is about to be acquired.
    MutexAcquire {
        /// The kind of mutex.
        kind: MutexKind,
        /// The program's hint.
        hint: SyncHint,
        /// The mutex implementation.
        implementation: u32,
        /// The mutex.
        wait_id: WaitId,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A mutex was acquired or released, or a lock is destroyed.
    Mutex {
        /// The kind of mutex.
        kind: MutexKind,
        /// The mutex.
        wait_id: WaitId,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// The owner of a nest lock acquired it again, or released it and still owns it.
    NestLock {
        /// Begin: acquired; end: released.
        endpoint: Endpoint,
        /// The mutex.
        wait_id: WaitId,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A flush.
    Flush {
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// Cancellation was activated or detected.
    Cancel {
        /// The task.
        task: ompt_id_t,
        /// What is cancelled, and how.
        flags: CancelFlags,
        /// Where the construct is.
        codeptr_ra: CodePtr,
    },
    /// A target construct begins or ends.
    Target(TargetRecord),
    /// A data operation, from its begin to its end.
    DataOp(DataOpRecord),
    /// Variables are mapped.
    Map(MapRecord),
    /// The device executed a kernel.
    Kernel(KernelRecord),
    /// `omp_control_tool` was called.
    ControlTool {
        /// The command.
        command: u64,
        /// The command's modifier.
        modifier: u64,
        /// Where the call is.
        codeptr_ra: CodePtr,
    },
    /// An error directive was executed.
    Error {
        /// The directive's severity.
        severity: Severity,
        /// The directive's message; empty without a message.
        message: Box<[u8]>,
        /// Where the directive is.
        codeptr_ra: CodePtr,
    },
    /// An event without a name in this version of the SDK, with its number.
    Unknown(i32),
}

/// A target construct begins or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetRecord {
    /// The kind of construct.
    pub kind: TargetKind,
    /// Begin or end.
    pub endpoint: Endpoint,
    /// The device's number.
    pub device_num: i32,
    /// The encountering task.
    pub task: ompt_id_t,
    /// The target region, as in [`StandardRecord::target_id`].
    pub target_id: ompt_id_t,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A data operation; [`StandardRecord::time`] is its begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataOpRecord {
    /// The operation: what the tool stored in [`TargetDataOpEmi::host_op_id`], or, where the tool
    /// does not get that event, the id of [`TargetDataOp`].
    ///
    /// [`TargetDataOpEmi::host_op_id`]: crate::TargetDataOpEmi
    /// [`TargetDataOp`]: crate::TargetDataOp
    pub host_op_id: ompt_id_t,
    /// The kind of the operation.
    pub kind: TargetDataOpKind,
    /// Source address.
    pub src_addr: DeviceAddress,
    /// Source device.
    pub src_device_num: i32,
    /// Destination address.
    pub dest_addr: DeviceAddress,
    /// Destination device.
    pub dest_device_num: i32,
    /// Number of bytes.
    pub bytes: usize,
    /// When the operation was complete.
    pub end: Option<DeviceTime>,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// Variables are mapped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapRecord {
    /// The target region, as in [`StandardRecord::target_id`].
    pub target_id: ompt_id_t,
    /// The variables.
    pub items: Box<[MapItem]>,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A kernel; [`StandardRecord::time`] is its begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelRecord {
    /// The operation: what the tool stored in [`TargetSubmitEmi::host_op_id`], or, where the tool
    /// does not get that event, the id of [`TargetSubmit`].
    ///
    /// [`TargetSubmitEmi::host_op_id`]: crate::TargetSubmitEmi
    /// [`TargetSubmit`]: crate::TargetSubmit
    pub host_op_id: ompt_id_t,
    /// Teams that the program asked for.
    pub requested_num_teams: u32,
    /// Teams that were formed.
    pub granted_num_teams: u32,
    /// When the operation was complete.
    pub end: Option<DeviceTime>,
}
