//! The words of the events, numbered as the OpenMP specification numbers them (5.2 §19.4.4).

use oxomp_ompd_layout::{Kind, Readable};

/// `ompt_scope_endpoint_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    Begin = 1,
    End = 2,
    BeginEnd = 3,
}

/// `ompt_thread_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadKind {
    Initial = 1,
    Worker = 2,
    Other = 3,
}

/// `ompt_sync_region_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncRegion {
    BarrierExplicit = 3,
    BarrierImplementation = 4,
    Taskwait = 5,
    Taskgroup = 6,
    BarrierImplicitWorkshare = 8,
    BarrierImplicitParallel = 9,
    BarrierTeams = 10,
}

/// `ompt_work_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Loop = 1,
    Sections = 2,
    SingleExecutor = 3,
    SingleOther = 4,
    Workshare = 5,
    Distribute = 6,
    Taskloop = 7,
    Scope = 8,
    LoopStatic = 10,
    LoopDynamic = 11,
    LoopGuided = 12,
    LoopOther = 13,
}

/// `ompt_dispatch_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    Iteration = 1,
    Section = 2,
    WorksharingLoopChunk = 3,
    TaskloopChunk = 4,
    DistributeChunk = 5,
}

/// `ompt_mutex_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    Lock = 1,
    TestLock = 2,
    NestLock = 3,
    TestNestLock = 4,
    Critical = 5,
    Atomic = 6,
    Ordered = 7,
}

/// `ompt_task_status_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    Complete = 1,
    Yield = 2,
    Cancel = 3,
    Detach = 4,
    EarlyFulfill = 5,
    LateFulfill = 6,
    Switch = 7,
    TaskwaitComplete = 8,
}

/// `ompt_severity_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Warning = 1,
    Fatal = 2,
}

/// `ompt_state_t`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    WorkSerial = 0x000,
    WorkParallel = 0x001,
    WorkReduction = 0x002,
    WaitBarrierImplicitParallel = 0x011,
    WaitBarrierImplicitWorkshare = 0x012,
    WaitBarrierExplicit = 0x014,
    WaitBarrierImplementation = 0x015,
    WaitBarrierTeams = 0x016,
    WaitTaskwait = 0x020,
    WaitTaskgroup = 0x021,
    WaitLock = 0x041,
    WaitCritical = 0x042,
    WaitAtomic = 0x043,
    WaitOrdered = 0x044,
    Idle = 0x100,
    Overhead = 0x101,
    Undefined = 0x102,
}

impl Readable for ThreadKind {
    const KIND: Kind = Kind::Signed;
}

impl Readable for State {
    const KIND: Kind = Kind::Unsigned;
}

impl SyncRegion {
    /// The state of a thread that waits there.
    #[inline(always)]
    pub const fn state(self) -> State {
        match self {
            SyncRegion::BarrierExplicit => State::WaitBarrierExplicit,
            SyncRegion::BarrierImplementation => State::WaitBarrierImplementation,
            SyncRegion::Taskwait => State::WaitTaskwait,
            SyncRegion::Taskgroup => State::WaitTaskgroup,
            SyncRegion::BarrierImplicitWorkshare => State::WaitBarrierImplicitWorkshare,
            SyncRegion::BarrierImplicitParallel => State::WaitBarrierImplicitParallel,
            SyncRegion::BarrierTeams => State::WaitBarrierTeams,
        }
    }
}

impl MutexKind {
    /// The state of a thread that waits for one: nest locks have no state of their own.
    pub const fn state(self) -> State {
        match self {
            MutexKind::Critical => State::WaitCritical,
            MutexKind::Atomic => State::WaitAtomic,
            MutexKind::Ordered => State::WaitOrdered,
            _ => State::WaitLock,
        }
    }
}

/// Flag words: `ompt_parallel_flag_t`, `ompt_task_flag_t`, `ompt_frame_flag_t`.
pub mod flags {
    /// The runtime calls the outlined function on the primary thread.
    pub const INVOKER_RUNTIME: i32 = 0x2;
    /// The program calls it between two calls of the runtime.
    pub const INVOKER_PROGRAM: i32 = 0x1;
    /// A parallel region.
    pub const TEAM: i32 = i32::MIN;
    /// A teams region.
    pub const LEAGUE: i32 = 0x4000_0000;
    /// The initial task.
    pub const TASK_INITIAL: i32 = 0x1;
    /// An implicit task.
    pub const TASK_IMPLICIT: i32 = 0x2;
    /// An explicit task.
    pub const TASK_EXPLICIT: i32 = 0x4;
    /// A target task.
    pub const TASK_TARGET: i32 = 0x8;
    /// The task that waits in a taskwait with dependences.
    pub const TASK_TASKWAIT: i32 = 0x10;
    pub const TASK_UNDEFERRED: i32 = 0x0800_0000;
    pub const TASK_UNTIED: i32 = 0x1000_0000;
    pub const TASK_FINAL: i32 = 0x2000_0000;
    pub const TASK_MERGEABLE: i32 = 0x4000_0000;
    /// A frame of the runtime, by its frame pointer.
    pub const FRAME_RUNTIME: i32 = 0x20;
    /// A frame of the application, by its frame pointer.
    pub const FRAME_APPLICATION: i32 = 0x21;
    /// A frame of the application, by an address in its stack.
    pub const STACK_APPLICATION: i32 = 0x31;
}
