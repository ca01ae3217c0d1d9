//! A task runs: the switch to it, its body, and what its end sets free.

use core::ffi::c_void;
use core::mem::offset_of;
use core::ptr;

use oxomp_protocol::task::{Children, Lineage, retire};
use oxomp_sys::kmpc::kmp_task_t;

use super::state::blocks::Blocks;
use super::{Task, depend, generate, property, scheduler, target};
use crate::arch::{self, CallSite};
use crate::block::{Shared, Team, Thread};
use crate::ompd::stops;
use crate::ompt::event::{Dispatch, State, TaskStatus, emit, is_active};
use crate::race_detector;

/// Runs a task of the calling thread's team, which has left the queue that it was in. `status` says
/// why the current task is suspended.
#[inline(always)]
pub(super) fn execute(thread: &'static Thread, task: &'static Task, status: TaskStatus) {
    if is_heard(task) || task.is_untied() {
        let before = begin(thread, task, status);
        call(thread, task, task.data());
        end(thread, task, before);
    } else {
        let prior = run_unheard(thread, task, task.data());
        complete(Some(thread), task, Some(prior));
    }
}

/// Runs a task for which its generating task waits, at once. It takes part in no count unless it
/// leaves children behind.
#[inline(always)]
pub(super) fn execute_included(thread: &'static Thread, task: &'static Task, data: *mut c_void) {
    let before = begin(thread, task, TaskStatus::Switch);
    call(thread, task, data);
    end(thread, task, before);
}

/// The same, of a task that is not `is_heard` and has no ties to others.
#[inline(always)]
pub(super) fn execute_unheard(thread: &'static Thread, task: &'static Task, data: *mut c_void) {
    let prior = run_unheard(thread, task, data);
    retire_included(thread, task, prior);
}

/// The same, of one whose body is just this function, a `void (void *data)`.
#[inline(always)]
pub(super) fn call_unheard(
    thread: &'static Thread,
    task: &'static Task,
    body: *const c_void,
    data: *mut c_void,
) {
    let prior = begin_unheard(thread, task);
    // SAFETY: the compiler's function with its data.
    unsafe { arch::call_gomp(body, data, task.ompt.frame.exit.as_ptr()) };
    task.ompt.frame.exit.set(ptr::null_mut());
    thread.set_task(prior);
    retire_included(thread, task, prior);
}

/// A target task whose work has gone on since its body was over, and is done: it ends.
pub(super) fn execute_end(thread: &'static Thread, task: &'static Task) {
    let before = begin(thread, task, TaskStatus::Switch);
    end(thread, task, before);
}

/// Whether anybody has to be told of the task's begin and end: a tool, a debugger, who fulfils its
/// event, or who waits for its device.
#[inline(always)]
pub(super) fn is_heard(task: &Task) -> bool {
    is_active() || task.has(property::DETACHABLE | property::TARGET)
}

/// Runs all of a task that is not `is_heard`; the task that the thread goes on with.
#[inline(always)]
fn run_unheard(thread: &'static Thread, task: &'static Task, data: *mut c_void) -> &'static Task {
    let prior = begin_unheard(thread, task);
    call(thread, task, data);
    end_unheard(thread, task, prior);
    prior
}

#[inline(always)]
fn begin_unheard(thread: &'static Thread, task: &'static Task) -> &'static Task {
    let prior = thread.task();
    task.link.set(Some(prior));
    thread.set_task(task);
    prior
}

#[inline(always)]
fn end_unheard(thread: &'static Thread, task: &'static Task, prior: &'static Task) {
    if task.is_untied() || task.has(property::DESTRUCTORS) {
        end_body(thread, task);
    }
    thread.set_task(prior);
}

/// The generating task waits for all parts of an untied task; then its data are destroyed.
#[cold]
fn end_body(thread: &'static Thread, task: &'static Task) {
    run_other_parts(thread, task);
    if task.has(property::DESTRUCTORS) {
        destroy_data(thread, task);
    }
}

/// Runs the parts of an untied task that follow the one which is over, on this thread.
#[inline(always)]
fn run_other_parts(thread: &'static Thread, task: &'static Task) {
    while task.is_untied() && thread.resubmitted.take() {
        call(thread, task, task.data());
    }
}

/// A task for which its generating task waited, and on which no other depends, is complete.
#[inline(always)]
fn retire_included(thread: &'static Thread, task: &'static Task, prior: &'static Task) {
    task.forget_children();
    retire(Some(thread), task.shared(), Some(prior.shared()), false);
}

/// An undeferred task begins whose body the program calls itself (`__kmpc_omp_task_begin_if0`). The
/// generating task is inside the runtime until it ends.
#[inline(always)]
pub fn begin_undeferred(thread: &'static Thread, task: &'static Task, site: CallSite) {
    task.add_property(property::UNDEFERRED);
    if is_heard(task) {
        begin_undeferred_heard(thread, task, site);
    } else {
        begin_unheard(thread, task);
    }
}

#[cold]
fn begin_undeferred_heard(thread: &'static Thread, task: &'static Task, site: CallSite) {
    let generating = thread.task();
    if is_active() && generating.ompt.frame.enter.get().is_null() {
        generating.ompt.frame.enter_from(site);
    }
    generate::announce(task, false, site);
    if task.has(property::DETACHABLE) {
        // Others wait for its event.
        generate::count_in(thread, task);
    }
    begin(thread, task, TaskStatus::Switch);
    if is_active() {
        task.ompt.frame.exit_from(site);
    }
}

/// It ends.
#[inline(always)]
pub fn end_undeferred(thread: &'static Thread, task: &'static Task) {
    if is_heard(task) {
        end_undeferred_heard(thread, task);
    } else {
        let prior = task.prior();
        end_unheard(thread, task, prior);
        retire_included(thread, task, prior);
    }
}

#[cold]
fn end_undeferred_heard(thread: &'static Thread, task: &'static Task) {
    task.ompt.frame.exit.set(ptr::null_mut());
    end(thread, task, state_of_code(task.team()));
    if is_active() {
        thread.task().ompt.frame.enter.set(ptr::null_mut());
    }
}

/// The thread goes on with `task`; the thread's state before.
#[inline(always)]
fn begin(thread: &'static Thread, task: &'static Task, status: TaskStatus) -> State {
    let prior = thread.task();
    task.link.set(Some(prior));
    thread.set_task(task);
    emit::task_schedule(&prior.ompt, status, Some(&task.ompt));
    stops::task_goes_on(task);
    if task.has(property::CHUNK) {
        report_chunk(task);
    }
    thread.set_state(state_of_code(task.team()))
}

#[cold]
#[inline(never)]
fn report_chunk(task: &Task) {
    let (first, iterations) = task.with_own(|own| own.chunk);
    emit::dispatch(Dispatch::TaskloopChunk, &task.ompt, first, iterations);
}

/// The state of a thread that executes code of the program.
#[inline(always)]
fn state_of_code(team: &Team) -> State {
    if team.level() == 0 { State::WorkSerial } else { State::WorkParallel }
}

#[inline(always)]
fn call(thread: &Thread, task: &Task, data: *mut c_void) {
    let properties = task.properties.get();
    let exit_frame = task.ompt.frame.exit.as_ptr();
    // SAFETY: the compiler's function with the data that the compiler laid out for it.
    unsafe {
        if properties & property::KMPC != 0 {
            arch::call_task(task.body.get(), thread.number() as i32, data, exit_frame);
        } else if properties & property::EMPTY == 0 {
            arch::call_gomp(task.body.get(), data, exit_frame);
        }
    }
    task.ompt.frame.exit.set(ptr::null_mut());
}

/// Destroys the private data of a task whose last part is over.
#[cold]
fn destroy_data(thread: &Thread, task: &Task) {
    let data = task.data();
    // SAFETY: the compiler put its function there (`property::DESTRUCTORS`).
    unsafe {
        let destructors = *data.byte_add(offset_of!(kmp_task_t, destructors)).cast();
        let exit_frame = task.ompt.frame.exit.as_ptr();
        arch::call_task(destructors, thread.number() as i32, data, exit_frame);
    }
    task.ompt.frame.exit.set(ptr::null_mut());
}

/// The body is over: the thread goes on with the task that it had left.
#[inline(always)]
fn end(thread: &'static Thread, task: &'static Task, before: State) {
    let prior = task.prior();
    if task.has(property::UNDEFERRED) {
        // The generating task waits for all parts.
        run_other_parts(thread, task);
    }
    let is_resubmitted = task.is_untied() && thread.resubmitted.take();
    let is_on_device = task.has(property::TARGET) && task.is_on_device();
    if is_resubmitted || is_on_device {
        thread.set_task(prior);
        emit::task_schedule(&task.ompt, TaskStatus::Switch, Some(&prior.ompt));
        thread.set_state(before);
        if is_on_device {
            target::await_device(task);
        } else {
            // One part is over; the others wait in a queue like any task.
            scheduler::make_ready(Some(thread), task);
        }
        return;
    }
    if task.has(property::DESTRUCTORS) {
        destroy_data(thread, task);
    }
    if is_active() {
        race_detector::leave(task.payload());
    }
    let is_detachable = task.has(property::DETACHABLE);
    let detached = is_detachable && !task.event.body_is_over();
    if is_detachable && !detached {
        task.event.await_fulfilment(is_active);
    }
    let status = if detached { TaskStatus::Detach } else { TaskStatus::Complete };
    stops::task_ends(task);
    thread.set_task(prior);
    emit::task_schedule(&task.ompt, status, Some(&prior.ompt));
    thread.set_state(before);
    if !is_detachable || task.event.end_is_done() {
        if is_detachable {
            stops::detached_task_is_complete(task);
        }
        complete(Some(thread), task, Some(prior));
    }
}

/// The task is complete. `thread` is the calling thread if it is one of the runtime's; it need
/// not be one of the task's team. `prior` is the task in front of which it has just executed
/// this one, if it did.
#[inline(always)]
pub(super) fn complete(
    thread: Option<&'static Thread>,
    task: &'static Task,
    prior: Option<&'static Task>,
) {
    task.forget_children();
    let properties = task.properties.get();
    // What a task makes ready that the thread has just executed descends from the current task, and
    // has its place in the thread's deque. An event may be fulfilled, and the work of a target task
    // asked about, in front of any task of the team.
    let is_in_order = prior.is_some() && properties & property::TARGET == 0;
    depend::release(thread.filter(|_| is_in_order), task);
    let team = task.team();
    let is_counted = properties & property::COUNTED != 0;
    if is_counted && let Some(group) = task.taskgroup.get() {
        group.tasks.leave(thread);
    }
    retire(thread, task.shared(), prior.map(Task::shared), is_counted);
    if is_counted {
        count_complete(thread, team, properties);
    }
}

#[inline(always)]
fn count_complete(thread: Option<&'static Thread>, team: &Team, properties: u32) {
    if properties & property::DETACHABLE == 0
        && let Some(thread) = thread
        && team.size() != 1
    {
        thread.implicit_task().workbench().tally.complete();
    } else {
        team.settle();
    }
}

/// Frees a task that was not run and is in no count.
pub fn discard(thread: &'static Thread, task: &'static Task) {
    if task.has(property::DESTRUCTORS) {
        destroy_data(thread, task);
    }
    free(Some(thread), task);
}

#[inline(always)]
fn free(thread: Option<&'static Thread>, task: &'static Task) {
    Blocks::free(task, thread.map(|thread| &thread.spares.blocks));
}

impl Task {
    /// The task that its thread goes on with when this one, which is executed, is over.
    #[inline(always)]
    fn prior(&self) -> &'static Task {
        match self.link.get() {
            Some(prior) => prior,
            None => unreachable!("a task ends that no thread began"),
        }
    }
}

impl Lineage for Shared<Task> {
    type Thread = Thread;

    #[inline(always)]
    fn children(self) -> &'static Children {
        Shared::<Task>::children(self)
    }

    #[inline(always)]
    fn parent(self) -> Self {
        self.generating()
    }

    #[inline(always)]
    fn is(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn is_kept(self) -> bool {
        self.has(property::IMPLICIT)
    }

    #[inline(always)]
    fn free(self, here: Option<&'static Thread>) {
        // SAFETY: nothing refers to the task any more, so its block is the thread's that frees it.
        free(here, unsafe { self.own() });
    }
}
