//! The join of a parallel region: the primary thread waits for its team, and goes on with the
//! encountering task.

use super::cancelled;
use crate::arch::CallSite;
use crate::barrier::meet_at_end;
use crate::block::{IdleTeam, ImplicitTask, Thread};
use crate::ompd::stops;
use crate::ompt::event::{Audience, Endpoint, State, SyncRegion, flags};
use crate::settings;
use crate::task::Task;

/// The primary thread, which executes `task`, waits until all threads have completed the region.
#[inline(always)]
pub(super) fn join(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static ImplicitTask,
    site: CallSite,
) -> IdleTeam {
    const KIND: SyncRegion = SyncRegion::BarrierImplicitParallel;
    let team = task.team();
    let is_alone = team.size() == 1;
    if audience.is_listening() && !is_alone {
        let region = Some(team.record());
        audience.sync_region(KIND, Endpoint::Begin, region, &task.ompt, site);
        audience.sync_region_wait(KIND, Endpoint::Begin, region, &task.ompt, site);
    }
    if !is_alone {
        thread.set_state(State::WaitBarrierImplicitParallel);
    }
    meet_at_end(thread, task);
    if !is_alone {
        thread.set_state(State::Overhead);
    }
    if audience.is_listening() && !is_alone {
        audience.sync_region_wait(KIND, Endpoint::End, None, &task.ompt, site);
        audience.sync_region(KIND, Endpoint::End, None, &task.ompt, site);
    }
    audience.implicit_task_end(&task.ompt, 0, flags::TASK_IMPLICIT);
    // SAFETY: the calling thread is the region's primary thread, and all members have arrived at
    // the barrier that ends the region, which it has just passed.
    let mut idle = unsafe { IdleTeam::after_region(team) };
    if team.is_cancelled() {
        cancelled::clean(thread, &mut idle);
    }
    idle
}

/// After the region: the calling thread goes on with the task that encountered it, under the
/// implicit task `outer`.
#[inline(always)]
pub(super) fn leave(
    audience: impl Audience,
    thread: &'static Thread,
    outer: &'static ImplicitTask,
    encountering: &'static Task,
    mut idle: IdleTeam,
    kind: i32,
    site: CallSite,
) {
    let team = idle.team();
    if team.size() > 1 && team.group().is_limited() {
        team.group().give_back(team.size() - 1);
    }
    thread.set_implicit_task(outer);
    thread.set_task(encountering);
    if settings::resets_affinity() && team.level() == 1 {
        thread.reset_affinity();
    }
    if audience.is_listening() {
        audience.parallel_end(&encountering.ompt, team.record(), kind, site);
        stops::parallel_ends(thread, team);
    }
    thread.set_state(idle.outer_state());
    outer.give_child_back(idle);
}
