//! Tasks (OpenMP 5.2 §12): what implicit and explicit tasks have in common, and the explicit ones.
//!
//! How tasks are queued, run, waited for and forgotten, and why that is safe: README.md beside this
//! file.

mod block;
mod copies;
mod depend;
mod detach;
mod execute;
mod fork;
mod generate;
pub mod property;
mod queue;
mod reduction;
mod scheduler;
mod scheduling_point;
mod spares;
mod target;
mod taskgroup;
mod tasking;
mod taskloop;
mod throttle;
mod workbench;

pub use copies::{Copies, Initializer, ReductionItem};
pub use depend::{Dependence, DependenceKind, DependenceList};
pub use detach::{Event, fulfill};
pub use execute::{begin_undeferred, discard, end_undeferred};
pub use generate::{
    Clauses, allocate, copy, generate, generate_dependent, included, needs_no_order, runs_at_once,
};
pub use reduction::{
    SharedItems, copy_of, reduce, reduce_in_region, reduce_in_team, reduce_items_in_team,
    reduce_with,
};
pub use scheduler::{taskwait, taskwait_depend, taskyield};
pub use taskgroup::{Taskgroup, begin_taskgroup, end_taskgroup};
pub use taskloop::{Chunk, Grain, Taskloop, taskloop};

pub use block::ALIGNMENT;

use block::Blocks;
pub(crate) use fork::Stack;
pub(crate) use scheduler::{help_until_released, run_all};
pub(crate) use spares::Spares;
pub(crate) use tasking::Tasking;
pub(crate) use workbench::Workbench;

use core::cell::Cell;
use core::ffi::c_void;
use core::mem::offset_of;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32};

use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::task::Children;

use self::depend::{DependenceTable, Ties};
use self::target::DeviceWork;
use self::throttle::MostChildren;
use crate::icv::Icvs;
use crate::ompt::event::{TaskRecord, emit};
use crate::settings;
use crate::team::Team;

/// A task region: the data environment of an implicit task, which a place in a team embeds, or an
/// explicit task, which lies in front of its data.
///
/// References are `&'static`: a block stays a block for ever (`block`), and what refers to a task
/// is counted (`Children`), so that it is not used for another one before.
///
/// Invariants:
/// 1. `parent`, `depth`, `team` and `owner` change only while nothing but the generating thread, or
///    a thief whose steal will fail, knows the task.
/// 2. The cells belong to who generates the task until it is queued, then to who executes it; the
///    queue orders them.
///
/// Lines: blocks go round between the thread that generates tasks and those that execute them, and
/// a line that both write goes with them each time. So what one of them writes for each task lies
/// together, and what mostly stays as it was is written only if it differs (`generate::keep`).
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Task {
    // Written by who generates the task and by who executes it; of a task that generates others, by
    // its own thread only.
    /// The task that generated it. A thief reads it of a task that may have been run meanwhile.
    parent: AtomicPtr<Task>,
    /// Generations from the implicit task, which has 0; read likewise.
    depth: AtomicU32,
    properties: Cell<u32>,
    taskgroup: Cell<Option<&'static Taskgroup>>,
    /// While it is executed, the task that its thread goes on with afterwards; of a free block and
    /// of a queued task, the next in the list.
    link: Cell<Option<&'static Task>>,
    /// The team's variables, or those of `own` once the task has changed one.
    pub(crate) icvs: Cell<*const Icvs>,
    /// The storage locations that its children depend on.
    table: Cell<*mut DependenceTable>,
    /// Goes on on the next line, which the threads that complete its children write.
    pub(crate) children: Children,

    // Mostly the same for all tasks in the block.
    /// What a task with a depend clause waits for and what waits for it (`DEPENDENT`). They
    /// stay with the block.
    ties: Cell<*mut Ties>,
    /// The compiler's function.
    body: Cell<*const c_void>,
    owner: *const Blocks,
    payload_bytes: Cell<u32>,
    priority: Cell<u32>,
    /// Of a detachable task: `detach` says.
    event: Event,
    /// Of a detachable task: `Tasking::losses` when it was made.
    losses: Cell<u32>,
    size: Cell<u8>,
    _up_to_the_line: u64,

    // Written by who executes it, or not at all.
    own: Cell<*mut Own>,
    _frames_on_this_line: u64,
    pub ompt: TaskRecord,
    team: Cell<*const Team>,
    _up_to_the_last_word: [u64; 2],
    /// The task itself, in the word before its data.
    this: Cell<*const Task>,
}

/// What a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Task as ExplicitTask {
    ompt => ExplicitTaskRecord,
    parent => ExplicitTaskGenerating,
    link => ExplicitTaskScheduling,
    team => ExplicitTaskParallel,
    icvs => ExplicitTaskIcvs,
    body => ExplicitTaskFunction,
});

const _: () = {
    // The data of a task follow it, aligned as compilers expect it (`block::ALIGNMENT`).
    assert!(size_of::<Task>() == 4 * ALIGNMENT);
    assert!(offset_of!(Task, this) == size_of::<Task>() - size_of::<*const Task>());
    // What others write begins the second line. The third, with the frame that `call` sets, has
    // nothing that `allocate` writes.
    assert!(offset_of!(Task, children) + Children::OWN_PART == 64);
    assert!(offset_of!(Task, own) == 2 * 64);
    assert!((offset_of!(Task, ompt) + offset_of!(TaskRecord, frame)) / 64 == 2);
    assert!((offset_of!(Task, ompt) + offset_of!(TaskRecord, parallel)) / 64 == 3);
    assert!(offset_of!(Task, team) / 64 == 3);
};

// SAFETY: see the invariants.
unsafe impl Sync for Task {}

/// What few tasks have of their own.
#[repr(C)]
#[derive(Debug)]
struct Own {
    icvs: Icvs,
    /// The first iteration and their number, if the task is of a taskloop and a tool wants to know.
    chunk: (u64, u64),
    /// Of the block, once it has been asked for; else 0.
    number: u32,
    /// The device work of a target task.
    work: DeviceWork,
}

/// Number of the last block that has one.
static LAST_NUMBER: AtomicU32 = AtomicU32::new(0);

impl Task {
    /// The task of a place in `team`; `flags` for OMPT.
    pub(crate) fn implicit(team: &Team, flags: i32) -> Task {
        Task {
            properties: Cell::new(property::IMPLICIT),
            icvs: Cell::new(team.icvs()),
            ompt: TaskRecord::new(flags, team.record()),
            team: Cell::new(team),
            ..Task::vacant(ptr::null(), 0)
        }
    }

    /// A block in which there is no task.
    fn vacant(owner: *const Blocks, size: u8) -> Task {
        Task {
            parent: AtomicPtr::new(ptr::null_mut()),
            depth: AtomicU32::new(0),
            properties: Cell::new(0),
            children: Children::new(),
            taskgroup: Cell::new(None),
            link: Cell::new(None),
            icvs: Cell::new(ptr::null()),
            ompt: TaskRecord::new(0, ptr::null()),
            ties: Cell::new(ptr::null_mut()),
            table: Cell::new(ptr::null_mut()),
            own: Cell::new(ptr::null_mut()),
            team: Cell::new(ptr::null()),
            body: Cell::new(ptr::null()),
            payload_bytes: Cell::new(0),
            owner,
            priority: Cell::new(0),
            event: Event::new(),
            losses: Cell::new(0),
            size: Cell::new(size),
            _up_to_the_line: 0,
            _frames_on_this_line: 0,
            _up_to_the_last_word: [0; 2],
            this: Cell::new(ptr::null()),
        }
    }
}

impl Task {
    /// Whether one of these properties holds.
    #[inline(always)]
    pub(crate) fn has(&self, properties: u32) -> bool {
        self.properties.get() & properties != 0
    }

    #[inline(always)]
    pub(crate) fn add_property(&self, properties: u32) {
        self.properties.set(self.properties.get() | properties);
    }

    /// Whether it is an explicit task.
    #[inline(always)]
    pub fn is_explicit(&self) -> bool {
        !self.has(property::IMPLICIT)
    }

    /// Whether it is final (`omp_in_final`).
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        self.has(property::FINAL)
    }

    #[inline(always)]
    fn is_untied(&self) -> bool {
        const MOVES: u32 = property::UNTIED | property::KMPC;
        self.properties.get() & MOVES == MOVES
    }

    /// The task that generated an explicit task.
    fn generating(&self) -> &'static Task {
        // SAFETY: kept until the task itself is gone (`Children`).
        unsafe { &*self.parent.load(Relaxed) }
    }

    /// The task whose construct made this one: of an implicit task the one that encountered its
    /// region, of which the initial task has none.
    pub fn parent(&self) -> Option<&'static Task> {
        if self.is_explicit() { Some(self.generating()) } else { self.team().encountering.get() }
    }

    /// The team that it is bound to.
    #[inline(always)]
    pub(crate) fn team(&self) -> &'static Team {
        // SAFETY: set when the task was made; teams are never freed.
        unsafe { &*self.team.get() }
    }

    /// The task that its thread goes on with afterwards, of an explicit task that is executed.
    pub(crate) fn suspended(&self) -> Option<&'static Task> {
        if self.is_explicit() { self.link.get() } else { None }
    }

    /// What the compiler's function gets.
    #[inline(always)]
    pub fn data(&self) -> *mut c_void {
        let alignment = 1usize << (self.properties.get() >> property::ALIGNMENT_SHIFT);
        let payload = self.payload();
        if alignment <= ALIGNMENT {
            return payload;
        }
        payload.map_addr(|address| address.next_multiple_of(alignment))
    }

    /// The internal control variables of the task's data environment.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: the team's block, which changes between regions only, or the task's own, which
        // changes on the thread that calls here (Invariant 2); neither is freed.
        unsafe { &*self.icvs.get() }
    }

    /// Changes variables of this task; those of the other tasks stay.
    pub fn change_icvs(&self, change: impl FnOnce(&mut Icvs)) {
        let mut icvs = *self.icvs();
        change(&mut icvs);
        self.set_own_icvs(icvs);
    }

    fn set_own_icvs(&self, icvs: Icvs) {
        let own = self.own();
        // SAFETY: our own, and nobody holds a reference to it across a call that changes it.
        unsafe {
            (*own).icvs = icvs;
            self.icvs.set(&raw const (*own).icvs);
        }
    }

    /// What few tasks have of their own; it stays with the block.
    fn own(&self) -> *mut Own {
        if self.own.get().is_null() {
            let own =
                Own { icvs: Icvs::new(1), chunk: (0, 0), number: 0, work: DeviceWork::none() };
            self.own.set(Box::into_raw(Box::new(own)));
        }
        self.own.get()
    }

    /// Number of the block, from 1: that of the task among those that exist and have been asked.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        // SAFETY: null, or our own.
        match unsafe { self.own.get().as_ref() } {
            Some(own) if own.number != 0 => own.number,
            _ => self.take_number(),
        }
    }

    #[cold]
    fn take_number(&self) -> u32 {
        let number = LAST_NUMBER.fetch_add(1, Relaxed) + 1;
        // SAFETY: our own; nobody refers to it.
        unsafe { (*self.own()).number = number };
        number
    }

    /// The greatest number that a task has.
    pub(crate) fn last_number() -> u32 {
        LAST_NUMBER.load(Relaxed)
    }

    /// Whether the task has variables of its own.
    #[inline(always)]
    fn has_own_icvs(&self) -> bool {
        // They come first.
        ptr::eq(self.icvs.get(), self.own.get().cast())
    }

    /// The task has logical iterations of a taskloop, from `first` on: kept for a tool.
    #[inline(always)]
    pub fn set_chunk(&self, first: u64, iterations: u64) {
        if emit::wants_work() {
            self.add_property(property::CHUNK);
            // SAFETY: our own; nobody refers to it.
            unsafe { (*self.own()).chunk = (first, iterations) };
        }
    }

    /// The generating task waits for this one, which has not been generated yet.
    pub fn undefer(&self) {
        self.add_property(property::UNDEFERRED);
    }

    /// Whether the compiler writes a priority clause into the data.
    #[inline(always)]
    pub fn may_have_priority(&self) -> bool {
        self.has(property::PRIORITY)
    }

    /// The priority clause: as far as max-task-priority-var goes.
    pub fn set_priority(&self, priority: i32) {
        let most = settings::get().globals.max_task_priority_var;
        self.priority.set(priority.max(0).cast_unsigned().min(most));
    }

    /// The implicit task of a place begins: it has no children. The table of the last one's
    /// dependences may be there, whose tasks are all complete.
    #[inline(always)]
    pub(crate) fn begin_implicit(&self) {
        self.children.reset();
        depend::set_most_children(self, MostChildren::default());
        self.taskgroup.set(self.team().taskgroup.get());
    }

    /// The native thread of an initial task ends: whether no task is left that refers to it, or to
    /// its team, so that they may be another thread's.
    pub(crate) fn end_initial(&self) -> bool {
        depend::forget_children(self);
        self.team().tasking.is_idle()
    }

    /// The innermost taskgroup that it is in.
    pub(crate) fn taskgroup(&self) -> Option<&'static Taskgroup> {
        self.taskgroup.get()
    }

    /// A new implicit task starts here, with the variables of its team.
    #[inline(always)]
    pub(crate) fn inherit_icvs(&self) {
        self.icvs.set(self.team().icvs());
    }
}
