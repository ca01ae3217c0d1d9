//! The record of an event of the report: its arguments, as plain data of a fixed size.

use ompt::CodePtr;
use ompt::report_2015::{
    DependenceFlags, Event, Frame, Invoker, MapFlags, MapId, ParallelId, State, TargetTaskKind,
    TaskId, TaskKind, ThreadId, ThreadKind, WaitId,
};

/// One event, or a detail of the event before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Position in the global order; a detail has the position of its event.
    pub(crate) seq: u64,
    /// ns since the start of the tool.
    pub(crate) time: u64,
    /// The thread's state inside the callback, and the id of the mutex that it waits for.
    pub(crate) state: State,
    pub(crate) wait: Option<WaitId>,
    /// The calling thread, as the runtime says.
    pub(crate) thread: Option<ThreadId>,
    /// The event and its arguments.
    pub(crate) entry: Entry,
}

/// Both frames of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames {
    pub(crate) exit: Option<u64>,
    pub(crate) reenter: Option<u64>,
}

impl Frames {
    pub(crate) fn of(frame: Option<Frame<'_>>) -> Self {
        Self {
            exit: frame.and_then(|frame| frame.exit()),
            reenter: frame.and_then(|frame| frame.reenter()),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// `thread_begin`, `thread_end`.
    Thread {
        event: Event,
        kind: ThreadKind,
        thread: Option<ThreadId>,
    },
    /// `idle_begin`, `idle_end`, `flush`.
    OfThread {
        event: Event,
        thread: Option<ThreadId>,
    },
    ParallelBegin {
        parallel: Option<ParallelId>,
        parent: Option<TaskId>,
        frames: Frames,
        requested: u32,
        function: CodePtr,
        invoker: Invoker,
    },
    ParallelEnd {
        parallel: Option<ParallelId>,
        task: Option<TaskId>,
        invoker: Invoker,
    },
    TaskBegin {
        task: Option<TaskId>,
        parent: Option<TaskId>,
        frames: Frames,
        function: CodePtr,
    },
    Task {
        event: Event,
        task: Option<TaskId>,
    },
    Region {
        event: Event,
        parallel: Option<ParallelId>,
        task: Option<TaskId>,
    },
    Construct {
        event: Event,
        parallel: Option<ParallelId>,
        task: Option<TaskId>,
        codeptr: CodePtr,
    },
    Mutex {
        event: Event,
        wait_id: Option<WaitId>,
    },
    Lock {
        event: Event,
        wait_id: Option<WaitId>,
        hint: u32,
        lock_type: u32,
    },
    Atomic {
        wait_id: Option<WaitId>,
        atomic_type: u32,
    },
    /// `task_switch`, `task_dependence_pair`.
    Pair {
        event: Event,
        first: Option<TaskId>,
        second: Option<TaskId>,
    },
    Dependences {
        task: Option<TaskId>,
        count: usize,
    },
    Control {
        command: u64,
        modifier: u64,
    },
    TargetTaskBegin {
        task: Option<TaskId>,
        parent: Option<TaskId>,
        frames: Frames,
        device: i32,
        function: CodePtr,
        kind: TargetTaskKind,
    },
    TargetDataBegin {
        task: Option<TaskId>,
        device: i32,
        codeptr: CodePtr,
    },
    MapBegin {
        task: Option<TaskId>,
        device: i32,
        map: MapId,
        count: usize,
    },
    MapEnd {
        device: i32,
        map: MapId,
    },
    Shutdown,
    /// Detail of `Dependences`.
    Dependence {
        flags: DependenceFlags,
        variable: u64,
    },
    /// Detail of `MapBegin`.
    MapItem {
        flags: MapFlags,
        bytes: usize,
    },
    /// Detail: the region at a level.
    ParallelLevel {
        level: u32,
        parallel: Option<ParallelId>,
        size: Option<u32>,
    },
    /// Detail: the task at a level.
    TaskLevel {
        level: u32,
        kind: TaskKind,
        task: Option<TaskId>,
        parallel: Option<ParallelId>,
        frames: Frames,
    },
}

impl Entry {
    pub(crate) fn is_detail(&self) -> bool {
        matches!(
            self,
            Self::Dependence { .. }
                | Self::MapItem { .. }
                | Self::ParallelLevel { .. }
                | Self::TaskLevel { .. }
        )
    }
}
