//! A task region: what implicit and explicit tasks have in common, and the block of an explicit one.

use core::cell::Cell;
use core::ffi::c_void;
use core::fmt;
use core::mem::offset_of;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{self, Acquire, Relaxed};
use core::sync::atomic::{AtomicPtr, AtomicU32};

use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::task::{Children, Event, Linked};

use super::blocks::Blocks;
use super::depend::table::MostChildren;
use super::depend::{DependenceTable, Ties};
use super::device_work::DeviceWork;
use super::properties::{ALIGNMENT, Properties};
use super::queue::Sibling;
use super::taskgroup::Taskgroup;
use crate::block::{Shared, Team, shared_fields};
use crate::icv::Icvs;
use crate::ompt::event::{TaskRecord, emit};
use crate::settings;
use crate::word::Word;

/// A task region: the data environment of an implicit task, which a place in a team embeds, or an
/// explicit task, which lies in front of its data.
///
/// A `&'static Task` is of the thread that generates or executes the task: it is not `Sync`. Others
/// have a `Shared<Task>`. A block stays a block for ever (`blocks`), and what refers to a task is
/// counted (`Children`), so that it is not used for another one before.
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
pub struct Task {
    // Written by who generates the task and by who executes it; of a task that generates others, by
    // its own thread only.
    /// The task that generated it. A thief reads it of a task that may have been run meanwhile.
    pub(in crate::task) parent: AtomicPtr<Task>,
    /// Generations from the implicit task, which has 0; read likewise.
    pub(in crate::task) depth: AtomicU32,
    pub(in crate::task) properties: Word<Properties>,
    pub(in crate::task) taskgroup: Cell<Option<&'static Taskgroup>>,
    /// While it is executed, the task that its thread goes on with afterwards; of a free block and
    /// of a queued task, the next in the list.
    pub(in crate::task) link: Cell<Option<&'static Task>>,
    /// The team's variables, or those of `own` once the task has changed one.
    pub(crate) icvs: Cell<*const Icvs>,
    /// The storage locations that its children depend on.
    pub(in crate::task) table: Cell<Option<Box<DependenceTable>>>,
    /// Goes on on the next line, which the threads that complete its children write.
    pub(crate) children: Children,

    // Mostly the same for all tasks in the block.
    /// What a task with a depend clause waits for and what waits for it (`DEPENDENT`). They
    /// stay with the block.
    pub(in crate::task) ties: Cell<*mut Ties>,
    /// The compiler's function.
    pub(in crate::task) body: Cell<*const c_void>,
    pub(in crate::task) owner: Option<Shared<Blocks>>,
    pub(in crate::task) payload_bytes: Cell<u32>,
    pub(in crate::task) priority: Cell<u32>,
    /// Of a detachable task: `detach` says.
    pub(in crate::task) event: Event,
    /// Of a detachable task: `Tasking::losses` when it was made.
    pub(in crate::task) losses: Word<u32>,
    pub(in crate::task) size: Cell<u8>,
    _up_to_the_line: u64,

    // Written by who executes it, or not at all.
    pub(in crate::task) own: Cell<*mut Own>,
    _frames_on_this_line: u64,
    pub ompt: TaskRecord,
    pub(in crate::task) team: Word<*const Team>,
    _up_to_the_last_word: [u64; 2],
    /// The task itself, in the word before its data.
    pub(in crate::task) this: Cell<*const Task>,
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

shared_fields! {
    Task {
        /// What the task has of its children.
        pub(in crate::task) children: children: Children,
        /// Of a detachable task.
        pub(in crate::task) event: event: Event,
        /// What OMPT keeps for the task.
        pub(crate) ompt: ompt: TaskRecord,
        depth_word: depth: AtomicU32,
        parent_word: parent: AtomicPtr<Task>,
        properties_word: properties: Word<Properties>,
        losses_word: losses: Word<u32>,
        team_word: team: Word<*const Team>,
    }
}

/// The task that a word leads to; none in a block never used.
#[inline(always)]
fn at(word: &AtomicPtr<Task>, order: Ordering) -> Option<Shared<Task>> {
    // SAFETY: `become_child_of` stores tasks, and blocks are never freed.
    NonNull::new(word.load(order)).map(|task| unsafe { Shared::at(task) })
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let properties = self.properties.get();
        f.debug_struct("Task").field("properties", &properties).finish_non_exhaustive()
    }
}

impl Linked for Task {
    #[inline(always)]
    fn link(&self) -> &Cell<Option<&'static Task>> {
        &self.link
    }
}

impl Sibling for Task {
    fn priority(&self) -> u32 {
        self.priority.get()
    }

    fn family(&self) -> usize {
        // Relaxed: the queue refers to the task, so its generating task is there and stays the same.
        self.parent.load(Relaxed).addr()
    }
}

impl Shared<Task> {
    /// Whether one of these properties holds.
    #[inline(always)]
    pub(crate) fn has(self, properties: Properties) -> bool {
        self.properties_word().get().intersects(properties)
    }

    /// The team that it is bound to.
    #[inline(always)]
    pub(crate) fn team(self) -> &'static Team {
        // SAFETY: set when the task was made; teams are never freed.
        unsafe { &*self.team_word().get() }
    }

    /// The task that generated an explicit task, which is kept until the task itself is gone
    /// (`Children`).
    #[inline(always)]
    pub(in crate::task) fn generating(self) -> Shared<Task> {
        match at(self.parent_word(), Relaxed) {
            Some(parent) => parent,
            None => unreachable!("a task that no other generated"),
        }
    }

    /// Whether it is an explicit task.
    pub(crate) fn is_explicit(self) -> bool {
        !self.has(Properties::IMPLICIT)
    }

    /// The task that its thread goes on with afterwards, of an explicit task in which the calling
    /// thread's innermost region, or one around it, was encountered.
    pub(crate) fn suspended(self) -> Option<Shared<Task>> {
        // SAFETY: its thread is in that region, or waits for its end, and leaves the link as it is.
        unsafe { self.own() }.suspended().map(Shared::of)
    }

    /// Whether the task's team has lost it with the threads that are gone. Only of a detachable
    /// task; others are lost without anybody who could ask.
    pub(in crate::task) fn is_lost(self) -> bool {
        self.losses_word().get() != self.team().tasking.losses.get()
    }

    /// Whether the task descends from `ancestor`. Of a task that another thread may have run
    /// meanwhile the answer means nothing, but comes.
    #[inline(always)]
    pub(in crate::task) fn descends_from(self, ancestor: &Task) -> bool {
        let depth = self.depth_word().load(Relaxed);
        let levels = depth.wrapping_sub(ancestor.depth.load(Relaxed));
        if levels.cast_signed() <= 0 {
            return false;
        }
        let mut task = self;
        for _ in 0..levels {
            // Acquire: pairs with the Release in `become_child_of`; blocks stay blocks.
            match at(task.parent_word(), Acquire) {
                Some(parent) => task = parent,
                None => return false,
            }
        }
        task.is(ancestor)
    }
}

/// What few tasks have of their own.
#[repr(C)]
#[derive(Debug)]
pub(in crate::task) struct Own {
    pub(in crate::task) icvs: Icvs,
    /// The first iteration and their number, if the task is of a taskloop and a tool wants to know.
    pub(in crate::task) chunk: (u64, u64),
    /// Of the block, once it has been asked for; else 0.
    pub(in crate::task) number: u32,
    /// The device work of a target task.
    pub(in crate::task) work: DeviceWork,
}

impl Own {
    fn new() -> Self {
        Own { icvs: Icvs::new(1), chunk: (0, 0), number: 0, work: DeviceWork::none() }
    }
}

/// Number of the last block that has one.
static LAST_NUMBER: AtomicU32 = AtomicU32::new(0);

impl Task {
    /// The task of a place in `team`; `flags` for OMPT.
    pub(crate) fn implicit(team: &Team, flags: i32) -> Task {
        Task {
            properties: Word::of(Properties::IMPLICIT),
            icvs: Cell::new(team.icvs()),
            ompt: TaskRecord::new(flags, team.record()),
            team: Word::<*const Team>::new(team),
            ..Task::vacant(None, 0)
        }
    }

    /// A block in which there is no task.
    pub(in crate::task) fn vacant(owner: Option<Shared<Blocks>>, size: u8) -> Task {
        Task {
            parent: AtomicPtr::new(ptr::null_mut()),
            depth: AtomicU32::new(0),
            properties: Word::of(Properties::empty()),
            children: Children::new(),
            taskgroup: Cell::new(None),
            link: Cell::new(None),
            icvs: Cell::new(ptr::null()),
            ompt: TaskRecord::new(0, ptr::null()),
            ties: Cell::new(ptr::null_mut()),
            table: Cell::new(None),
            own: Cell::new(ptr::null_mut()),
            team: Word::<*const Team>::new(ptr::null()),
            body: Cell::new(ptr::null()),
            payload_bytes: Cell::new(0),
            owner,
            priority: Cell::new(0),
            event: Event::new(),
            losses: Word::<u32>::new(0),
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
    pub(crate) fn has(&self, properties: Properties) -> bool {
        self.properties.get().intersects(properties)
    }

    #[inline(always)]
    pub(crate) fn add_property(&self, properties: Properties) {
        self.properties.set(self.properties.get() | properties);
    }

    /// Whether it is an explicit task.
    #[inline(always)]
    pub fn is_explicit(&self) -> bool {
        !self.has(Properties::IMPLICIT)
    }

    /// Whether it is final (`omp_in_final`).
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        self.has(Properties::FINAL)
    }

    #[inline(always)]
    pub(in crate::task) fn is_untied(&self) -> bool {
        self.properties.get().contains(Properties::UNTIED.union(Properties::KMPC))
    }

    /// The task, for others.
    #[inline(always)]
    pub fn shared(&'static self) -> Shared<Task> {
        Shared::of(self)
    }

    /// The task that generated an explicit task, which is kept until the task itself is gone
    /// (`Children`).
    #[inline(always)]
    pub(in crate::task) fn generating(&self) -> Shared<Task> {
        match at(&self.parent, Relaxed) {
            Some(parent) => parent,
            None => unreachable!("a task that no other generated"),
        }
    }

    /// The task whose construct made this one: of an implicit task the one that encountered its
    /// region, of which the initial task has none.
    pub fn parent(&self) -> Option<Shared<Task>> {
        if self.is_explicit() { Some(self.generating()) } else { self.team().encountering() }
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
        let alignment = self.properties.get().alignment();
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

    pub(in crate::task) fn set_own_icvs(&self, icvs: Icvs) {
        self.icvs.set(self.with_own(|own| {
            own.icvs = icvs;
            &raw const own.icvs
        }));
    }

    /// Has `look` look at what few tasks have of their own; it stays with the block, and where it is.
    pub(in crate::task) fn with_own<R>(&self, look: impl FnOnce(&mut Own) -> R) -> R {
        if self.own.get().is_null() {
            self.own.set(Box::into_raw(Box::new(Own::new())));
        }
        // SAFETY: from a box that is never freed; nothing keeps a reference beyond a look, and looks
        // are not nested.
        look(unsafe { &mut *self.own.get() })
    }

    /// As `with_own`, if the task has any.
    #[inline(always)]
    pub(in crate::task) fn with_own_if_any<R>(
        &self,
        look: impl FnOnce(&mut Own) -> R,
    ) -> Option<R> {
        if self.own.get().is_null() { None } else { Some(self.with_own(look)) }
    }

    /// Number of the block, from 1: that of the task among those that exist and have been asked.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        match self.with_own_if_any(|own| own.number) {
            Some(number) if number != 0 => number,
            _ => self.take_number(),
        }
    }

    #[cold]
    fn take_number(&self) -> u32 {
        let number = LAST_NUMBER.fetch_add(1, Relaxed) + 1;
        self.with_own(|own| own.number = number);
        number
    }

    /// The greatest number that a task has.
    pub(crate) fn last_number() -> u32 {
        LAST_NUMBER.load(Relaxed)
    }

    /// Whether the task has variables of its own.
    #[inline(always)]
    pub(in crate::task) fn has_own_icvs(&self) -> bool {
        // They come first.
        ptr::eq(self.icvs.get(), self.own.get().cast())
    }

    /// The task has logical iterations of a taskloop, from `first` on: kept for a tool.
    #[inline(always)]
    pub fn set_chunk(&self, first: u64, iterations: u64) {
        if emit::wants_work() {
            self.add_property(Properties::CHUNK);
            self.with_own(|own| own.chunk = (first, iterations));
        }
    }

    /// The generating task waits for this one, which has not been generated yet.
    pub fn undefer(&self) {
        self.add_property(Properties::UNDEFERRED);
    }

    /// Whether the compiler writes a priority clause into the data.
    #[inline(always)]
    pub fn may_have_priority(&self) -> bool {
        self.has(Properties::PRIORITY)
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
        self.set_most_children(MostChildren::default());
        self.taskgroup.set(self.team().taskgroup());
    }

    /// The native thread of an initial task ends: whether no task is left that refers to it, or to
    /// its team, so that they may be another thread's.
    pub(crate) fn end_initial(&self) -> bool {
        self.forget_children();
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
