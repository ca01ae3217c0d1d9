//! The enumerations of events, with the numbers of the tools interface (5.2 §19.4.4).

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_sys::ompt::{
    ompt_dispatch_t, ompt_mutex_t, ompt_scope_endpoint_t, ompt_severity_t, ompt_state_t,
    ompt_sync_region_t, ompt_task_status_t, ompt_thread_t, ompt_work_t,
};

/// `ompt_scope_endpoint_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The region begins.
    Begin = ompt_scope_endpoint_t::BEGIN.0,
    /// The region ends.
    End = ompt_scope_endpoint_t::END.0,
    /// The event stands for both ends of the region: it has no extent in time.
    BeginEnd = ompt_scope_endpoint_t::BEGINEND.0,
}

/// `ompt_thread_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadKind {
    /// A thread of the program that executes an initial task: a root.
    Initial = ompt_thread_t::INITIAL.0,
    /// A thread that the runtime created to execute implicit tasks.
    Worker = ompt_thread_t::WORKER.0,
    /// A thread of the runtime that executes no code of the program.
    Other = ompt_thread_t::OTHER.0,
}

/// `ompt_sync_region_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncRegion {
    /// The `barrier` construct, and a barrier whose call does not say whether it is that or the end
    /// of a worksharing region (gcc's).
    BarrierExplicit = ompt_sync_region_t::BARRIER_EXPLICIT.0,
    /// A barrier that the runtime or the compiler added, such as that of `copyprivate`.
    BarrierImplementation = ompt_sync_region_t::BARRIER_IMPLEMENTATION.0,
    /// A `taskwait` region.
    Taskwait = ompt_sync_region_t::TASKWAIT.0,
    /// The end of a `taskgroup` region, where a task waits for the descendants in the group.
    Taskgroup = ompt_sync_region_t::TASKGROUP.0,
    /// The barrier at the end of a worksharing region without `nowait`.
    BarrierImplicitWorkshare = ompt_sync_region_t::BARRIER_IMPLICIT_WORKSHARE.0,
    /// The barrier at the end of a parallel region.
    BarrierImplicitParallel = ompt_sync_region_t::BARRIER_IMPLICIT_PARALLEL.0,
    /// The barrier at the end of a teams region.
    BarrierTeams = ompt_sync_region_t::BARRIER_TEAMS.0,
}

/// `ompt_work_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A worksharing loop whose schedule the event does not tell.
    Loop = ompt_work_t::LOOP.0,
    /// A `sections` region.
    Sections = ompt_work_t::SECTIONS.0,
    /// A `single` region, on the thread that executes the region's code.
    SingleExecutor = ompt_work_t::SINGLE_EXECUTOR.0,
    /// A `single` region, on a thread that skips the region's code.
    SingleOther = ompt_work_t::SINGLE_OTHER.0,
    /// A `workshare` region of Fortran.
    Workshare = ompt_work_t::WORKSHARE.0,
    /// A `distribute` region: iterations shared out among the teams of a league.
    Distribute = ompt_work_t::DISTRIBUTE.0,
    /// A `taskloop` region.
    Taskloop = ompt_work_t::TASKLOOP.0,
    /// A `scope` region.
    Scope = ompt_work_t::SCOPE.0,
    /// A worksharing loop of static schedule.
    LoopStatic = ompt_work_t::LOOP_STATIC.0,
    /// A worksharing loop of dynamic schedule.
    LoopDynamic = ompt_work_t::LOOP_DYNAMIC.0,
    /// A worksharing loop of guided schedule.
    LoopGuided = ompt_work_t::LOOP_GUIDED.0,
    /// A worksharing loop of another schedule, such as LLVM's trapezoidal one.
    LoopOther = ompt_work_t::LOOP_OTHER.0,
}

/// `ompt_dispatch_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// One iteration of a loop that is dispatched without chunks.
    Iteration = ompt_dispatch_t::ITERATION.0,
    /// One section of a `sections` region.
    Section = ompt_dispatch_t::SECTION.0,
    /// A chunk of a worksharing loop.
    WorksharingLoopChunk = ompt_dispatch_t::WS_LOOP_CHUNK.0,
    /// The chunk of a `taskloop` that one task executes.
    TaskloopChunk = ompt_dispatch_t::TASKLOOP_CHUNK.0,
    /// A chunk of a `distribute` region.
    DistributeChunk = ompt_dispatch_t::DISTRIBUTE_CHUNK.0,
}

/// The number by which tools are told the implementation of a mutex: that of every mutex, a word
/// and a futex.
pub(crate) const MUTEX_IMPLEMENTATION: u32 = 1;

/// `ompt_mutex_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    /// A simple lock that the thread initializes, sets, unsets or destroys.
    Lock = ompt_mutex_t::LOCK.0,
    /// A simple lock that the thread tests (`omp_test_lock`).
    TestLock = ompt_mutex_t::TEST_LOCK.0,
    /// A nestable lock that the thread initializes, sets, unsets or destroys.
    NestLock = ompt_mutex_t::NEST_LOCK.0,
    /// A nestable lock that the thread tests (`omp_test_nest_lock`).
    TestNestLock = ompt_mutex_t::TEST_NEST_LOCK.0,
    /// A `critical` region.
    Critical = ompt_mutex_t::CRITICAL.0,
    /// An `atomic` region for which the runtime takes a lock.
    Atomic = ompt_mutex_t::ATOMIC.0,
    /// An `ordered` region.
    Ordered = ompt_mutex_t::ORDERED.0,
}

/// `ompt_task_status_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    /// The prior task has ended.
    Complete = ompt_task_status_t::COMPLETE.0,
    /// The prior task has met `taskyield`.
    Yield = ompt_task_status_t::YIELD.0,
    /// The prior task has ended because it was cancelled.
    Cancel = ompt_task_status_t::CANCEL.0,
    /// The body of the prior task has ended; the task's event is not fulfilled yet.
    Detach = ompt_task_status_t::DETACH.0,
    /// The event of a detachable task is fulfilled while the task's body has not ended.
    EarlyFulfill = ompt_task_status_t::EARLY_FULFILL.0,
    /// The event of a detachable task is fulfilled after the task's body has ended.
    LateFulfill = ompt_task_status_t::LATE_FULFILL.0,
    /// The thread leaves the prior task, which has not ended, at another scheduling point.
    Switch = ompt_task_status_t::SWITCH.0,
    /// The wait of a `taskwait` with dependences is over.
    TaskwaitComplete = ompt_task_status_t::TASKWAIT_COMPLETE.0,
}

/// `ompt_severity_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// `severity(warning)`: the program goes on.
    Warning = ompt_severity_t::WARNING.0,
    /// `severity(fatal)`: the program ends after the event and its message.
    Fatal = ompt_severity_t::FATAL.0,
}

/// `ompt_state_t`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The thread executes code of the program outside of every parallel region.
    WorkSerial = ompt_state_t::WORK_SERIAL.0.cast_unsigned(),
    /// The thread executes code of the program in a parallel region.
    WorkParallel = ompt_state_t::WORK_PARALLEL.0.cast_unsigned(),
    /// The thread combines partial results of a reduction.
    WorkReduction = ompt_state_t::WORK_REDUCTION.0.cast_unsigned(),
    /// The thread waits at the end of a parallel region.
    WaitBarrierImplicitParallel = ompt_state_t::WAIT_BARRIER_IMPLICIT_PARALLEL.0.cast_unsigned(),
    /// The thread waits at the end of a worksharing region.
    WaitBarrierImplicitWorkshare = ompt_state_t::WAIT_BARRIER_IMPLICIT_WORKSHARE.0.cast_unsigned(),
    /// The thread waits in a `barrier` region, or at a barrier whose call does not say which it is.
    WaitBarrierExplicit = ompt_state_t::WAIT_BARRIER_EXPLICIT.0.cast_unsigned(),
    /// The thread waits at a barrier that the runtime or the compiler added.
    WaitBarrierImplementation = ompt_state_t::WAIT_BARRIER_IMPLEMENTATION.0.cast_unsigned(),
    /// The thread waits at the end of a teams region.
    WaitBarrierTeams = ompt_state_t::WAIT_BARRIER_TEAMS.0.cast_unsigned(),
    /// The thread waits in a `taskwait` region.
    WaitTaskwait = ompt_state_t::WAIT_TASKWAIT.0.cast_unsigned(),
    /// The thread waits at the end of a `taskgroup` region.
    WaitTaskgroup = ompt_state_t::WAIT_TASKGROUP.0.cast_unsigned(),
    /// The thread waits for a lock, simple or nestable.
    WaitLock = ompt_state_t::WAIT_LOCK.0.cast_unsigned(),
    /// The thread waits to enter a `critical` region.
    WaitCritical = ompt_state_t::WAIT_CRITICAL.0.cast_unsigned(),
    /// The thread waits to enter an `atomic` region.
    WaitAtomic = ompt_state_t::WAIT_ATOMIC.0.cast_unsigned(),
    /// The thread waits for its turn in an `ordered` region.
    WaitOrdered = ompt_state_t::WAIT_ORDERED.0.cast_unsigned(),
    /// The thread waits for a target construct to begin that depends on other tasks.
    WaitTarget = ompt_state_t::WAIT_TARGET.0.cast_unsigned(),
    /// The thread is a worker between two parallel regions.
    Idle = ompt_state_t::IDLE.0.cast_unsigned(),
    /// The thread executes code of the runtime that has no state of its own.
    Overhead = ompt_state_t::OVERHEAD.0.cast_unsigned(),
    /// The state is not known: the native thread executes no task of OpenMP.
    Undefined = ompt_state_t::UNDEFINED.0.cast_unsigned(),
}

impl Readable for ThreadKind {
    const KIND: Kind = Kind::Signed;
}

impl Readable for State {
    const KIND: Kind = Kind::Unsigned;
}

impl State {
    /// Whether a thread in this state waits at the barrier that ends a parallel region or a league.
    pub(crate) fn ends_a_region(self) -> bool {
        matches!(self, State::WaitBarrierImplicitParallel | State::WaitBarrierTeams)
    }
}

impl SyncRegion {
    /// The state of a thread that waits in such a region.
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

    /// The barrier inside a region at which a thread in this state waits.
    pub(crate) fn of_barrier(state: State) -> Option<Self> {
        let inside = [
            SyncRegion::BarrierExplicit,
            SyncRegion::BarrierImplementation,
            SyncRegion::BarrierImplicitWorkshare,
        ];
        inside.into_iter().find(|kind| kind.state() == state)
    }
}

impl MutexKind {
    /// The state of a thread that waits for such a mutex: nest locks have no state of their own.
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
    use oxomp_sys::ompt::{
        ompt_frame_flag_t as F, ompt_parallel_flag_t as P, ompt_task_flag_t as T,
    };

    /// The runtime itself calls the outlined function on the primary thread.
    pub const INVOKER_RUNTIME: i32 = P::INVOKER_RUNTIME.0.cast_signed();
    /// The program calls the outlined function on the primary thread, between two calls of the
    /// runtime.
    pub const INVOKER_PROGRAM: i32 = P::INVOKER_PROGRAM.0.cast_signed();
    /// A parallel region.
    pub const TEAM: i32 = P::TEAM.0.cast_signed();
    /// A teams region.
    pub const LEAGUE: i32 = P::LEAGUE.0.cast_signed();
    /// The initial task.
    pub const TASK_INITIAL: i32 = T::INITIAL.0.cast_signed();
    /// An implicit task.
    pub const TASK_IMPLICIT: i32 = T::IMPLICIT.0.cast_signed();
    /// An explicit task.
    pub const TASK_EXPLICIT: i32 = T::EXPLICIT.0.cast_signed();
    /// A target task.
    pub const TASK_TARGET: i32 = T::TARGET.0.cast_signed();
    /// The task that waits in a taskwait with dependences.
    pub const TASK_TASKWAIT: i32 = T::TASKWAIT.0.cast_signed();
    /// The encountering thread executes the task before it goes on (`if(0)` and the like).
    pub const TASK_UNDEFERRED: i32 = T::UNDEFERRED.0.cast_signed();
    /// A task of an untied construct: any thread of the team may resume it.
    pub const TASK_UNTIED: i32 = T::UNTIED.0.cast_signed();
    /// A final task, whose child tasks are included tasks.
    pub const TASK_FINAL: i32 = T::FINAL.0.cast_signed();
    /// A mergeable task, which may share the data environment of its parent.
    pub const TASK_MERGEABLE: i32 = T::MERGEABLE.0.cast_signed();
    /// A frame of the runtime, by its frame pointer.
    pub const FRAME_RUNTIME: i32 = F::RUNTIME.union(F::FRAMEPOINTER).0.cast_signed();
    /// A frame of the application, by its frame pointer.
    pub const FRAME_APPLICATION: i32 = F::APPLICATION.union(F::FRAMEPOINTER).0.cast_signed();
    /// A frame of the application, by an address in its stack.
    pub const STACK_APPLICATION: i32 = F::APPLICATION.union(F::STACKADDRESS).0.cast_signed();
    /// A frame of the runtime, by an address in its stack.
    pub const STACK_RUNTIME: i32 = F::RUNTIME.union(F::STACKADDRESS).0.cast_signed();
}
