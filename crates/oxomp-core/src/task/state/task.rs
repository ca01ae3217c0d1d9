//! A task region: the state that implicit and explicit tasks have in common, and the block of an
//! explicit task.

use core::cell::Cell;
use core::ffi::c_void;
use core::fmt;
use core::mem::offset_of;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{self, Acquire, Relaxed};
use core::sync::atomic::{AtomicPtr, AtomicU32};

use oxomp_base::icv::Icvs;
use oxomp_base::inside::inside;
use oxomp_base::word::Word;
use oxomp_ompd_layout::{Field, Object, Readable, Record, fields};
use oxomp_protocol::task::{Children, Event, Linked};
use oxomp_protocol::{Inside, Owner};

use super::blocks::Blocks;
use super::depend::table::MostChildren;
use super::depend::{DependenceTable, Ties};
use super::device_work::DeviceWork;
use super::properties::{ALIGNMENT, Properties};
use super::queue::Sibling;
use super::taskgroup::Taskgroup;
use crate::block::{Shared, Team, shared_fields};
use crate::ompt::event::{TaskRecord, emit};

/// A task region: the data environment of an implicit task, embedded in a member of a team, or an
/// explicit task, which precedes its data in memory.
///
/// A `&'static Task` belongs to the thread that generates or executes the task: the type is not
/// `Sync`. Other threads have a `Shared<Task>`. A block always remains a block of a task
/// (`blocks`). References to a task are counted (`Children`), so that its block is not reused while
/// there are any.
///
/// Invariants:
/// 1. `parent`, `depth`, `team` and `owner` change only while no thread knows the task but the
///    generating one, and a thief whose steal will fail.
/// 2. The generating thread owns the cells until it queues the task, then the executing thread
///    does; the queue orders these threads.
///
/// Cache lines: blocks circulate between the generating thread and the executing threads, and a
/// line that both write moves between their caches for each task. So the fields that both write for
/// each task lie together, on the third line, and with them the tool's word. The generating thread
/// does not touch the second line, which the executing thread writes, and writes a field of the
/// others only if its value differs (`allocate::Fill`).
#[repr(C, align(64))]
pub struct Task {
    // Rarely different for the next task in the block. No other thread writes the line of a task
    // that generates tasks.
    pub(in crate::task) team: Word<*const Team>,
    /// The team's variables, or those of `own` once the task has changed one.
    pub(crate) icvs: Cell<*const Icvs>,
    pub(in crate::task) own: Cell<Option<&'static Own>>,
    _up_to_the_record: [u64; 3],
    /// The task's record for tools. Continues on the second line, with the frames that the
    /// executing thread writes; its last word, that of the tool, begins the third one.
    pub ompt: TaskRecord,

    // Written by the generating and by the executing thread; of a task that itself generates tasks,
    // by its own thread only.
    /// The generating task. A thief may read it after another thread has executed the task.
    pub(in crate::task) parent: AtomicPtr<Task>,
    /// Depth of the task below its implicit task, which has 0. A thief may read it after another
    /// thread has executed the task.
    pub(in crate::task) depth: AtomicU32,
    pub(in crate::task) properties: Word<Properties>,
    pub(in crate::task) taskgroup: Cell<Option<&'static Taskgroup>>,
    /// While the task is executed, the task that its thread resumes afterwards; in a free block and
    /// in a queued task, the next in the list.
    pub(in crate::task) link: Cell<Option<&'static Task>>,
    /// The storage locations that the task's children depend on.
    pub(in crate::task) table: Cell<Option<Box<DependenceTable>>>,
    /// Continues on the fourth line, which is written by the threads that complete the task's
    /// children.
    pub(in crate::task) children: Children,

    // Rarely different for the next task in the block.
    /// The ties of a task with a depend clause to its predecessors and successors (`DEPENDENT`).
    /// They stay with the block.
    pub(in crate::task) ties: Cell<*mut Ties>,
    /// The compiler's function.
    pub(in crate::task) body: Cell<*const c_void>,
    pub(in crate::task) owner: Option<Shared<Blocks>>,
    pub(in crate::task) payload_bytes: Cell<u32>,
    pub(in crate::task) priority: Cell<u32>,
    /// The event of a detachable task (file `detach`).
    pub(in crate::task) event: Event,
    /// The value of `Tasking::times_lost` when a detachable task was generated.
    pub(in crate::task) times_lost: Word<u32>,
    pub(in crate::task) size: Cell<u8>,
    /// The address of the task itself, in the word before its data.
    pub(in crate::task) this: Cell<*const Task>,
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(Task as ExplicitTask {
    ompt => ExplicitTaskRecord,
    parent => ExplicitTaskGenerating,
    link => ExplicitTaskScheduling,
    team => ExplicitTaskParallel,
    icvs => ExplicitTaskIcvs,
    body => ExplicitTaskFunction,
    properties[7; 1] => ExplicitTaskIsImplicit,
    properties[1; 1] => ExplicitTaskIsFinal,
    properties[4; 1] => ExplicitTaskIsTarget,
    properties[20; 1] => ExplicitTaskIsTargetOnHost,
    taskgroup => ExplicitTaskTaskgroup,
    ties => ExplicitTaskTies,
    own => ExplicitTaskOwn,
    properties[6; 1] => ExplicitTaskIsDetachable,
    properties[8; 1] => ExplicitTaskIsUndeferred,
    properties[11; 1] => ExplicitTaskIsCounted,
    properties[15; 1] => ExplicitTaskIsDependent,
    properties[12; 1] => ExplicitTaskTakesTurns,
    properties[10; 1] => ExplicitTaskIsEmpty,
});

/// The fields that a debugger reads of the protocols' types in a task.
pub(crate) const INNER_FIELDS: &[Record] = &[
    children(Field::ExplicitTaskChildrenMade, &Children::MADE),
    children(Field::ExplicitTaskChildrenHome, &Children::HOME),
    children(Field::ExplicitTaskChildrenAway, &Children::AWAY),
    Record::embedded(Field::ExplicitTaskEvent, offset_of!(Task, event), |task: &Task| &task.event),
    Record::whole(Object::Event, size_of::<Event>()),
    inside(Field::EventIsFulfilled, 0, |event: &Event| event, &Event::WORD).packed(0, 1),
    inside(Field::EventBodyIsOver, 0, |event: &Event| event, &Event::WORD).packed(2, 1),
    inside(Field::EventSerial, 0, |event: &Event| event, &Event::WORD).packed(4, 28),
];

const fn children<F: Readable>(field: Field, place: &Inside<Children, F>) -> Record {
    inside(field, offset_of!(Task, children), |task: &Task| &task.children, place)
}

/// The fields that a debugger reads of the state that few tasks have.
pub(crate) const OWN_FIELDS: &[Record] = fields!(Own as TaskOwn {
    number => TaskOwnNumber,
    work.handle => TaskOwnDeviceWork,
});

const _: () = {
    assert!(Properties::IMPLICIT.bits() == 1 << 7 && Properties::FINAL.bits() == 1 << 1);
    assert!(Properties::TARGET.bits() == 1 << 4 && Properties::ON_HOST.bits() == 1 << 20);
    assert!(Properties::DETACHABLE.bits() == 1 << 6 && Properties::UNDEFERRED.bits() == 1 << 8);
    assert!(Properties::COUNTED.bits() == 1 << 11 && Properties::DEPENDENT.bits() == 1 << 15);
    assert!(Properties::EXCLUSIVE.bits() == 1 << 12 && Properties::EMPTY.bits() == 1 << 10);
};

const _: () = {
    // The data of a task follow it, aligned as compilers expect it (`properties::ALIGNMENT`).
    assert!(size_of::<Task>() == 4 * ALIGNMENT);
    assert!(offset_of!(Task, this) == size_of::<Task>() - size_of::<*const Task>());
    // The executing thread alone writes the second line of an explicit task; the tool's word begins
    // the third one; the words that other threads write begin the fourth one.
    assert!(offset_of!(Task, ompt) + offset_of!(TaskRecord, work) == 64);
    assert!(offset_of!(Task, ompt) + offset_of!(TaskRecord, data) == 2 * 64);
    assert!(offset_of!(Task, children) + Children::OWN_PART == 3 * 64);
};

shared_fields! {
    Task {
        /// The count of the task's children.
        pub(in crate::task) children: children: Children,
        /// The event of a detachable task.
        pub(in crate::task) event: event: Event,
        /// The record of the task for tools.
        pub(crate) ompt: ompt: TaskRecord,
        depth_word: depth: AtomicU32,
        parent_word: parent: AtomicPtr<Task>,
        properties_word: properties: Word<Properties>,
        times_lost_word: times_lost: Word<u32>,
        team_word: team: Word<*const Team>,
    }
}

/// The task whose address a word holds; `None` in a block that was never used.
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
        // Relaxed: the task is in the queue, so its generating task is there and does not change.
        self.parent.load(Relaxed).addr()
    }
}

impl Shared<Task> {
    /// Whether the task has one of these properties.
    #[inline(always)]
    pub(crate) fn has(self, properties: Properties) -> bool {
        self.properties_word().get().intersects(properties)
    }

    /// The team that the task is bound to.
    #[inline(always)]
    pub(crate) fn team(self) -> &'static Team {
        // SAFETY: the field is set when the task is generated, and teams are never freed.
        unsafe { &*self.team_word().get() }
    }

    /// The generating task of an explicit task, which is kept until the task itself is gone
    /// (`Children`).
    #[inline(always)]
    pub(in crate::task) fn generating(self) -> Shared<Task> {
        match at(self.parent_word(), Relaxed) {
            Some(parent) => parent,
            None => unreachable!("a task that no other generated"),
        }
    }

    /// Whether the task is explicit.
    pub(crate) fn is_explicit(self) -> bool {
        !self.has(Properties::IMPLICIT)
    }

    /// The task that the thread of an explicit task resumes afterwards. Only for a task that
    /// encountered the calling thread's innermost region or one around it.
    pub(crate) fn suspended(self) -> Option<Shared<Task>> {
        // SAFETY: the task's thread is in that region, or waits for its end, and does not write the
        // link meanwhile. A worker may ask just as its region ends: at any time the link leads to a
        // block of a task, which is never freed, and the worker discards the answer
        // (`ompt::tool::entry_points`).
        unsafe { self.own() }.suspended().map(Shared::of)
    }

    /// Whether the task's team has lost the task, with threads that are gone in the child of a
    /// fork(2). Only for a detachable task, whose event the program may still fulfil.
    pub(in crate::task) fn is_lost(self) -> bool {
        self.times_lost_word().get() != self.team().tasking.times_lost.get()
    }

    /// Whether the task descends from `ancestor`. If another thread may have executed the task in
    /// the meantime, the call is safe but its result is meaningless.
    #[inline(always)]
    pub(in crate::task) fn descends_from(self, ancestor: &Task) -> bool {
        let depth = self.depth_word().load(Relaxed);
        let levels = depth.wrapping_sub(ancestor.depth.load(Relaxed));
        if levels.cast_signed() <= 0 {
            return false;
        }
        let mut task = self;
        for _ in 0..levels {
            // Acquire: pairs with the Release in `become_child_of`; a block always remains a block
            // of a task.
            match at(task.parent_word(), Acquire) {
                Some(parent) => task = parent,
                None => return false,
            }
        }
        task.is(ancestor)
    }
}

/// State that few tasks have.
#[repr(C)]
#[derive(Debug)]
pub(in crate::task) struct Own {
    pub(in crate::task) icvs: Cell<Icvs>,
    /// The first iteration and the number of iterations, for a task of a taskloop that is reported
    /// to a tool.
    pub(in crate::task) chunk: Cell<(u64, u64)>,
    /// The address and the size of data that the generating task keeps for this task, which has no
    /// data in its block; noted only for a tool.
    pub(in crate::task) kept_by_parent: Cell<(*mut c_void, usize)>,
    /// The number of the block, once it has been asked for; 0 before.
    pub(in crate::task) number: Cell<u32>,
    /// The device work of a target task.
    pub(in crate::task) work: DeviceWork,
}

impl Own {
    fn new() -> Self {
        Own {
            icvs: Cell::new(Icvs::new(1)),
            chunk: Cell::new((0, 0)),
            kept_by_parent: Cell::new((ptr::null_mut(), 0)),
            number: Cell::new(0),
            work: DeviceWork::none(),
        }
    }
}

/// The greatest number that a block has.
static LAST_NUMBER: AtomicU32 = AtomicU32::new(0);

impl Task {
    /// The implicit task of a member of `team`; `flags` are those of OMPT's events.
    pub(crate) fn implicit(team: &Team, flags: i32) -> Task {
        Task {
            properties: Word::of(Properties::IMPLICIT),
            icvs: Cell::new(team.icvs()),
            ompt: TaskRecord::new(flags, team.record()),
            team: Word::<*const Team>::new(team),
            ..Task::vacant(None, 0)
        }
    }

    /// A block without a task.
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
            own: Cell::new(None),
            team: Word::<*const Team>::new(ptr::null()),
            body: Cell::new(ptr::null()),
            payload_bytes: Cell::new(0),
            owner,
            priority: Cell::new(0),
            event: Event::new(),
            times_lost: Word::<u32>::new(0),
            size: Cell::new(size),
            _up_to_the_record: [0; 3],
            this: Cell::new(ptr::null()),
        }
    }
}

impl Task {
    /// Whether the task has one of these properties.
    #[inline(always)]
    pub(crate) fn has(&self, properties: Properties) -> bool {
        self.properties.get().intersects(properties)
    }

    /// Whether the task is a target task.
    pub(crate) fn is_target(&self) -> bool {
        self.has(Properties::TARGET | Properties::ON_HOST)
    }

    #[inline(always)]
    pub(crate) fn add_property(&self, properties: Properties) {
        self.properties.set(self.properties.get() | properties);
    }

    /// Whether the task is explicit.
    #[inline(always)]
    pub fn is_explicit(&self) -> bool {
        !self.has(Properties::IMPLICIT)
    }

    /// Whether the task is final (`omp_in_final`).
    #[inline(always)]
    pub fn is_final(&self) -> bool {
        self.has(Properties::FINAL)
    }

    #[inline(always)]
    pub(in crate::task) fn is_untied(&self) -> bool {
        self.properties.get().contains(Properties::UNTIED.union(Properties::KMPC))
    }

    /// The block in the form that other threads may have.
    #[inline(always)]
    pub fn shared(&'static self) -> Shared<Task> {
        Shared::of(self)
    }

    /// The task in the form in which the protocols take it from its owner, the calling thread.
    #[inline(always)]
    pub(in crate::task) fn owned(&'static self) -> Owner<Shared<Task>> {
        // SAFETY: the type is not `Sync`, so the calling thread executes the task (Invariant 2). It
        // has not completed it, since that is the last use of a task (README.md of `block`, Why the
        // reference to a running task can be copied).
        unsafe { Owner::of(self.shared()) }
    }

    /// The counts of the task's children, for the thread that executes or generates the task.
    #[inline(always)]
    pub(in crate::task) fn own_children(&self) -> Owner<&Children> {
        // SAFETY: the type is not `Sync`, so the calling thread executes the task, or generates it
        // and has not queued it (Invariant 2).
        unsafe { Owner::of(&self.children) }
    }

    /// The generating task of an explicit task, which is kept until the task itself is gone
    /// (`Children`).
    #[inline(always)]
    pub(in crate::task) fn generating(&self) -> Shared<Task> {
        match at(&self.parent, Relaxed) {
            Some(parent) => parent,
            None => unreachable!("a task that no other generated"),
        }
    }

    /// The task that encountered the construct by which this task exists: the generating task of an
    /// explicit task; for an implicit task, the task that encountered its region. `None` for an
    /// initial task.
    pub fn parent(&self) -> Option<Shared<Task>> {
        if self.is_explicit() { Some(self.generating()) } else { self.team().encountering() }
    }

    /// The team that the task is bound to.
    #[inline(always)]
    pub(crate) fn team(&self) -> &'static Team {
        // SAFETY: the field is set when the task is generated, and teams are never freed.
        unsafe { &*self.team.get() }
    }

    /// The task that the thread of an explicit task, which is being executed, resumes afterwards.
    pub(crate) fn suspended(&self) -> Option<&'static Task> {
        if self.is_explicit() { self.link.get() } else { None }
    }

    /// The argument of the compiler's function.
    #[inline(always)]
    pub fn data(&self) -> *mut c_void {
        let alignment = self.properties.get().alignment();
        let payload = self.payload();
        if alignment <= ALIGNMENT {
            return payload;
        }
        payload.map_addr(|address| address.next_multiple_of(alignment))
    }

    /// The memory of the task's data environment, and its size: the data that the compiler laid out
    /// for an explicit task, in the task's block or with its generating task. The runtime keeps no
    /// data of an implicit task. Async-signal-safe.
    pub(crate) fn memory(&self) -> (*mut c_void, usize) {
        const NONE: (*mut c_void, usize) = (ptr::null_mut(), 0);
        if !self.is_explicit() {
            return NONE;
        }
        match self.payload_len() {
            0 => self.own.get().map_or(NONE, |own| own.kept_by_parent.get()),
            bytes => (self.payload(), bytes),
        }
    }

    /// Notes for a tool where the data of this task lie: they are not in its block.
    pub(in crate::task) fn note_kept_by_parent(&self, data: *mut c_void, bytes: usize) {
        if bytes != 0 || self.own.get().is_some() {
            self.own().kept_by_parent.set((data, bytes));
        }
    }

    /// The internal control variables of the task's data environment.
    #[inline(always)]
    pub fn icvs(&self) -> Icvs {
        // SAFETY: the pointer leads to the team's variables, which change between regions only, or
        // to the task's own, which only the calling thread changes (Invariant 2). Neither is freed,
        // and no reference to them is held.
        unsafe { *self.icvs.get() }
    }

    /// Changes variables of this task only.
    pub fn change_icvs(&self, change: impl FnOnce(&mut Icvs)) {
        let mut icvs = self.icvs();
        change(&mut icvs);
        self.set_own_icvs(icvs);
    }

    pub(in crate::task) fn set_own_icvs(&self, icvs: Icvs) {
        let own = self.own();
        own.icvs.set(icvs);
        self.icvs.set(own.icvs.as_ptr());
    }

    /// The state that few tasks have. It stays with the block, at the same address.
    pub(in crate::task) fn own(&self) -> &Own {
        match self.own.get() {
            Some(own) => own,
            None => self.get_own(),
        }
    }

    #[cold]
    fn get_own(&self) -> &'static Own {
        let own: &'static Own = Box::leak(Box::new(Own::new()));
        self.own.set(Some(own));
        own
    }

    /// The number of the block, from 1, given at the first call: it differs from that of every
    /// other task that exists.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        match self.own.get().map(|own| own.number.get()) {
            Some(number) if number != 0 => number,
            _ => self.take_number(),
        }
    }

    #[cold]
    fn take_number(&self) -> u32 {
        let number = LAST_NUMBER.fetch_add(1, Relaxed) + 1;
        self.own().number.set(number);
        number
    }

    /// The greatest number that a task has.
    pub(crate) fn last_number() -> u32 {
        LAST_NUMBER.load(Relaxed)
    }

    /// Whether the task has variables of its own.
    #[inline(always)]
    pub(in crate::task) fn has_own_icvs(&self) -> bool {
        let own = self.own.get().map_or(ptr::null(), |own| own.icvs.as_ptr().cast_const());
        ptr::eq(self.icvs.get(), own)
    }

    /// Notes for a tool that the task executes `iterations` logical iterations of a taskloop, from
    /// `first` on.
    #[inline(always)]
    pub fn set_chunk(&self, first: u64, iterations: u64) {
        if emit::wants_work() {
            self.add_property(Properties::CHUNK);
            self.own().chunk.set((first, iterations));
        }
    }

    /// Makes the task undeferred: the generating task waits for it. Called before the task is
    /// generated.
    pub fn undefer(&self) {
        self.add_property(Properties::UNDEFERRED);
    }

    /// Whether the compiler writes a priority clause into the data.
    #[inline(always)]
    pub fn may_have_priority(&self) -> bool {
        self.has(Properties::PRIORITY)
    }

    /// Begins the implicit task of a member, without children. The table of dependences may remain
    /// from the member's last implicit task, whose children are all complete.
    #[inline(always)]
    pub(crate) fn begin_implicit(&self) {
        self.own_children().reset();
        self.set_most_children(MostChildren::default());
        self.taskgroup.set(self.team().taskgroup());
    }

    /// The native thread of an initial task ends. Returns whether no task refers to the initial
    /// task or its team any more, so that another thread may use them.
    pub(crate) fn end_initial(&self) -> bool {
        self.forget_children();
        self.team().tasking.is_idle()
    }

    /// The innermost taskgroup that the task is in.
    pub(crate) fn taskgroup(&self) -> Option<&'static Taskgroup> {
        self.taskgroup.get()
    }

    /// The innermost taskgroup that the task is in and that the program has a construct for.
    pub(crate) fn cancellable_taskgroup(&self) -> Option<&'static Taskgroup> {
        let mut next = self.taskgroup.get();
        while let Some(group) = next
            && group.is_hidden()
        {
            next = group.outer();
        }
        next
    }

    /// Whether a taskgroup that the task is in is cancelled.
    pub(crate) fn is_in_cancelled_taskgroup(&self) -> bool {
        let mut next = self.taskgroup.get();
        while let Some(group) = next {
            if group.is_cancelled() {
                return true;
            }
            next = group.outer();
        }
        false
    }

    /// Begins an implicit task with the variables of its team.
    #[inline(always)]
    pub(crate) fn inherit_icvs(&self) {
        self.icvs.set(self.team().icvs());
    }
}
