//! The state of a member of a team for tasks: its deque, its tally, and the activity of its thread.

use core::marker::PhantomData;
use core::mem::offset_of;
use core::ptr::{self, NonNull};

use oxomp_base::inside::inside;
use oxomp_base::word::Word;
use oxomp_ompd_layout::{Field, Object, Record};
use oxomp_protocol::task::{Begun, Deque, Tally};
use oxomp_protocol::{Alone, Owner};

use super::Task;
use super::executor::Executor;
use crate::block::{ImplicitTask, Shared};

/// The state for tasks of a member of a team of more than one thread. Like the member it is never
/// freed. The methods are those that any thread may call; the owner of the member has an
/// [`OwnMemberTasks`].
#[derive(Debug)]
#[repr(C)]
pub(crate) struct MemberTasks {
    deque: Deque<Task>,
    tally: Tally,
    /// Whether the member's thread has a task; other threads read it only when they find no task
    /// themselves.
    executor: Executor,
    /// The victim of the last successful steal.
    victim: Word<u32>,
    /// The number of tasks that the member's thread has moved from its deque into the team's queue
    /// since it last found the queue empty (`scheduler::publish_own_deque`).
    moved: Word<u32>,
    /// The tasks that the member's thread has begun and ended, where regions may be cancelled.
    begun: Begun,
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = &[
    Record::whole(Object::MemberTasks, size_of::<MemberTasks>()),
    Record::of(
        Field::MemberTasksExecutor,
        offset_of!(MemberTasks, executor),
        |tasks: &MemberTasks| &tasks.executor,
    ),
    inside(
        Field::MemberTasksHelping,
        offset_of!(MemberTasks, tally),
        |tasks: &MemberTasks| &tasks.tally,
        &Tally::HELPING,
    ),
];

impl MemberTasks {
    pub(crate) fn new(thread_num: u32) -> Self {
        MemberTasks {
            deque: Deque::new(),
            tally: Tally::new(),
            executor: Executor::new(),
            victim: Word::<u32>::new(thread_num),
            moved: Word::<u32>::new(0),
            begun: Begun::new(),
        }
    }

    /// Takes the oldest task, if it `suits`. Called by any other thread of the team. Another thread
    /// may take the task while `suits` reads it; the result is then discarded.
    #[inline(always)]
    pub(in crate::task) fn steal(
        &self,
        suits: impl FnOnce(Shared<Task>) -> bool,
    ) -> Option<&'static Task> {
        let stolen = self.deque.steal_in_passing(|task| entry(task).is_some_and(suits));
        stolen.and_then(entry).map(taken)
    }

    /// The kernel's id of the member's thread, or `None` while the thread executes none of the
    /// team's queued tasks; called by any thread.
    pub(in crate::task) fn executor(&self) -> Option<i32> {
        self.executor.lwp()
    }

    /// The tally, for the sums over the team (`task::waiter`).
    #[inline(always)]
    pub(in crate::task) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The tasks that the member's thread has begun and ended (`Team::begun_are_over`).
    pub(in crate::task::state) fn begun(&self) -> &Begun {
        &self.begun
    }
}

/// The `MemberTasks` of a member of a team, in the form that the owner of the member has: the
/// member's thread while a region runs, the holder of the team's `IdleTeam` between regions.
/// `ImplicitTask::member_tasks` returns it. Other threads have a `&MemberTasks`, which lacks these
/// operations: each of them relies on being the only one at a time. It contains the right of the
/// deque's owner, [`oxomp_protocol::Owner`].
///
/// ```no_run
/// let tasks = oxomp_core::Thread::current().implicit_task().member_tasks();
/// println!("{}", tasks.has_room());
/// ```
/// It cannot be sent to another thread, as the reference to the member cannot:
///
/// ```compile_fail,E0277
/// let tasks = oxomp_core::Thread::current().implicit_task().member_tasks();
/// std::thread::spawn(move || println!("{}", tasks.has_room()));
/// ```
/// The form that other threads have cannot be turned into it:
///
/// ```compile_fail,E0624
/// let member = oxomp_core::Thread::current().implicit_task().shared();
/// std::thread::spawn(move || println!("{}", member.member_tasks().has_room()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OwnMemberTasks<'a> {
    tasks: &'static MemberTasks,
    /// The owner's reference to the member: neither `Send` nor `Sync`, since `ImplicitTask` is not
    /// `Sync`.
    member: PhantomData<&'a ImplicitTask>,
}

impl<'a> OwnMemberTasks<'a> {
    /// The state for tasks of `member`, which the calling thread owns.
    ///
    /// # Safety
    /// `tasks` are those of `member`.
    #[inline(always)]
    pub(crate) unsafe fn of(_member: &'a ImplicitTask, tasks: &'static MemberTasks) -> Self {
        OwnMemberTasks { tasks, member: PhantomData }
    }

    /// The deque, which has the owner that the member has.
    #[inline(always)]
    fn deque(self) -> Owner<&'static Deque<Task>> {
        // SAFETY: the calling thread owns the member (`of`); what makes another thread its owner
        // orders the two, as it does for the member's other fields.
        unsafe { Owner::of(&self.tasks.deque) }
    }

    /// Whether another task can be pushed.
    #[inline(always)]
    pub fn has_room(self) -> bool {
        self.deque().has_room()
    }

    /// Adds a task to the deque, after `has_room` has returned true.
    #[inline(always)]
    pub(in crate::task) fn push(self, task: &'static Task) {
        self.deque().push(ptr::from_ref(task).cast_mut());
    }

    /// The youngest task of the deque, which a thief may take at any time.
    #[inline(always)]
    pub(in crate::task) fn youngest(self) -> Option<Shared<Task>> {
        self.deque().youngest().and_then(entry)
    }

    /// Takes the youngest task.
    #[inline(always)]
    pub(in crate::task) fn pop(self) -> Option<&'static Task> {
        self.deque().pop().and_then(entry).map(taken)
    }

    /// Counts a task that the member's thread makes, before any thread can run it.
    #[inline(always)]
    pub(in crate::task) fn count_made(self) {
        self.tasks.tally.make();
    }

    /// Counts a task that the member's thread has completed.
    #[inline(always)]
    pub(in crate::task) fn count_complete(self) {
        self.tasks.tally.complete();
    }

    /// Counts a task that the member's thread begins.
    pub(crate) fn count_begun(self) {
        self.tasks.begun.begin();
    }

    /// The member's thread is about to begin a task, and does so unless the task `is_cancelled`.
    /// Returns whether it does.
    pub(crate) fn begin_unless(self, is_cancelled: impl FnOnce() -> bool) -> bool {
        self.tasks.begun.begin_unless(is_cancelled)
    }

    /// Counts a begun task as over.
    pub(crate) fn count_over(self) {
        self.tasks.begun.end();
    }

    /// The tally, by which the member's thread registers as a helper (`task::waiter`).
    #[inline(always)]
    pub(in crate::task) fn tally(self) -> &'static Tally {
        &self.tasks.tally
    }

    /// The id that `set_executor` has set; `None` if it was 0.
    #[inline(always)]
    pub(in crate::task) fn executor(self) -> Option<i32> {
        self.tasks.executor()
    }

    /// Sets the kernel's id of the member's thread, or 0 (`Executor` says when the thread has it).
    #[inline(always)]
    pub(in crate::task) fn set_executor(self, lwp: i32) {
        self.tasks.executor.set(lwp);
    }

    /// The victim of the last successful steal.
    #[inline(always)]
    pub(in crate::task) fn victim(self) -> u32 {
        self.tasks.victim.get()
    }

    /// Sets the victim of the last successful steal.
    #[inline(always)]
    pub(in crate::task) fn set_victim(self, thread_num: u32) {
        self.tasks.victim.set(thread_num);
    }

    /// The number of tasks that the member's thread has moved from its deque into the team's queue
    /// since it last found the queue empty (`scheduler::publish_own_deque`).
    #[inline(always)]
    pub(in crate::task) fn moved(self) -> u32 {
        self.tasks.moved.get()
    }

    /// Sets the number of moved tasks.
    #[inline(always)]
    pub(in crate::task) fn set_moved(self, tasks: u32) {
        self.tasks.moved.set(tasks);
    }

    /// Balances the counts before the team gets another size. Only while no region of the team
    /// runs.
    pub(crate) fn balance(self) {
        self.tasks.tally.balance();
        self.tasks.begun.balance();
    }

    /// In the child of a fork(2): drops the tasks, and resets the counts.
    pub(in crate::task) fn forget(self, alone: &Alone) {
        self.tasks.deque.forget(alone);
        self.tasks.tally.forget(alone);
        self.tasks.begun.forget(alone);
        self.tasks.executor.forget(alone);
    }
}

/// The task behind an entry of a deque.
#[inline(always)]
fn entry(task: *mut Task) -> Option<Shared<Task>> {
    // SAFETY: deques hold tasks, and a block always remains a block of a task.
    NonNull::new(task).map(|task| unsafe { Shared::at(task) })
}

/// The task that the calling thread has taken out of a deque, and owns now.
#[inline(always)]
fn taken(task: Shared<Task>) -> &'static Task {
    // SAFETY: exactly one thread takes an entry, and the deque orders the thread that pushed it
    // before this one (`Task`, Invariant 2).
    unsafe { task.own() }
}
