//! The record of an event: its arguments, as plain data of a fixed size.

use std::num::NonZeroU64;

use ompt::{
    CancelFlags, CodePtr, DependenceKind, DispatchInstance, Endpoint, Frame, FrameAddress,
    MutexKind, ParallelFlags, Severity, State, SyncRegionKind, TargetDataOpKind, TargetKind,
    TaskFlags, TaskStatus, ThreadKind, WaitId, WorkKind,
};

use crate::ids::{Announced, Word};

/// One event, or a detail of the event before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Position in the global order; a detail has the position of its event.
    pub(crate) seq: u64,
    /// ns since the start of the tool.
    pub(crate) time: u64,
    /// The thread's state inside the callback, and the id of the mutex that it waits for.
    pub(crate) state: State,
    pub(crate) wait: Option<NonZeroU64>,
    /// The event and its arguments.
    pub(crate) entry: Entry,
}

/// Both frames of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames {
    pub(crate) exit: Option<FrameAddress>,
    pub(crate) enter: Option<FrameAddress>,
}

impl Frames {
    pub(crate) fn of(frame: Option<Frame<'_>>) -> Self {
        Self {
            exit: frame.and_then(|frame| frame.exit()),
            enter: frame.and_then(|frame| frame.enter()),
        }
    }
}

/// The check of a thread's data word: it must be the one given at the thread's begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadWord {
    Ok,
    Null,
    Wrong,
}

/// Which of the events that share arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SyncEvent {
    SyncRegion,
    SyncRegionWait,
    Reduction,
}

/// Which of the events that share arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AcquireEvent {
    LockInit,
    MutexAcquire,
}

/// Which of the events that share arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MutexEvent {
    LockDestroy,
    MutexAcquired,
    MutexReleased,
}

/// Bytes of an error directive's message that are kept.
pub(crate) const MESSAGE_LEN: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    ThreadBegin {
        kind: ThreadKind,
        dirty: u64,
    },
    ThreadEnd {
        thread: ThreadWord,
    },
    ParallelBegin {
        parallel: Announced,
        encountering_task: Word,
        frames: Frames,
        requested: u32,
        flags: ParallelFlags,
        codeptr: CodePtr,
    },
    ParallelEnd {
        parallel: Word,
        encountering_task: Word,
        flags: ParallelFlags,
        codeptr: CodePtr,
    },
    ImplicitTask {
        endpoint: Endpoint,
        parallel: Word,
        task: Announced,
        parallelism: u32,
        index: u32,
        flags: TaskFlags,
    },
    Work {
        kind: WorkKind,
        endpoint: Endpoint,
        parallel: Word,
        task: Word,
        count: u64,
        codeptr: CodePtr,
    },
    Dispatch {
        parallel: Word,
        task: Word,
        instance: DispatchInstance,
    },
    Sync {
        event: SyncEvent,
        kind: SyncRegionKind,
        endpoint: Endpoint,
        parallel: Word,
        task: Word,
        codeptr: CodePtr,
    },
    Masked {
        endpoint: Endpoint,
        parallel: Word,
        task: Word,
        codeptr: CodePtr,
    },
    Acquire {
        event: AcquireEvent,
        kind: MutexKind,
        hint: u32,
        implementation: u32,
        wait_id: WaitId,
        codeptr: CodePtr,
    },
    Mutex {
        event: MutexEvent,
        kind: MutexKind,
        wait_id: WaitId,
        codeptr: CodePtr,
    },
    NestLock {
        endpoint: Endpoint,
        wait_id: WaitId,
        codeptr: CodePtr,
    },
    Flush {
        thread: ThreadWord,
        codeptr: CodePtr,
    },
    TaskCreate {
        task: Announced,
        encountering_task: Word,
        frames: Frames,
        flags: TaskFlags,
        has_dependences: bool,
        codeptr: CodePtr,
    },
    TaskSchedule {
        prior: Word,
        status: TaskStatus,
        next: Word,
    },
    Dependences {
        task: Word,
        count: usize,
    },
    TaskDependence {
        source: Word,
        sink: Word,
    },
    Cancel {
        task: Word,
        flags: CancelFlags,
        codeptr: CodePtr,
    },
    Error {
        severity: Severity,
        length: usize,
        message: [u8; MESSAGE_LEN],
        codeptr: CodePtr,
    },
    /// `target_emi`, or `target`, which has no target task.
    Target {
        is_emi: bool,
        kind: TargetKind,
        endpoint: Endpoint,
        device: i32,
        task: Word,
        target_task: Word,
        codeptr: CodePtr,
    },
    /// `target_data_op_emi`, or `target_data_op`, which has no endpoint.
    TargetDataOp {
        endpoint: Option<Endpoint>,
        kind: TargetDataOpKind,
        target_task: Word,
        /// Whether the operation has an address to read from, and the device of that address.
        source: (bool, i32),
        destination: (bool, i32),
        bytes: usize,
        codeptr: CodePtr,
    },
    /// `target_submit_emi`, or `target_submit`, which has no endpoint.
    TargetSubmit {
        endpoint: Option<Endpoint>,
        num_teams: u32,
    },
    /// `device_initialize`, or `device_finalize`.
    Device {
        begins: bool,
        device: i32,
    },
    DeviceLoad {
        device: i32,
    },
    ControlTool {
        command: u64,
        modifier: u64,
        arg: usize,
        codeptr: CodePtr,
    },
    /// Detail of `Dependences`.
    Dependence {
        kind: DependenceKind,
        variable: u64,
    },
    /// Detail: the region at a level; `region` is `None` if the runtime cannot tell now.
    ParallelLevel {
        level: u32,
        region: Option<(Word, i32)>,
    },
    /// Detail: the task at a level; `task` is `None` if the runtime cannot tell now.
    TaskLevel {
        level: u32,
        task: Option<TaskLevel>,
    },
}

/// A task as `ompt_get_task_info` shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskLevel {
    pub(crate) task: Word,
    pub(crate) flags: TaskFlags,
    pub(crate) parallel: Word,
    pub(crate) thread_num: i32,
    pub(crate) frames: Frames,
}
