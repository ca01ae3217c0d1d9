//! A task runs: the switch to it, its body, and what its end sets free.

use core::ffi::c_void;
use core::mem::offset_of;
use core::ptr;

use oxomp_sys::kmpc::kmp_task_t;

use super::children::Children;
use super::lineage::{self, Lineage};
use super::{Blocks, Task, depend, property, scheduler};
use crate::arch::{self, CallSite};
use crate::ompd;
use crate::ompt::event::{Dispatch, State, TaskStatus, emit, is_active};
use crate::team::Team;
use crate::thread::Thread;

/// Runs a task of the calling thread's team, which has left the queue that it was in. `status` says why
/// the current task is suspended.
#[inline(always)]
pub(super) fn execute(thread: &'static Thread, task: &'static Task, status: TaskStatus) {
    let before = begin(thread, task, status);
    call(thread, task, task.data());
    end(thread, task, before);
}

/// Runs a task for which its generating task waits, at once. It takes part in no count unless it leaves
/// children behind.
#[inline(always)]
pub(super) fn execute_included(thread: &'static Thread, task: &'static Task, data: *mut c_void) {
    let before = begin(thread, task, TaskStatus::Switch);
    call(thread, task, data);
    end(thread, task, before);
}

/// The same, of a task that ends with its body (`Task::is_plain`), while no tool or debugger wants to
/// know of states and switches.
#[inline(always)]
pub(super) fn execute_unheard(thread: &'static Thread, task: &'static Task, data: *mut c_void) {
    let prior = thread.task();
    task.link.set(Some(prior));
    thread.set_task(task);
    task.children.tie(thread);
    call(thread, task, data);
    thread.set_task(prior);
    depend::forget_children(task);
    lineage::retire(Some(thread), task, false);
}

/// An undeferred task begins whose body the program calls itself (`__kmpc_omp_task_begin_if0`). The
/// generating task is inside the runtime until it ends.
pub fn begin_undeferred(thread: &'static Thread, task: &'static Task, site: CallSite) {
    let generating = thread.task();
    task.add_property(property::UNDEFERRED);
    if is_active() && generating.ompt.frame.enter.get().is_null() {
        generating.ompt.frame.enter_from(site);
    }
    super::generate::announce(task, false, site);
    begin(thread, task, TaskStatus::Switch);
    if is_active() {
        task.ompt.frame.exit_from(site);
    }
}

/// It ends.
pub fn end_undeferred(thread: &'static Thread, task: &'static Task) {
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
    ompd::task_goes_on(task);
    if !task.is_untied() {
        task.children.tie(thread);
    }
    if task.has(property::CHUNK) {
        report_chunk(task);
    }
    thread.set_state(state_of_code(task.team()))
}

#[cold]
#[inline(never)]
fn report_chunk(task: &Task) {
    // SAFETY: its own; nobody changes it while the task runs.
    let (first, iterations) = unsafe { (*task.own()).chunk };
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
    let Some(prior) = task.link.get() else { unreachable!("a task ends that no thread began") };
    while task.is_untied() && task.has(property::UNDEFERRED) && thread.resubmitted.take() {
        // The generating task waits for all parts.
        call(thread, task, task.data());
    }
    if task.is_untied() && thread.resubmitted.take() {
        // One part is over; the others wait in a queue like any task.
        thread.set_task(prior);
        emit::task_schedule(&task.ompt, TaskStatus::Switch, Some(&prior.ompt));
        thread.set_state(before);
        scheduler::make_ready(Some(thread), task);
        return;
    }
    if task.has(property::DESTRUCTORS) {
        destroy_data(thread, task);
    }
    let is_detachable = task.has(property::DETACHABLE);
    let detached = is_detachable && !task.event.body_is_over();
    if is_detachable && !detached {
        task.event.await_fulfilment_told();
    }
    let status = if detached { TaskStatus::Detach } else { TaskStatus::Complete };
    ompd::task_ends(task);
    thread.set_task(prior);
    emit::task_schedule(&task.ompt, status, Some(&prior.ompt));
    thread.set_state(before);
    if !is_detachable || task.event.end_is_done() {
        if is_detachable {
            ompd::detached_task_is_complete(task);
        }
        complete(Some(thread), task);
    }
}

/// The task is complete. `thread` is the calling thread if it is one of the runtime's; it need not be
/// one of the task's team.
#[inline(always)]
pub(super) fn complete(thread: Option<&'static Thread>, task: &'static Task) {
    depend::forget_children(task);
    depend::release(thread, task);
    let properties = task.properties.get();
    let team = task.team();
    let is_counted = properties & property::COUNTED != 0;
    if is_counted && let Some(group) = task.taskgroup.get() {
        group.tasks.leave(thread);
    }
    lineage::retire(thread, task, is_counted);
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
    Blocks::free(task, thread.map(|thread| &thread.blocks));
}

impl Lineage for Task {
    type Thread = Thread;

    #[inline(always)]
    fn children(&self) -> &Children<Thread> {
        &self.children
    }

    #[inline(always)]
    fn parent(&self) -> &'static Task {
        self.generating()
    }

    #[inline(always)]
    fn is_kept(&self) -> bool {
        self.has(property::IMPLICIT)
    }

    #[inline(always)]
    fn free(&'static self, here: Option<&'static Thread>) {
        free(here, self);
    }
}
