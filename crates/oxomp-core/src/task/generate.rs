//! The generation of a task (OpenMP 5.2 §12.5): the block and its data environment, then a queue,
//! or execution at once on top of the generating task.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, Release};

use oxomp_base::settings;
use oxomp_protocol::task::CAPACITY;

use super::announce::{announce, count_in};
use super::{Dependence, DependenceList, OwnBench, Properties, Task, depend, execute, throttle};
use crate::arch::CallSite;
use crate::block::{Team, Thread};
use crate::ompt::event::{Audience, TaskStatus, emit, for_audience, has_events, is_active};
use crate::race_detector;

/// The clauses of a construct that generates tasks.
#[derive(Clone, Copy, Debug)]
pub struct Clauses {
    /// The properties that the clauses give the tasks, except for their priority.
    pub properties: Properties,
    /// The priority clause; 0 for none.
    pub priority: i32,
}

/// Whether a child of the current task with that priority runs at once, whatever its other clauses
/// are: the team has no other thread, the current task is final, or enough tasks are queued.
#[inline(always)]
pub fn runs_at_once(thread: &Thread, priority: i32) -> bool {
    thread.team().size() == 1
        || thread.task().has(Properties::FINAL)
        || priority == 0 && is_throttled(thread) && !has_events()
}

/// Whether the thread has as many queued tasks as it may have, so that its next task runs at once.
/// A caller that would skip the events of that task checks that no tool listens. Only for a thread
/// of a team of more than one thread.
#[inline(always)]
fn is_throttled(thread: &Thread) -> bool {
    let bench = thread.implicit_task().workbench();
    !may_queue(thread.team(), bench) && settings::throttles_tasks()
}

/// Whether one more task of the thread with this `bench` may be queued: its deque has room, and not
/// too many of the tasks that the thread has moved from there into the team's queue are left.
#[inline(always)]
fn may_queue(team: &Team, bench: OwnBench) -> bool {
    bench.has_room() && (bench.moved() < CAPACITY as u32 || recount_moved(team, bench))
}

/// Checks whether tasks are left that the thread with this `bench` has moved into the team's queue.
/// If the queue has only tasks with a priority, none is left: resets the number of moved tasks, and
/// returns true.
#[cold]
fn recount_moved(team: &Team, bench: OwnBench) -> bool {
    let is_empty = team.tasking.queue.has_no_ordinary();
    if is_empty {
        bench.set_moved(0);
    }
    is_empty
}

/// Whether the dependences of a task that runs at once have no effect: the task depends on no
/// earlier sibling, it is complete before a later sibling is generated, and no tool asks for its
/// dependences.
#[inline(always)]
pub fn needs_no_order(thread: &Thread) -> bool {
    !has_events() && !thread.task().has_ties()
}

/// Allocates a child of the current task, with room for `payload` bytes of data.
#[inline(always)]
pub fn allocate(
    thread: &'static Thread,
    payload: usize,
    body: *const c_void,
    clauses: Clauses,
) -> &'static Task {
    let task = thread.spares.blocks.take(payload);
    task.become_child_of(thread.task(), clauses.properties, body);
    keep(&task.payload_bytes, payload as u32);
    keep(&task.priority, 0);
    if clauses.priority != 0 {
        task.set_priority(clauses.priority);
    }
    if clauses.properties.intersects(Properties::DETACHABLE) {
        if task.event.is_used_up() {
            return allocate_elsewhere(thread, task, payload, body, clauses);
        }
        task.begin_event();
    }
    if is_active() {
        begin_record(task);
    }
    task
}

/// As `allocate`, but in another block than that of `task`, which can have no further event.
#[cold]
#[inline(never)]
fn allocate_elsewhere(
    thread: &'static Thread,
    task: &Task,
    payload: usize,
    body: *const c_void,
    clauses: Clauses,
) -> &'static Task {
    task.give_up_block();
    allocate(thread, payload, body, clauses)
}

#[cold]
fn begin_record(task: &Task) {
    emit::begin_explicit_record(&task.ompt);
    task.note_kept_by_parent(ptr::null_mut(), 0);
    race_detector::take(task.payload());
}

/// Sets a cell that usually has the value already. A store would move the cache line from the
/// thread that executed the block's last task to this one, and that thread would have to fetch it
/// again.
#[inline(always)]
fn keep<T: Copy + PartialEq>(cell: &Cell<T>, value: T) {
    if cell.get() != value {
        cell.set(value);
    }
}

/// Allocates a child of the current task with the properties, the body and a copy of the data of
/// `pattern`, a task that has been allocated but not generated.
pub fn copy(thread: &'static Thread, pattern: &Task) -> &'static Task {
    let bytes = pattern.payload_len();
    let clauses = Clauses { properties: pattern.properties.get(), priority: 0 };
    let task = allocate(thread, bytes, pattern.body.get(), clauses);
    task.priority.set(pattern.priority.get());
    // SAFETY: both payloads have `bytes` bytes, and they lie in different blocks.
    unsafe {
        ptr::copy_nonoverlapping(pattern.payload().cast::<u8>(), task.payload().cast(), bytes);
    }
    task
}

/// Generates a task without dependences (the task construct): executes the task at once, or queues
/// it.
#[inline(always)]
pub fn generate(thread: &'static Thread, task: &'static Task, site: CallSite) {
    for_audience!(|audience| generate_for(audience, thread, task, site));
}

#[inline(always)]
fn generate_for(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    site: CallSite,
) {
    if is_just_run(audience, thread, task) || is_one_too_many(audience, thread, task) {
        execute_at_once(audience, thread, task, site);
    } else {
        generate_any(audience, thread, task, &mut [], site);
    }
}

/// Generates a task with dependences (the task construct with a depend clause, which `read` reads):
/// the task may have to wait for earlier siblings, and later siblings for the task.
#[inline(always)]
pub fn generate_dependent(
    thread: &'static Thread,
    task: &'static Task,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) {
    for_audience!(|audience| generate_dependent_for(audience, thread, task, read, site));
}

#[inline(always)]
fn generate_dependent_for(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) {
    if is_just_run(audience, thread, task) && !thread.task().has_ties() {
        execute_at_once(audience, thread, task, site);
    } else {
        generate_ordered(audience, thread, task, read, site);
    }
}

/// Executes a task at once, without raising events.
#[inline(always)]
fn execute_at_once(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    site: CallSite,
) {
    let _frame = audience.enter(&thread.task().ompt, site);
    if audience.is_listening() {
        if thread.team().size() == 1 {
            task.add_property(Properties::UNDEFERRED);
        }
        task.ompt.flags.keep(task.ompt_flags());
    }
    execute::execute_included(audience, thread, task, task.data());
}

#[inline(never)]
fn generate_ordered(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) {
    let _frame = audience.enter(&thread.task().ompt, site);
    let next = put_in_order(audience, thread, task, read, site);
    go_on(audience, thread, task, next);
}

/// Calls `settle` for a task whose depend clause `read` reads. The list is not on the stack any
/// more when a task runs at once, since such tasks may be nested thousands deep. (Tasks that the
/// thread executes while an undeferred task waits for them do run on top of the list.)
#[inline(never)]
fn put_in_order(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    read: impl FnOnce() -> DependenceList,
    site: CallSite,
) -> Next {
    settle(audience, thread, task, &mut read(), site)
}

/// The step that remains for the generating thread after it has settled a task.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// No step remains: the task is in a queue.
    Nothing,
    /// Limit the number of tasks that wait for predecessors, as this task does.
    Throttle,
    /// Execute the task on top of its generating task. The task is in no count.
    Included,
    /// Execute the task on top of its generating task. The task is counted.
    Counted,
}

/// Takes the step that remains for a settled task.
#[inline(always)]
fn go_on(audience: impl Audience, thread: &'static Thread, task: &'static Task, next: Next) {
    match next {
        Next::Nothing => {}
        Next::Throttle => throttle::throttle(thread),
        Next::Included => execute::execute_included(audience, thread, task, task.data()),
        Next::Counted => execute::execute_for(audience, thread, task, TaskStatus::Switch),
    }
}

/// Whether the begin or the end of the task concerns more than its generating task: a thread that
/// fulfils its event, threads that poll its device work, or a listener to events.
#[inline(always)]
fn is_told_of(audience: impl Audience, task: &Task) -> bool {
    audience.hears_events() || task.has(Properties::DETACHABLE | Properties::TARGET)
}

/// Whether the generating task waits for the task, and `is_told_of` is false: the fast path for
/// programs in which no other thread can execute the tasks (`task_in_final`, 1 thread).
#[inline(always)]
fn is_just_run(audience: impl Audience, thread: &Thread, task: &Task) -> bool {
    !is_told_of(audience, task) && (thread.team().size() == 1 || task.has(Properties::UNDEFERRED))
}

/// Whether the task runs at once because the thread has enough queued tasks, and `is_told_of` is
/// false. In a team of one thread only for a task for which `is_told_of` is true.
#[inline(always)]
fn is_one_too_many(audience: impl Audience, thread: &Thread, task: &Task) -> bool {
    !is_told_of(audience, task) && task.priority.get() == 0 && is_throttled(thread)
}

/// The general case of the task construct, for a task that takes none of its fast paths.
#[inline(never)]
pub(super) fn generate_any(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
    site: CallSite,
) {
    let _frame = audience.enter(&thread.task().ompt, site);
    let next = settle(audience, thread, task, dependences, site);
    go_on(audience, thread, task, next);
}

/// Adds the task to the counts, to the order of its dependences and to a queue, as far as it needs
/// these, and returns the step that remains.
#[inline(always)]
fn settle(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
    site: CallSite,
) -> Next {
    let team = thread.team();
    if !dependences.is_empty()
        && team.size() != 1
        && is_one_too_many(audience, thread, task)
        && !depend::would_wait(thread, dependences)
    {
        return Next::Included;
    }
    let alone = team.size() == 1 && !task.is_deferred_alone();
    if alone && (dependences.is_empty() || team.tasking.is_idle()) {
        task.add_property(Properties::UNDEFERRED);
    }
    announce(audience, task, !dependences.is_empty(), site);
    if audience.hears_events() {
        depend::report(task, dependences);
    }
    if task.has(Properties::UNDEFERRED) {
        if !dependences.is_empty() {
            depend::wait(thread, task, dependences);
        }
        if !task.has(Properties::DETACHABLE) {
            return Next::Included;
        }
        // Later siblings may have to wait for the task's event, so its dependences are tied below.
    }
    count_in(thread, task);
    if !dependences.is_empty() && depend::tie(thread, task, dependences) {
        return Next::Throttle;
    }
    enqueue(thread, task)
}

/// Generates and executes a task that consists of `body`, a `void (void *data)` (GOMP), and `data`,
/// while the generating task waits for it. The task has no data of its own: the generating task
/// keeps the `bytes` at `data`.
#[inline(always)]
pub fn included(
    thread: &'static Thread,
    body: *const c_void,
    data: (*mut c_void, usize),
    clauses: Clauses,
    site: CallSite,
) {
    let properties = clauses.properties | Properties::UNDEFERRED;
    let clauses = Clauses { properties, ..clauses };
    for_audience!(|audience| included_for(audience, thread, body, data, clauses, site));
}

#[inline(always)]
fn included_for(
    audience: impl Audience,
    thread: &'static Thread,
    body: *const c_void,
    (data, bytes): (*mut c_void, usize),
    clauses: Clauses,
    site: CallSite,
) {
    let task = if audience.is_listening() {
        let task = allocate(thread, 0, body, clauses);
        task.note_kept_by_parent(data, bytes);
        task
    } else {
        // Without a listener nothing reads the other fields of the block.
        let task = thread.spares.blocks.take(0);
        task.become_child_of(thread.task(), clauses.properties, body);
        task
    };
    let _frame = audience.enter(&thread.task().ompt, site);
    announce(audience, task, false, site);
    execute::call_included(audience, thread, task, body, data);
}

/// Queues a counted task whose dependences are fulfilled, in the thread's deque or in the team's
/// queue. If no other thread could take the task from there, or enough tasks are queued, the task
/// has to run at once instead.
#[inline(always)]
fn enqueue(thread: &'static Thread, task: &'static Task) -> Next {
    let team = thread.team();
    if team.size() == 1 || task.has(Properties::UNDEFERRED) {
        return Next::Counted;
    }
    let bench = thread.implicit_task().workbench();
    let is_ordinary = task.priority.get() == 0;
    if is_ordinary && !may_queue(team, bench) && settings::throttles_tasks() {
        return Next::Counted;
    }
    team.admit(move || {
        if is_ordinary && bench.has_room() {
            bench.push(task);
        } else {
            team.tasking.queue.push(task);
        }
    });
    Next::Nothing
}

impl Task {
    /// Sets the fields that every generated task has.
    #[inline(always)]
    fn become_child_of(&self, parent: &'static Task, properties: Properties, body: *const c_void) {
        let inherited = match parent.has(Properties::FINAL) {
            true => Properties::FINAL | Properties::UNDEFERRED,
            false => Properties::empty(),
        };
        // Release: pairs with the Acquire in `descends_from`.
        self.parent.store(ptr::from_ref(parent).cast_mut(), Release);
        self.depth.store(parent.depth.load(Relaxed) + 1, Relaxed);
        self.properties.set(properties | inherited);
        self.own_children().reset();
        self.taskgroup.set(parent.taskgroup.get());
        self.team.keep(parent.team.get());
        keep(&self.body, body);
        self.inherit_icvs_of(parent);
        self.ompt.parallel.keep(parent.ompt.parallel.get());
    }

    /// Takes over the internal control variables of the generating task.
    #[inline(always)]
    fn inherit_icvs_of(&self, parent: &Task) {
        if parent.has_own_icvs() {
            self.copy_icvs_of(parent);
        } else {
            keep(&self.icvs, parent.icvs.get());
        }
    }

    /// Copies the internal control variables of the generating task, which has its own: they may
    /// change, and the generating task may end before this one.
    #[cold]
    #[inline(never)]
    fn copy_icvs_of(&self, parent: &Task) {
        self.set_own_icvs(parent.icvs());
    }
}
