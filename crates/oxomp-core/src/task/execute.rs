//! The execution of a task: the switch to the task, its body, and the switch back.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

use oxomp_arch::CallSite;

use super::complete::{complete, destroy_data, retire_included};
use super::ready::{await_device, make_ready};
use super::{Properties, Task, depend, discard};
use crate::block::{Team, Thread};
use crate::cancel::begun;
use crate::ompd::stops;
use crate::ompt::event::{Audience, Dispatch, State, TaskStatus, emit, for_audience, is_active};
use crate::race_detector;

/// Executes a task of the calling thread's team, which the thread has taken out of its queue.
/// `status` says why the thread suspends its current task.
#[inline(always)]
pub(super) fn execute(thread: &'static Thread, task: &'static Task, status: TaskStatus) {
    for_audience!(|audience| execute_for(audience, thread, task, status));
}

#[inline(always)]
pub(super) fn execute_for(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    status: TaskStatus,
) {
    if begun::is_discarded_from_queue(thread, task) {
        return discard::discard(thread, task);
    }
    let left = begin(audience, thread, task, status);
    call(thread, task, task.data());
    end(audience, thread, task, left, false);
}

/// Executes a task at once, while its generating task waits for it. The task is in no count, and
/// has no ties to other tasks.
#[inline(always)]
pub(super) fn execute_included(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    data: *mut c_void,
) {
    if begun::is_discarded(task) {
        return discard::discard_included(thread, task);
    }
    let left = begin(audience, thread, task, TaskStatus::Switch);
    call(thread, task, data);
    end(audience, thread, task, left, true);
}

/// Ends a target task whose device work was not done when its body was over, and is done now.
pub(super) fn execute_end(thread: &'static Thread, task: &'static Task) {
    for_audience!(|audience| execute_end_for(audience, thread, task));
}

fn execute_end_for(audience: impl Audience, thread: &'static Thread, task: &'static Task) {
    let left = begin(audience, thread, task, TaskStatus::Switch);
    end(audience, thread, task, left, false);
}

/// Executes the remaining parts of an untied task on the calling thread, after a part has ended.
#[inline(always)]
fn run_other_parts(thread: &'static Thread, task: &'static Task) {
    while task.is_untied() && thread.resubmitted.take() {
        thread.yielded.set(false);
        call(thread, task, task.data());
    }
}

/// The task that a thread has suspended to execute another, and the thread's state at that time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) task: &'static Task,
    /// The state that the thread was in; meaningless without a listener.
    pub(super) state: State,
}

/// Suspends the thread's current task, and makes `task` the current one.
#[inline(always)]
pub(super) fn begin(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    status: TaskStatus,
) -> Left {
    let prior = thread.task();
    // One test for two rare listeners.
    let is_detailed = audience.hears_events() && emit::wants_switch_details();
    if is_detailed && !task.has(Properties::EMPTY) {
        // A child that a callback makes by fork(2) keeps the task (`forget::Stack`).
        let before = thread.taken.replace(Some(task));
        audience.task_suspend(&prior.ompt);
        thread.taken.set(before);
    }
    task.link.set(Some(prior));
    if audience.is_listening() {
        // A signal handler that sees the task sees the link.
        compiler_fence(SeqCst);
    }
    thread.set_task(task);
    if !audience.is_listening() {
        return Left { task: prior, state: State::Overhead };
    }
    if audience.hears_events() {
        audience.task_schedule(&prior.ompt, status, Some(&task.ompt));
        if is_detailed {
            stops::task_goes_on(task);
        }
        if task.has(Properties::CHUNK) {
            report_chunk(task);
        }
    }
    Left { task: prior, state: thread.set_state(state_of_code(task.team())) }
}

#[cold]
#[inline(never)]
fn report_chunk(task: &Task) {
    let (first, iterations) = task.own().chunk.get();
    emit::dispatch(Dispatch::TaskloopChunk, &task.ompt, first, iterations, CallSite::none());
}

/// The state of a thread of `team` that executes code of the program.
#[inline(always)]
pub(super) fn state_of_code(team: &Team) -> State {
    if team.level() == 0 { State::WorkSerial } else { State::WorkParallel }
}

/// Calls the task's code: all of it, or the parts of an untied task up to the next `taskyield`.
///
/// A thread that has generated a child in an untied task goes on with the next part itself, from
/// the same frame: code of clang's that keeps the variables of nested constructs on the stack finds
/// them there.
#[inline(always)]
fn call(thread: &Thread, task: &Task, data: *mut c_void) {
    call_part(thread, task, data);
    while task.is_untied() && !thread.yielded.get() && thread.resubmitted.take() {
        call_part(thread, task, data);
    }
}

#[inline(always)]
fn call_part(thread: &Thread, task: &Task, data: *mut c_void) {
    let properties = task.properties.get();
    let exit_frame = task.ompt.frame.exit.as_ptr();
    // SAFETY: the compiler's function gets the data that the compiler laid out for it, and
    // `properties` says which type the function has.
    unsafe {
        if properties.intersects(Properties::KMPC) {
            oxomp_arch::call_task(task.body.get(), thread.number() as i32, data, exit_frame);
        } else if !properties.intersects(Properties::EMPTY) {
            oxomp_arch::call_gomp(task.body.get(), data, exit_frame);
        }
    }
    task.ompt.frame.exit.set(ptr::null_mut());
}

/// Ends a task, or the present part of it, after its body has returned: the thread resumes the task
/// in `left`. If the task `is_included`, its generating task waits for it.
#[inline(always)]
pub(super) fn end(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    left: Left,
    is_included: bool,
) {
    const MORE: Properties = Properties::UNTIED
        .union(Properties::DETACHABLE)
        .union(Properties::TARGET)
        .union(Properties::DESTRUCTORS)
        .union(Properties::BEGUN_IN_REGION);
    if audience.hears_events() || task.has(MORE) {
        end_with_more(audience, thread, task, left, is_included);
        return;
    }
    resume(audience, thread, task, left, TaskStatus::Complete);
    if is_included {
        retire_included(thread, task, left.task);
    } else {
        complete(Some(thread), task, Some(left.task));
    }
}

/// The general case of `end`: for a task that may have another part, device work, an event or
/// destructors, or whose end has a listener, or matters to threads that leave the region.
#[inline(never)]
pub(super) fn end_with_more(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    left: Left,
    is_included: bool,
) {
    let prior = left.task;
    if is_included || task.has(Properties::UNDEFERRED) || task.team().size() == 1 {
        // The generating task waits for all parts, or no other thread could take one.
        run_other_parts(thread, task);
    }
    let is_resubmitted = task.is_untied() && thread.resubmitted.take();
    thread.yielded.set(false);
    let is_on_device = task.has(Properties::TARGET) && task.is_on_device();
    if is_resubmitted || is_on_device {
        resume(audience, thread, task, left, TaskStatus::Switch);
        if is_on_device {
            await_device(task);
        } else {
            // The next part waits in a queue like any task.
            make_ready(Some(thread), task);
        }
        return;
    }
    if task.has(Properties::DESTRUCTORS) {
        destroy_data(thread, task);
    }
    if task.has(Properties::BEGUN_IN_REGION) {
        begun::end_begun(thread, task);
    }
    if audience.hears_events() {
        race_detector::leave(task.payload());
    }
    let is_detachable = task.has(Properties::DETACHABLE);
    let detached = is_detachable && !task.event.body_is_over();
    if is_detachable && !detached {
        task.event.await_fulfilment(is_active);
    }
    let status = status_at_end(task, detached);
    if audience.hears_events() {
        if !detached {
            depend::before_completion(task);
        }
        if emit::wants_task_end() {
            tell_end(audience, task, detached);
        }
    }
    resume(audience, thread, task, left, status);
    if is_detachable {
        if task.event.end_is_done() {
            stops::detached_task_is_complete(task);
            complete(Some(thread), task, Some(prior));
        }
    } else if is_included {
        retire_included(thread, task, prior);
    } else {
        complete(Some(thread), task, Some(prior));
    }
}

/// The status with which the thread leaves `task`, whose code is over.
#[inline]
fn status_at_end(task: &Task, detached: bool) -> TaskStatus {
    if detached {
        TaskStatus::Detach
    } else if task.has(Properties::CANCELLED) {
        TaskStatus::Cancel
    } else {
        TaskStatus::Complete
    }
}

/// Tells debuggers that the code of the task is over, and listeners that the task is, unless it is
/// `detached`.
#[cold]
#[inline(never)]
fn tell_end(audience: impl Audience, task: &Task, detached: bool) {
    stops::task_ends(task);
    if !detached {
        audience.task_end(&task.ompt);
    }
}

/// Makes the task in `left` the thread's current task again, after `task`. `status` says why `task`
/// ends or is suspended.
#[inline(always)]
pub(super) fn resume(
    audience: impl Audience,
    thread: &Thread,
    task: &Task,
    left: Left,
    status: TaskStatus,
) {
    thread.set_task(left.task);
    if audience.is_listening() {
        // The block of the task, and its link, may be used for another task from now on.
        compiler_fence(SeqCst);
    }
    audience.task_schedule(&task.ompt, status, Some(&left.task.ompt));
    if audience.is_listening() {
        thread.set_state(left.state);
    }
}
