//! The records of a thread, a region and a task for a tool; embedded in those types.
//!
//! Only the thread that owns a record writes it. Entry points read a thread's record in a signal
//! handler of that same thread. The records of regions and tasks consist of words, since entry
//! points read them also on other threads, which are in the same region or in a nested task.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, compiler_fence};

use oxomp_arch::{CallSite, Caller};
use oxomp_base::word::Word;
use oxomp_ompd_layout::{Kind, Readable, Record, fields};
use oxomp_sys::connection::oxomp_target_t;
use oxomp_sys::unreported::oxomp_unreported_t;

use super::begun::Begun;
use super::kinds::{MutexKind, State, Work, flags};
use super::mask;
use super::report_2015::Report2015;

/// The record of a thread: the tool's data word, the state, and the wait id in a mutex wait state.
#[derive(Debug)]
pub struct ThreadRecord {
    /// The tool's word for the thread (`ompt_data_t`), 0 until the tool writes it; for a tool
    /// of the 2015 report its id, 0 until it has one.
    pub(crate) data: Cell<u64>,
    /// The present state, which `ompt_get_state` returns.
    pub(crate) state: Cell<State>,
    /// The mutex that the thread waits for (`ompt_wait_id_t`); 0 outside of such a wait.
    pub(crate) wait_id: Cell<u64>,
    /// That mutex is a nestable lock, which has no state of its own.
    pub(crate) waits_for_nest_lock: Cell<bool>,
    /// The kind of owner of the nestable lock that the thread has waited for last
    /// (`mutex::nest_lock::Owner`).
    pub(crate) nest_lock_owner: Cell<u8>,
    /// The first events of a root have been emitted.
    pub(crate) is_announced: Cell<bool>,
    /// A worker waits for work outside of regions, and a listener has heard of it.
    pub(super) is_idle: Cell<bool>,
    /// The session of the tool in which the thread has reported an event, from 1; kept only where
    /// threads join a session (`tool/restart_2015.rs`, `tool/attach.rs`).
    pub(crate) session: Cell<u32>,
    /// The last event of a worker is being emitted, and its callback has not ended the tool.
    pub(crate) is_leaving: Cell<bool>,
    /// The number of the tool's callbacks that run on the thread. The thread writes it; the thread
    /// that ends the tool reads it.
    pub(crate) callbacks_running: AtomicU32,
    /// The thread calls `ompt_finalize_tool`. It may be in a callback.
    pub(crate) ends_tool: AtomicBool,
    /// A worker has left a region and has not yet reported its end. The worker sets it before it
    /// arrives at the region's barrier, so that the primary thread sees it.
    pub(crate) is_reporting: AtomicBool,
    /// The calls of the constructs that the thread has begun most recently.
    pub(crate) begun: Begun,
    /// The target construct that oxomp's libomptarget executes on the thread, which stores its
    /// address here (`oxomp_sys::connection`); null for none.
    pub(crate) target: AtomicPtr<oxomp_target_t>,
    /// The table of mutexes that the thread acquires without events, which oxomp's collector has
    /// lent it (`oxomp_sys::unreported`); null for none.
    pub(crate) unreported: AtomicPtr<oxomp_unreported_t>,
    /// The part that only tools of the 2015 report need.
    pub(crate) report_2015: Report2015,
}

impl ThreadRecord {
    /// The record of a thread of which no tool has heard.
    pub(crate) const fn new() -> Self {
        ThreadRecord {
            data: Cell::new(0),
            state: Cell::new(State::Overhead),
            wait_id: Cell::new(0),
            waits_for_nest_lock: Cell::new(false),
            nest_lock_owner: Cell::new(0),
            is_announced: Cell::new(false),
            is_idle: Cell::new(false),
            session: Cell::new(0),
            is_leaving: Cell::new(false),
            callbacks_running: AtomicU32::new(0),
            ends_tool: AtomicBool::new(false),
            is_reporting: AtomicBool::new(false),
            begun: Begun::new(),
            target: AtomicPtr::new(ptr::null_mut()),
            unreported: AtomicPtr::new(ptr::null_mut()),
            report_2015: Report2015::new(),
        }
    }

    /// The target construct that oxomp's libomptarget executes on the calling thread, whose record
    /// this is.
    pub(crate) fn target(&self) -> Option<&oxomp_target_t> {
        // Relaxed: the thread wrote the word itself. In a signal handler the fence keeps the reads
        // of the record after the read of its address; libomptarget has a fence before it stores
        // the address.
        let target = self.target.load(Relaxed);
        compiler_fence(Acquire);
        // SAFETY: null, or a record that libomptarget keeps until it has taken its address away, on
        // this thread.
        unsafe { target.as_ref() }
    }

    /// Sets the state of the calling thread, whose record this is, while `body` runs.
    #[inline(always)]
    pub(crate) fn in_state<R>(&self, state: State, body: impl FnOnce() -> R) -> R {
        let before = self.state.replace(state);
        let result = body();
        self.state.set(before);
        result
    }

    /// Sets the state and the wait id of the calling thread, whose record this is, while `body`
    /// waits for that mutex. A signal handler that sees the state sees the id and the kind.
    #[inline]
    pub(crate) fn wait_for<R>(&self, kind: MutexKind, wait_id: u64, body: impl FnOnce() -> R) -> R {
        let is_nest_lock = matches!(kind, MutexKind::NestLock);
        self.wait_id.set(wait_id);
        if is_nest_lock {
            self.waits_for_nest_lock.set(true);
        }
        compiler_fence(SeqCst);
        let result = self.in_state(kind.state(), body);
        compiler_fence(SeqCst);
        if is_nest_lock {
            self.waits_for_nest_lock.set(false);
        }
        self.wait_id.set(0);
        result
    }

    /// Sets the wait id of the calling thread, whose record this is, while `body` waits for a mutex
    /// of the runtime's own that has no state. A tool reads a wait id in the states of mutexes
    /// only; a debugger reads it in others too.
    pub(crate) fn wait_unseen<R>(&self, wait_id: u64, body: impl FnOnce() -> R) -> R {
        self.wait_id.set(wait_id);
        let result = body();
        self.wait_id.set(0);
        result
    }

    /// Resets the record of a native thread that is gone, for the block's next one.
    pub(crate) fn begin_anew(&self) {
        self.data.set(0);
        self.state.set(State::Overhead);
        self.wait_id.set(0);
        self.waits_for_nest_lock.set(false);
        self.is_announced.set(false);
        self.is_idle.set(false);
        self.session.set(0);
        self.is_leaving.set(false);
        self.callbacks_running.store(0, Relaxed);
        self.ends_tool.store(false, Relaxed);
        self.is_reporting.store(false, Relaxed);
        self.begun.clear();
        self.target.store(ptr::null_mut(), Relaxed);
        self.unreported.store(ptr::null_mut(), Relaxed);
        self.report_2015.begin_anew();
    }
}

impl Default for ThreadRecord {
    fn default() -> Self {
        Self::new()
    }
}

/// The generation of a region or task, for debuggers: it differs from those of the regions or tasks
/// that use the same memory before and after, and is odd while the region or task lives. It counts
/// only while a debugger is expected. (The generations of `task::state::depend` are sets of tasks.)
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct Generation(Word<u32>);

impl Generation {
    /// Begins the next region or task in this memory.
    pub(super) fn begin(&self) {
        self.0.set(self.0.get().wrapping_add(1) | 1);
    }

    /// Ends the present region or task.
    pub(crate) fn end(&self) {
        self.0.set((self.0.get() | 1).wrapping_add(1));
    }
}

/// The record of a parallel region: the tool's data word, the generation, and the session.
#[derive(Debug, Default)]
pub struct ParallelRecord {
    /// The tool's word for the region (`ompt_data_t`), 0 until the tool writes it; for a tool
    /// of the 2015 report its id, 0 until it has one.
    pub(crate) data: Word<u64>,
    /// The generation of the region.
    pub(crate) generation: Generation,
    /// The session of an attached tool that has heard of the region's begin; 0 for none
    /// (`tool/attach.rs`).
    pub(crate) session: Word<u32>,
}

impl ParallelRecord {
    /// Begins a new region: no word of the tool's.
    #[inline(always)]
    pub(super) fn begin(&self) {
        // A tool that writes none leaves the workers their copies of the line, which each worker
        // reads when it leaves the region (`parallel`).
        if self.data.get() != 0 {
            self.data.set(0);
        }
    }
}

/// `ompt_frame_t` (5.2 §19.4.4.29): tools get a pointer to it.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Frame {
    /// The first frame of the task's region: the runtime's, which calls the outlined function, or
    /// the program's, if it executes the task in place. It is null in an initial task, and while
    /// the task's code does not run.
    pub(crate) exit: Word<*mut c_void>,
    /// The last frame before the task entered the runtime: the program's, or that of the runtime
    /// which called the task's code, if this ended with a jump into the runtime. Null while the
    /// task's code runs.
    pub(crate) enter: Word<*mut c_void>,
    /// Whose frame `exit` is, and how the address identifies it (`ompt_frame_flag_t`).
    pub(crate) exit_flags: Word<i32>,
    /// Whose frame `enter` is, and how the address identifies it (`ompt_frame_flag_t`).
    pub(crate) enter_flags: Word<i32>,
}

impl Frame {
    /// Sets the exit frame: the program's function that made the call at `site` executes the task.
    pub(crate) fn exit_from(&self, site: CallSite) {
        self.enter_from(site);
        self.exit.set(self.enter.replace(ptr::null_mut()));
        self.exit_flags.set(self.enter_flags.get());
    }

    /// The task, whose exit frame `exit_from` has set, is over.
    pub(crate) fn leave(&self) {
        self.exit.set(ptr::null_mut());
        self.exit_flags.set(flags::FRAME_RUNTIME);
    }

    /// Sets the enter frame: the task enters the runtime from the program's function that made the
    /// call at `site`.
    pub(crate) fn enter_from(&self, site: CallSite) {
        let (address, kind) = match site.caller() {
            Caller::Nobody => (ptr::null_mut(), flags::FRAME_APPLICATION),
            Caller::FramePointer(frame) => (frame, flags::FRAME_APPLICATION),
            Caller::StackAddress(address) => (address, flags::STACK_APPLICATION),
            Caller::TailCall(address) => (address, flags::STACK_RUNTIME),
        };
        self.enter.set(address);
        self.enter_flags.set(kind);
    }
}

/// The worksharing region that a task is in, as a debugger reads it, and the wait that it is in.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct WorkRecord {
    /// `ompt_work_t`; 0 for none.
    pub(super) kind: Word<i32>,
    /// The kind of region in which the task waits, for a tool of the 2015 report; 0 for none. The
    /// report's encoder gives the kinds numbers.
    pub(crate) waits_in: Word<u32>,
    /// The number of its iterations, or sections.
    pub(super) iterations: Word<u64>,
    /// The first iteration of the present chunk.
    pub(super) chunk_start: Word<u64>,
    /// The number of iterations of the present chunk.
    pub(super) chunk_iterations: Word<u64>,
}

impl WorkRecord {
    /// Notes the region that the task is in; `None` after the region's end.
    pub(super) fn set(&self, kind: Option<Work>, iterations: u64) {
        self.chunk_iterations.set(0);
        self.iterations.set(iterations);
        self.kind.set(kind.map_or(0, |kind| kind as i32));
    }
}

/// The record of a task: the tool's data word, the frames, the flags of `ompt_task_flag_t`, the
/// session, and the region; for a debugger, the generation and the present worksharing region.
///
/// The order keeps apart what the generating thread of an explicit task rarely changes (the first
/// three fields), what the executing thread writes, and the tool's word, which both may write
/// (`task::state::task::Task`).
#[derive(Debug)]
#[repr(C)]
pub struct TaskRecord {
    /// The kind and the properties of the task (`ompt_task_flag_t`).
    pub(crate) flags: Word<i32>,
    /// The session of an attached tool that knows the task; 0 for none (`tool/under_way.rs`).
    pub(crate) session: Word<u32>,
    /// The record of the region that the task belongs to; null for none.
    pub(crate) parallel: Word<*const ParallelRecord>,
    /// The worksharing region that the task is in.
    pub(crate) work: WorkRecord,
    /// The generation of the task.
    pub(crate) generation: Generation,
    /// The frames between the task's code and the runtime (`ompt_frame_t`).
    pub(crate) frame: Frame,
    /// The tool's word for the task (`ompt_data_t`), 0 until the tool writes it; for a tool
    /// of the 2015 report its id, 0 until it has one.
    pub(crate) data: Word<u64>,
}

impl Readable for Generation {
    const KIND: Kind = Kind::Unsigned;
}

impl Readable for ParallelRecord {
    const KIND: Kind = Kind::Structure;
}

impl Readable for TaskRecord {
    const KIND: Kind = Kind::Structure;
}

/// The fields that a debugger reads of a task of any kind. `flags` has all bits of
/// `ompt_task_flag_t`.
pub(crate) const FIELDS: &[Record] = fields!(TaskRecord as Task {
    generation => TaskGeneration,
    flags => TaskFlags,
    flags[0; 1] => TaskIsInitial,
    flags[1; 1] => TaskIsImplicit,
    flags[2; 1] => TaskIsExplicit,
    flags[3; 1] => TaskIsTarget,
    flags[29; 1] => TaskIsFinal,
    data => TaskData,
    frame.exit => TaskExitFrame,
    frame.enter => TaskEnterFrame,
    frame.exit_flags => TaskExitFrameFlags,
    frame.enter_flags => TaskEnterFrameFlags,
    work.kind => TaskWork,
    work.iterations => TaskWorkIterations,
    work.chunk_start => TaskChunkStart,
    work.chunk_iterations => TaskChunkIterations,
});

impl TaskRecord {
    /// The record of a task of the region `parallel`, which lives as long as the task.
    pub(crate) const fn new(flags: i32, parallel: *const ParallelRecord) -> Self {
        const NOWHERE: *mut c_void = ptr::null_mut();
        TaskRecord {
            flags: Word::<i32>::new(flags),
            session: Word::<u32>::new(0),
            parallel: Word::<*const ParallelRecord>::new(parallel),
            work: WorkRecord {
                kind: Word::<i32>::new(0),
                waits_in: Word::<u32>::new(0),
                iterations: Word::<u64>::new(0),
                chunk_start: Word::<u64>::new(0),
                chunk_iterations: Word::<u64>::new(0),
            },
            generation: Generation(Word::<u32>::new(0)),
            frame: Frame {
                exit: Word::<*mut c_void>::new(NOWHERE),
                enter: Word::<*mut c_void>::new(NOWHERE),
                exit_flags: Word::<i32>::new(flags::FRAME_RUNTIME),
                enter_flags: Word::<i32>::new(flags::FRAME_APPLICATION),
            },
            data: Word::<u64>::new(0),
        }
    }

    /// Begins a new implicit task in this record.
    pub(super) fn begin_implicit(&self) {
        self.data.set(0);
        self.begin_frame();
    }

    /// Begins a new explicit task in this record. The thread that executed the record's last task
    /// has the frame's line in its cache, and has left no frame there, unless a tool listened to
    /// that task and has ended meanwhile.
    pub(super) fn begin_explicit(&self) {
        self.data.set(0);
        if mask::has_ended_a_tool() {
            self.frame.exit.set(ptr::null_mut());
            self.begin_frame();
        }
    }

    /// No frame yet.
    fn begin_frame(&self) {
        self.frame.enter.set(ptr::null_mut());
        self.frame.exit_flags.set(flags::FRAME_RUNTIME);
    }

    /// Begins a new task for a debugger: a new generation, and no worksharing region.
    pub(super) fn begin_for_debugger(&self) {
        self.generation.begin();
        self.work.set(None, 0);
    }

    /// Notes for a debugger the chunk that the task executes of its worksharing region.
    pub(crate) fn note_chunk(&self, start: u64, iterations: u64) {
        self.work.chunk_start.set(start);
        self.work.chunk_iterations.set(iterations);
    }

    /// Whether the record belongs to an initial task.
    pub(super) fn is_initial(&self) -> bool {
        self.flags.get() & flags::TASK_INITIAL != 0
    }

    /// The region that the task belongs to.
    pub(crate) fn parallel(&self) -> Option<&ParallelRecord> {
        // SAFETY: the pointer is null or leads to the record of the team, which outlives its tasks
        // (see `new`).
        unsafe { self.parallel.get().as_ref() }
    }
}

/// `ompt_dependence_t` (5.2 §19.4.4.27).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DependenceRecord {
    /// The storage location, or one element of a doacross vector.
    pub variable: u64,
    /// `ompt_dependence_type_t`.
    pub kind: i32,
}

/// A task inside the runtime: while this value lives, the task's `enter_frame` is the calling frame
/// of the program.
///
/// A nested call of the runtime keeps the outermost frame. Without a tool nothing is stored.
#[derive(Debug)]
pub struct EnterFrame<'a>(Option<&'a Frame>);

impl<'a> EnterFrame<'a> {
    /// Sets the task's enter frame to the program's function that made the call at `site`, if a
    /// tool is attached and no outer call of the runtime has set it.
    #[inline(always)]
    pub(crate) fn new(task: &'a TaskRecord, site: CallSite) -> Self {
        let enters = mask::is_active() && task.frame.enter.get().is_null();
        if enters {
            task.frame.enter_from(site);
        }
        EnterFrame(enters.then_some(&task.frame))
    }

    /// A value without effect, for a construct without a listener.
    #[inline(always)]
    pub(super) const fn unheard() -> Self {
        EnterFrame(None)
    }
}

impl Drop for EnterFrame<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(frame) = self.0 {
            frame.enter.set(ptr::null_mut());
        }
    }
}
