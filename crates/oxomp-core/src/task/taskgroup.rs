//! The taskgroup construct (OpenMP 5.2 §15.4): its end waits until all tasks of the group are
//! complete.

use core::ptr;

use oxomp_arch::CallSite;

use super::{Taskgroup, scheduler};
use crate::block::{ImplicitTask, Thread};
use crate::ompt::event::{Audience, Endpoint, SyncRegion, emit, for_audience};

/// Begins a taskgroup region in the current task.
#[inline(always)]
pub fn begin_taskgroup(thread: &'static Thread, site: CallSite) -> &'static Taskgroup {
    let task = thread.task();
    let group = thread.spares.take_taskgroup();
    group.begin(task, task.taskgroup.get(), (!task.is_untied()).then_some(thread));
    task.taskgroup.set(Some(group));
    emit::sync_region(
        SyncRegion::Taskgroup,
        Endpoint::Begin,
        task.ompt.parallel(),
        &task.ompt,
        site,
    );
    group
}

/// Ends the innermost taskgroup region of the current task: on return all tasks of the group and
/// their descendants are complete. If the task has begun no taskgroup, which is the program's
/// error, the call has no effect.
#[inline(always)]
pub fn end_taskgroup(thread: &'static Thread, site: CallSite) {
    for_audience!(|audience| end_for(audience, thread, site));
}

#[inline(always)]
fn end_for(audience: impl Audience, thread: &'static Thread, site: CallSite) {
    const KIND: SyncRegion = SyncRegion::Taskgroup;
    let task = thread.task();
    let Some(group) = task.taskgroup.get() else { return };
    let _frame = audience.enter(&task.ompt, site);
    let parallel = task.ompt.parallel();
    audience.sync_region_wait(KIND, Endpoint::Begin, parallel, &task.ompt, site);
    // SAFETY: the calling thread executes the task, whose innermost taskgroup ends: compiled code
    // calls this at the end of a taskgroup that the task has encountered.
    let is_pending = || unsafe { group.is_pending() };
    if is_pending() {
        thread.ompt.in_state(KIND.state(), || scheduler::run_while(thread, is_pending));
    }
    if let Some(reductions) = group.reductions.take() {
        reductions.finish(thread, &task.ompt, site);
    }
    audience.sync_region_wait(KIND, Endpoint::End, parallel, &task.ompt, site);
    audience.sync_region(KIND, Endpoint::End, parallel, &task.ompt, site);
    task.taskgroup.set(group.outer());
    thread.spares.keep_taskgroup(group);
}

/// The implicit task of `member` has left a cancelled region without the ends of its taskgroups:
/// ends them. The calling thread, which is the region's primary thread, keeps their memory.
pub(crate) fn leave_taskgroups(thread: &'static Thread, member: &ImplicitTask) {
    let outermost = member.team().taskgroup();
    let is_outermost =
        |group: &'static Taskgroup| outermost.is_some_and(|outermost| ptr::eq(outermost, group));
    while let Some(group) = member.taskgroup.get()
        && !is_outermost(group)
    {
        if let Some(reductions) = group.reductions.take() {
            reductions.abandon(thread);
        }
        member.taskgroup.set(group.outer());
        thread.spares.keep_taskgroup(group);
    }
}
