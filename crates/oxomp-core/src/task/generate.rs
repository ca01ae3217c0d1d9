//! A task construct generates a task (OpenMP 5.2 §12.5): the block, its data environment, its place
//! in a queue or at once in front of the generating task.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, Release};

use oxomp_protocol::task::CAPACITY;

use super::announce::{announce, count_in};
use super::{Dependence, DependenceList, Properties, Task, Workbench, depend, execute, throttle};
use crate::arch::CallSite;
use crate::block::{Team, Thread};
use crate::ompt::event::{Audience, Listened, TaskStatus, for_audience, is_active};
use crate::race_detector;
use crate::settings;

/// What a construct says of the tasks that it generates.
#[derive(Clone, Copy, Debug)]
pub struct Clauses {
    /// What the clauses say beside the priority.
    pub properties: Properties,
    /// The priority clause; 0 for none.
    pub priority: i32,
}

/// Whether a task of the current task with that priority would be run at once, if nothing but
/// its other clauses were to say: there is no other thread, the current task is final, or
/// enough tasks wait.
#[inline(always)]
pub fn runs_at_once(thread: &Thread, priority: i32) -> bool {
    thread.team().size() == 1
        || thread.task().has(Properties::FINAL)
        || priority == 0 && is_throttled(thread) && !is_active()
}

/// Whether as many tasks of the thread wait as can, so that the next runs at once, unless a tool
/// counts on hearing of it as of those. Of a team of more than one thread.
#[inline(always)]
fn is_throttled(thread: &Thread) -> bool {
    let bench = thread.implicit_task().workbench();
    !may_queue(thread.team(), bench) && settings::throttles_tasks()
}

/// Whether one more task of the thread at `bench` may wait: its deque has room, and of what it had
/// to move from there into the team's queue not too much is left.
#[inline(always)]
fn may_queue(team: &Team, bench: &Workbench) -> bool {
    bench.has_room() && (bench.moved.get() < CAPACITY as u32 || recount_moved(team, bench))
}

/// The thread at `bench` has moved many tasks into the team's queue: none is left there if that has
/// only tasks with a priority.
#[cold]
fn recount_moved(team: &Team, bench: &Workbench) -> bool {
    let is_empty = team.tasking.queue.has_no_ordinary();
    if is_empty {
        bench.moved.set(0);
    }
    is_empty
}

/// Whether the dependences of a task that runs at once mean nothing: it comes after no other, and
/// is complete before there is another; nor does a tool ask for them.
#[inline(always)]
pub fn needs_no_order(thread: &Thread) -> bool {
    !is_active() && !thread.task().has_ties()
}

/// A task of the current task, with room for `payload` bytes of data.
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
        task.begin_event();
    }
    if is_active() {
        begin_record(task);
    }
    task
}

#[cold]
fn begin_record(task: &Task) {
    Listened.begin_records(None, Some(&task.ompt));
    race_detector::take(task.payload());
}

/// Sets a cell that mostly has the value already: a store would take the line away from the thread
/// that executed the last task of the block, and back from here again.
#[inline(always)]
fn keep<T: Copy + PartialEq>(cell: &Cell<T>, value: T) {
    if cell.get() != value {
        cell.set(value);
    }
}

/// A task of the current task like `pattern`, which was not generated: with the same data.
pub fn copy(thread: &'static Thread, pattern: &Task) -> &'static Task {
    let bytes = pattern.payload_len();
    let clauses = Clauses { properties: pattern.properties.get(), priority: 0 };
    let task = allocate(thread, bytes, pattern.body.get(), clauses);
    task.priority.set(pattern.priority.get());
    // SAFETY: two payloads of that size.
    unsafe {
        ptr::copy_nonoverlapping(pattern.payload().cast::<u8>(), task.payload().cast(), bytes);
    }
    task
}

/// The task construct: the task runs at once, or is queued.
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
        execute::execute_included(audience, thread, task, task.data());
    } else {
        generate_any(audience, thread, task, &mut [], site);
    }
}

/// The task construct with a depend clause, which `read` reads: the task may have to wait for
/// others, and others for it.
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
        execute::execute_included(audience, thread, task, task.data());
    } else {
        generate_ordered(audience, thread, task, read, site);
    }
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

/// `settle` for a task whose depend clause `read` reads. The list is gone from the stack when this
/// returns: tasks that run at once may be nested thousands deep. (Those that an undeferred task waits
/// for run with the list below them.)
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

/// What is left to do for a task after its generation.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// It waits in a queue.
    Nothing,
    /// It waits for others, of which there may be too many.
    Throttle,
    /// It runs in front of its generating task, in no count.
    Included,
    /// It runs in front of its generating task, counted.
    Counted,
}

#[inline(always)]
fn go_on(audience: impl Audience, thread: &'static Thread, task: &'static Task, next: Next) {
    match next {
        Next::Nothing => {}
        Next::Throttle => throttle::throttle(thread),
        Next::Included => execute::execute_included(audience, thread, task, task.data()),
        Next::Counted => execute::execute_for(audience, thread, task, TaskStatus::Switch),
    }
}

/// Whether somebody has to be told of the task's begin or end: who fulfils its event, who waits for
/// its device, or whoever listens.
#[inline(always)]
fn is_told_of(audience: impl Audience, task: &Task) -> bool {
    audience.is_listening() || task.has(Properties::DETACHABLE | Properties::TARGET)
}

/// Whether the generating task waits for the task, and nobody is told of it: the short way, for
/// programs whose tasks have nobody to run them (`task_in_final`, 1 thread).
#[inline(always)]
fn is_just_run(audience: impl Audience, thread: &Thread, task: &Task) -> bool {
    !is_told_of(audience, task) && (thread.team().size() == 1 || task.has(Properties::UNDEFERRED))
}

/// Whether the task runs at once because enough others of the thread wait, and nobody is told of it.
/// In a team of one only for a task that somebody is told of.
#[inline(always)]
fn is_one_too_many(audience: impl Audience, thread: &Thread, task: &Task) -> bool {
    !is_told_of(audience, task) && task.priority.get() == 0 && is_throttled(thread)
}

/// The task construct, for every task that does not run at once, told to nobody, for another reason
/// than its dependences.
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

/// The task takes its place: in the counts, in the order of its dependences, in a queue, or in front
/// of its generating task.
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
    if audience.is_listening() {
        depend::report(task, dependences);
    }
    if task.has(Properties::UNDEFERRED) {
        if !dependences.is_empty() {
            depend::wait(thread, task, dependences);
        }
        if !task.has(Properties::DETACHABLE) {
            return Next::Included;
        }
        // Others may have to wait for its event: it takes its place in their order below.
    }
    count_in(thread, task);
    if !dependences.is_empty() && depend::tie(thread, task, dependences) {
        return Next::Throttle;
    }
    enqueue(thread, task)
}

/// A task whose `body`, a `void (void *data)` (GOMP), the generating task waits for; it has
/// no data of its own.
#[inline(always)]
pub fn included(
    thread: &'static Thread,
    body: *const c_void,
    data: *mut c_void,
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
    data: *mut c_void,
    clauses: Clauses,
    site: CallSite,
) {
    let task = if audience.is_listening() {
        allocate(thread, 0, body, clauses)
    } else {
        // Nobody looks at what else a block has.
        let task = thread.spares.blocks.take(0);
        task.become_child_of(thread.task(), clauses.properties, body);
        task
    };
    let _frame = audience.enter(&thread.task().ompt, site);
    announce(audience, task, false, site);
    execute::call_included(audience, thread, task, body, data);
}

/// A task that depends on nothing any more: into the deque, or run at once where that is full or is
/// nobody else's.
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
    team.admit(|| {
        if is_ordinary && bench.has_room() {
            bench.push(task);
        } else {
            team.tasking.queue.push(task);
        }
    });
    Next::Nothing
}

impl Task {
    /// What every task gets when it is generated.
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
        self.children.reset();
        self.taskgroup.set(parent.taskgroup.get());
        self.team.keep(parent.team.get());
        keep(&self.body, body);
        self.inherit_icvs_of(parent);
        self.ompt.parallel.keep(parent.ompt.parallel.get());
    }

    /// Starts with the variables of the generating task.
    #[inline(always)]
    fn inherit_icvs_of(&self, parent: &Task) {
        if parent.has_own_icvs() {
            self.copy_icvs_of(parent);
        } else {
            keep(&self.icvs, parent.icvs.get());
        }
    }

    /// They may change, and the generating task may end before this one.
    #[cold]
    #[inline(never)]
    fn copy_icvs_of(&self, parent: &Task) {
        self.set_own_icvs(*parent.icvs());
    }
}
