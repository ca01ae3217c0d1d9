//! Events of the host: threads, regions, tasks, synchronization (OpenMP 5.0 §4.5.2).

use core::ffi::c_void;

use oxomp_sys::omp::omp_control_tool_t;
use oxomp_sys::ompt::{ompt_dependence_t, ompt_dispatch_chunk_t, ompt_dispatch_t};

use super::argument::elements;
use super::arguments;
use super::read::events;
use crate::{
    CancelFlags, CodePtr, DependenceKind, Endpoint, Frame, Model, MutexKind, ParallelFlags, Raw,
    Severity, SyncHint, SyncRegionKind, TaskFlags, TaskStatus, ThreadKind, WaitId, WorkKind,
};

/// A native thread begins to work for OpenMP: the first event of the thread.
#[derive(Clone, Copy, Debug)]
pub struct ThreadBegin<'a, D: Model = Raw> {
    /// The kind of thread.
    pub kind: ThreadKind,
    /// The thread's word, or data.
    pub thread: Option<D::Thread<'a>>,
}

/// A thread ends.
#[derive(Clone, Copy, Debug)]
pub struct ThreadEnd<'a, D: Model = Raw> {
    /// The thread's word, or data.
    pub thread: Option<D::Thread<'a>>,
}

/// A parallel or teams region begins.
#[derive(Clone, Copy, Debug)]
pub struct ParallelBegin<'a, D: Model = Raw> {
    /// The task that met the construct.
    pub encountering_task: Option<D::Task<'a>>,
    /// That task's frames.
    pub encountering_frame: Option<Frame<'a>>,
    /// The new region's word.
    pub parallel: Option<D::Region<'a>>,
    /// Threads or teams that the program asked for; the team may be smaller.
    pub requested_parallelism: u32,
    /// Team or league, and who calls the program's code.
    pub flags: ParallelFlags,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A parallel or teams region ends; workers' ends may follow.
#[derive(Clone, Copy, Debug)]
pub struct ParallelEnd<'a, D: Model = Raw> {
    /// The region's word.
    pub parallel: Option<D::Region<'a>>,
    /// The encountering task, which continues.
    pub encountering_task: Option<D::Task<'a>>,
    /// Team or league, and who calls the program's code: the flags of the begin.
    pub flags: ParallelFlags,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// An implicit task, or an initial task, begins or ends.
#[derive(Clone, Copy, Debug)]
pub struct ImplicitTask<'a, D: Model = Raw> {
    /// Begin or end.
    pub endpoint: Endpoint,
    /// The region's word; `None` at the end of the task, when the region may be gone.
    pub parallel: Option<D::Region<'a>>,
    /// The task's word.
    pub task: Option<D::Task<'a>>,
    /// Begin: threads of the team, or teams of the league. End: 0.
    pub actual_parallelism: u32,
    /// The thread's number in the team, or the team's number in the league; 1 for an initial task.
    pub index: u32,
    /// Implicit or initial.
    pub flags: TaskFlags,
}

events! {
    /// A worksharing, distribute or taskloop region begins or ends.
    #[derive(Clone, Copy, Debug)]
    Work<'a, D> from c: arguments::ompt_callback_work_t {
        /// The kind of region.
        kind: WorkKind = c.work_type.into(),
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// The current parallel region.
        parallel: Option<D::Region<'a>> = D::region_around(c.parallel_data, c.task_data),
        /// The implicit task.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// Iterations of the whole loop, sections, or units of work; may be 0 at the end.
        count: u64 = c.count,
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }
}

/// A chunk of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// First logical iteration, from 0.
    pub start: u64,
    /// How many iterations.
    pub iterations: u64,
}

/// The chunk, iteration or section that is about to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DispatchInstance {
    /// One iteration of a loop, by its logical number.
    Iteration(u64),
    /// One section, by its code.
    Section(CodePtr),
    /// A chunk of a worksharing loop.
    WsLoopChunk(Chunk),
    /// The iterations of a task of a taskloop.
    TaskloopChunk(Chunk),
    /// A chunk of a distribute construct.
    DistributeChunk(Chunk),
    /// A kind that the SDK does not know, or a chunk without address.
    Unknown {
        /// The number of the kind in C.
        kind: i32,
        /// The word that describes the instance.
        instance: u64,
    },
}

impl DispatchInstance {
    /// Reads what a dispatch callback was given.
    ///
    /// # Safety
    /// If `kind` is one of the chunk kinds, `instance` is 0 or points to a chunk.
    pub(crate) unsafe fn from_raw(
        kind: ompt_dispatch_t,
        instance: oxomp_sys::ompt::ompt_data_t,
    ) -> Self {
        let make: fn(Chunk) -> Self = match kind {
            ompt_dispatch_t::ITERATION => return Self::Iteration(instance.value),
            ompt_dispatch_t::SECTION => return Self::Section(CodePtr(instance.value as usize)),
            ompt_dispatch_t::WS_LOOP_CHUNK => Self::WsLoopChunk,
            ompt_dispatch_t::TASKLOOP_CHUNK => Self::TaskloopChunk,
            ompt_dispatch_t::DISTRIBUTE_CHUNK => Self::DistributeChunk,
            _ => return Self::Unknown { kind: kind.0, instance: instance.value },
        };
        // SAFETY: a chunk kind, so null or a chunk, as the caller promises.
        match unsafe { instance.ptr::<ompt_dispatch_chunk_t>().as_ref() } {
            Some(chunk) => make(Chunk { start: chunk.start, iterations: chunk.iterations }),
            None => Self::Unknown { kind: kind.0, instance: 0 },
        }
    }
}

events! {
    /// A chunk, an iteration or a section is about to run.
    #[derive(Clone, Copy, Debug)]
    Dispatch<'a, D> from c: arguments::ompt_callback_dispatch_t {
        /// The current parallel region.
        parallel: Option<D::Region<'a>> = D::region_around(c.parallel_data, c.task_data),
        /// The task that runs it.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// The chunk, iteration or section that is about to run.
        instance: DispatchInstance = DispatchInstance::from_raw(c.kind, c.instance),
    }
}

/// A task is created.
#[derive(Clone, Copy, Debug)]
pub struct TaskCreate<'a, D: Model = Raw> {
    /// The task that met the construct.
    pub encountering_task: Option<D::Task<'a>>,
    /// That task's frames.
    pub encountering_frame: Option<Frame<'a>>,
    /// The new task's word.
    pub task: Option<D::Task<'a>>,
    /// Kind and properties of the new task.
    pub flags: TaskFlags,
    /// Whether it has dependences.
    pub has_dependences: bool,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// One dependence of a task, or one element of a doacross vector.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Dependence(ompt_dependence_t);

impl Dependence {
    /// The kind of dependence.
    pub fn kind(&self) -> DependenceKind {
        self.0.dependence_type.into()
    }

    /// The storage's address, or for source and sink an element of the iteration vector;
    /// meaningless for the all-memory kinds.
    pub fn variable(&self) -> u64 {
        self.0.variable.value
    }
}

events! {
    /// A task has dependences, or a doacross loop reports its source or sink.
    #[derive(Clone, Copy, Debug)]
    Dependences<'a, D> from c: arguments::ompt_callback_dependences_t {
        /// The task.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// The task's dependences.
        dependences: &'a [Dependence] = elements(c.deps.cast::<Dependence>(), c.ndeps),
    }

    /// An unfulfilled dependence between two tasks was seen.
    #[derive(Clone, Copy, Debug)]
    TaskDependence<'a, D> from c: arguments::ompt_callback_task_dependence_t {
        /// The task that must complete first.
        source: Option<D::Other<'a>> = D::other(c.src_task_data),
        /// The task that waits.
        sink: Option<D::Other<'a>> = D::other(c.sink_task_data),
    }
}

/// A thread switches tasks, or a detached task's event is fulfilled.
#[derive(Clone, Copy, Debug)]
pub struct TaskSchedule<'a, D: Model = Raw> {
    /// The task that stops, completes, or whose event is fulfilled.
    pub prior: Option<D::Task<'a>>,
    /// The reason for the event: what has become of the prior task.
    pub status: TaskStatus,
    /// The task that starts or resumes; `None` without a switch.
    pub next: Option<D::Task<'a>>,
}

events! {
    /// A masked region begins or ends.
    #[derive(Clone, Copy, Debug)]
    Masked<'a, D> from c: arguments::ompt_callback_masked_t {
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// The current parallel region.
        parallel: Option<D::Region<'a>> = D::region_around(c.parallel_data, c.task_data),
        /// The encountering task.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A synchronization region, waiting in it, or a reduction begins or ends.
    #[derive(Clone, Copy, Debug)]
    SyncRegion<'a, D> from c: arguments::ompt_callback_sync_region_t {
        /// The kind of region.
        kind: SyncRegionKind = c.kind.into(),
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// The current parallel region; `None` at the end of a parallel region's barrier.
        parallel: Option<D::Region<'a>> = D::region_around(c.parallel_data, c.task_data),
        /// The encountering task.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A lock is initialized, or a thread is about to acquire a mutex.
    #[derive(Clone, Copy, Debug)]
    MutexAcquire from c: arguments::ompt_callback_mutex_acquire_t {
        /// The kind of mutex.
        kind: MutexKind = c.kind.into(),
        /// The program's hint.
        hint: SyncHint = SyncHint(c.hint),
        /// The runtime's implementation, by a number of its own.
        implementation: u32 = c.implementation,
        /// Which mutex.
        wait_id: WaitId = WaitId(c.wait_id),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A lock is destroyed, or a thread acquired or released a mutex.
    #[derive(Clone, Copy, Debug)]
    Mutex from c: arguments::ompt_callback_mutex_t {
        /// The kind of mutex.
        kind: MutexKind = c.kind.into(),
        /// Which mutex.
        wait_id: WaitId = WaitId(c.wait_id),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// The owner of a nest lock acquired it once more (begin), or released it and still owns it
    /// (end).
    #[derive(Clone, Copy, Debug)]
    NestLock from c: arguments::ompt_callback_nest_lock_t {
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// Which lock.
        wait_id: WaitId = WaitId(c.wait_id),
        /// Where the call is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A thread encountered a flush construct.
    #[derive(Clone, Copy, Debug)]
    Flush<'a, D> from c: arguments::ompt_callback_flush_t {
        /// The thread's word, or data.
        thread: Option<D::Thread<'a>> = D::thread(c.thread_data),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }
}

/// Cancellation was activated or detected, or a task was discarded.
#[derive(Clone, Copy, Debug)]
pub struct Cancel<'a, D: Model = Raw> {
    /// The encountering task, or the discarded one.
    pub task: Option<D::Task<'a>>,
    /// The construct that is cancelled, and whether a thread activated or detected that, or
    /// discarded a task.
    pub flags: CancelFlags,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

events! {
    /// An error directive is executed.
    #[derive(Clone, Copy, Debug)]
    ErrorDirective<'a> from c: arguments::ompt_callback_error_t {
        /// The directive's severity.
        severity: Severity = c.severity.into(),
        /// The directive's message, in any encoding, without a terminating zero.
        message: &'a [u8] = elements(c.message.cast::<u8>(), c.length),
        /// Where the directive is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }
}

/// The program called `omp_control_tool`.
#[derive(Clone, Copy, Debug)]
pub struct ControlTool {
    /// [`ControlTool::START`] and the constants beside it; numbers from 64 on are the tool's own.
    pub command: u64,
    /// The program's second argument, sign-extended.
    pub modifier: u64,
    /// The program's third argument.
    pub arg: *mut c_void,
    /// Where the call is.
    pub codeptr_ra: CodePtr,
}

impl ControlTool {
    /// The command to start, or go on, monitoring.
    pub const START: u64 = omp_control_tool_t::START.0 as u64;
    /// The command to stop monitoring for a while.
    pub const PAUSE: u64 = omp_control_tool_t::PAUSE.0 as u64;
    /// The command to write what is buffered.
    pub const FLUSH: u64 = omp_control_tool_t::FLUSH.0 as u64;
    /// The command to stop monitoring for good, and write the results.
    pub const END: u64 = omp_control_tool_t::END.0 as u64;
    /// The first command whose meaning the tool defines.
    pub const FIRST_OWN: u64 = 64;
}
