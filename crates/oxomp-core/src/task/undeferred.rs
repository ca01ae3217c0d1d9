//! An undeferred task whose body the compiled code calls itself, between two calls of the runtime
//! (kmpc, if(0)).

use core::ptr;

use oxomp_arch::CallSite;

use super::announce::announce;
use super::execute::{Left, begin, end, state_of_code};
use super::generate::count_in;
use super::{Properties, Task};
use crate::block::Thread;
use crate::ompt::event::{Audience, State, TaskStatus, for_audience};

/// Begins an undeferred task whose body the program calls itself (`__kmpc_omp_task_begin_if0`). To
/// a tool the generating task is inside the runtime until `end_undeferred`.
#[inline(always)]
pub fn begin_undeferred(thread: &'static Thread, task: &'static Task, site: CallSite) {
    task.add_property(Properties::UNDEFERRED);
    for_audience!(|audience| begin_undeferred_for(audience, thread, task, site));
}

#[inline(always)]
fn begin_undeferred_for(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    site: CallSite,
) {
    if audience.is_listening() {
        let frame = &thread.task().ompt.frame;
        if frame.enter.get().is_null() {
            frame.enter_from(site);
        }
        announce(audience, task, &[], site);
    }
    if task.has(Properties::DETACHABLE) {
        count_in_detachable(thread, task);
    }
    begin(audience, thread, task, TaskStatus::Switch);
    if audience.is_listening() {
        task.ompt.frame.exit_from(site);
    }
}

/// Counts an undeferred task with an event: other tasks and barriers wait for the event.
#[cold]
fn count_in_detachable(thread: &'static Thread, task: &'static Task) {
    count_in(thread, task);
}

/// Ends an undeferred task that `begin_undeferred` has begun (`__kmpc_omp_task_complete_if0`).
#[inline(always)]
pub fn end_undeferred(thread: &'static Thread, task: &'static Task) {
    for_audience!(|audience| end_undeferred_for(audience, thread, task));
}

#[inline(always)]
fn end_undeferred_for(audience: impl Audience, thread: &'static Thread, task: &'static Task) {
    let prior = task.prior();
    let mut left = Left { task: prior, state: State::Overhead };
    if audience.is_listening() {
        task.ompt.frame.leave();
        left.state = state_of_code(task.team());
    }
    end(audience, thread, task, left, true);
    if audience.is_listening() {
        prior.ompt.frame.enter.set(ptr::null_mut());
    }
}

impl Task {
    /// The task that the thread of this task, which is being executed, resumes afterwards.
    #[inline(always)]
    fn prior(&self) -> &'static Task {
        match self.link.get() {
            Some(prior) => prior,
            None => unreachable!("a task ends that no thread began"),
        }
    }
}
