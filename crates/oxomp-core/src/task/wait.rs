//! The taskwait and taskyield constructs (OpenMP 5.2 §15.5, §12.7).

use core::ptr;

use oxomp_arch::CallSite;

use super::allocate::{self, Clauses};
use super::announce::announce;
use super::generate::generate_dependent;
use super::scheduler::{run_one, run_while};
use super::scheduling_point::SchedulingPoint;
use super::{Dependence, DependenceList, Properties, Task, complete, depend};
use crate::block::Thread;
use crate::ompt::event::{
    Audience, Endpoint, SyncRegion, TaskStatus, emit, for_audience, hears_under_way,
};

/// The taskwait construct without dependences: on return all children of the current task are
/// complete.
#[inline(always)]
pub fn taskwait(thread: &'static Thread, site: CallSite) {
    for_audience!(|audience| taskwait_for(audience, thread, site));
}

#[inline(always)]
fn taskwait_for(audience: impl Audience, thread: &'static Thread, site: CallSite) {
    const KIND: SyncRegion = SyncRegion::Taskwait;
    let task = thread.task();
    let _frame = audience.enter(&task.ompt, site);
    let parallel = task.ompt.parallel();
    audience.sync_region(KIND, Endpoint::Begin, parallel, &task.ompt, site);
    audience.sync_region_wait(KIND, Endpoint::Begin, parallel, &task.ompt, site);
    if task.own_children().pending() != 0 {
        thread.ompt.in_state(KIND.state(), || {
            run_while(thread, || task.own_children().pending() != 0);
        });
        if !audience.is_listening() && hears_under_way() {
            end_under_way(thread);
        }
    }
    task.forget_children();
    audience.sync_region_wait(KIND, Endpoint::End, parallel, &task.ompt, site);
    audience.sync_region(KIND, Endpoint::End, parallel, &task.ompt, site);
}

/// Reports the end of a taskwait that has begun without a listener, to a tool that was attached
/// meanwhile.
// The function finds the task anew, and does without the call's address, so that a taskwait saves
// no registers for it.
#[cold]
#[inline(never)]
fn end_under_way(thread: &Thread) {
    const KIND: SyncRegion = SyncRegion::Taskwait;
    let task = thread.task();
    let parallel = task.ompt.parallel();
    let site = CallSite::none();
    // The tool may hear of the thread by this event, and finds it in the wait.
    thread.ompt.in_state(KIND.state(), || {
        emit::sync_region_wait(KIND, Endpoint::End, parallel, &task.ompt, site);
    });
    emit::sync_region(KIND, Endpoint::End, parallel, &task.ompt, site);
}

/// The taskwait construct with dependences: on return those siblings are complete for which a task
/// with these dependences would wait. With `nowait` the current task does not wait: a task without
/// a body does.
pub fn taskwait_depend(
    thread: &'static Thread,
    mut dependences: DependenceList,
    nowait: bool,
    site: CallSite,
) {
    // Without nowait the construct generates "a mergeable and included task" (OpenMP 5.2 §15.5).
    let kind =
        if nowait { Properties::empty() } else { Properties::UNDEFERRED | Properties::MERGEABLE };
    let clauses = Clauses { properties: Properties::EMPTY | kind, priority: 0 };
    let task = allocate::allocate(thread, 0, ptr::null(), clauses);
    if nowait {
        generate_dependent(thread, task, move || dependences, site);
    } else {
        let list = &mut dependences;
        for_audience!(|audience| taskwait_depend_for(audience, thread, task, list, site));
    }
}

fn taskwait_depend_for(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    dependences: &mut [Dependence],
    site: CallSite,
) {
    let _frame = audience.enter(&thread.task().ompt, site);
    announce(audience, task, dependences, site);
    depend::wait(thread, task, dependences);
    audience.task_schedule(&task.ompt, TaskStatus::TaskwaitComplete, None);
    audience.task_end(&task.ompt);
    complete::discard(thread, task);
}

/// The taskyield construct: the thread may execute another task before it resumes the current one.
pub fn taskyield(thread: &'static Thread, site: CallSite) {
    for_audience!(|audience| taskyield_for(audience, thread, site));
}

fn taskyield_for(audience: impl Audience, thread: &'static Thread, site: CallSite) {
    let task = thread.task();
    let _frame = audience.enter(&task.ompt, site);
    let point = SchedulingPoint::begin(thread);
    point.look();
    run_one(thread, Some(task), TaskStatus::Yield);
    thread.yielded.set(task.is_untied());
}
