//! The end of a parallel region: the primary thread waits for its team, and goes on with the
//! encountering task.

use core::sync::atomic::{Ordering::Release, fence};

use oxomp_arch::CallSite;
use oxomp_base::settings;

use crate::barrier::meet_at_end;
use crate::block::{IdleTeam, ImplicitTask, Thread};
use crate::cancel::restore;
use crate::ompd::stops;
use crate::ompt::event::{Audience, Endpoint, State, SyncRegion, TaskRecord, flags};
use crate::task::Task;

/// What ends on a thread with its region: an implicit task, or the last initial task that the
/// thread executes of a league.
#[derive(Clone, Copy)]
pub(super) struct Ending<'a> {
    /// The barrier that ends the region.
    pub(super) barrier: SyncRegion,
    pub(super) task: &'a TaskRecord,
    /// The thread's number in the team, or the team's in the league.
    pub(super) index: u32,
    /// `ompt_task_flag_t`.
    pub(super) kind: i32,
}

impl<'a> Ending<'a> {
    /// The end of an implicit task of a parallel region.
    #[inline(always)]
    pub(super) fn of_region(task: &'a ImplicitTask) -> Self {
        Ending {
            barrier: SyncRegion::BarrierImplicitParallel,
            task: &task.ompt,
            index: task.thread_num(),
            kind: flags::TASK_IMPLICIT,
        }
    }
}

/// The primary thread waits, as the member `member`, until all threads have completed the region.
#[inline(always)]
pub(super) fn end_region(
    audience: impl Audience,
    thread: &'static Thread,
    member: &'static ImplicitTask,
    ending: Ending<'_>,
    site: CallSite,
) -> IdleTeam {
    let Ending { barrier, task, index, kind } = ending;
    let team = member.team();
    // A team of one thread does not wait, but its region ends with a barrier region too.
    let has_state = audience.is_listening() || team.size() != 1;
    if audience.is_listening() {
        let region = Some(team.record());
        audience.sync_region(barrier, Endpoint::Begin, region, task, site);
        audience.sync_region_wait(barrier, Endpoint::Begin, region, task, site);
    }
    if has_state {
        thread.set_state(barrier.state());
    }
    meet_at_end(thread, member);
    if audience.is_listening() {
        // If this thread was the last to arrive, it has released the others itself. Pairs with the
        // fence in `LeftRegion::is_over`: a worker that reads what this thread stores from now on
        // finds its region over.
        fence(Release);
    }
    if has_state {
        thread.set_state(State::Overhead);
    }
    if audience.is_listening() {
        audience.sync_region_wait(barrier, Endpoint::End, None, task, site);
        audience.sync_region(barrier, Endpoint::End, None, task, site);
    }
    audience.implicit_task_end(task, index, kind);
    // SAFETY: the calling thread is the region's primary thread, and all members have arrived at
    // the barrier that ends the region, which it has just passed.
    let mut idle = unsafe { IdleTeam::after_region(team) };
    if team.is_cancelled() {
        restore::clean(thread, &mut idle);
    }
    idle
}

/// After the parallel region: the calling thread goes on with the task that encountered it, under
/// the implicit task `outer`.
#[inline(always)]
pub(super) fn leave(
    audience: impl Audience,
    thread: &'static Thread,
    outer: &'static ImplicitTask,
    encountering: &'static Task,
    idle: IdleTeam,
    kind: i32,
    site: CallSite,
) {
    let team = idle.team();
    if team.size() > 1 && team.group().is_limited() {
        team.group().give_back(team.size() - 1);
    }
    resume(audience, thread, outer, encountering, idle, kind, site);
}

/// The calling thread goes on with the task `encountering`, under the implicit task `outer`.
#[inline(always)]
pub(super) fn resume(
    audience: impl Audience,
    thread: &'static Thread,
    outer: &'static ImplicitTask,
    encountering: &'static Task,
    mut idle: IdleTeam,
    kind: i32,
    site: CallSite,
) {
    let team = idle.team();
    thread.go_on_with(outer, encountering);
    if settings::resets_affinity() && team.level() == 1 {
        thread.reset_affinity();
    }
    if audience.is_listening() {
        audience.parallel_end(&encountering.ompt, team.record(), kind, site);
        stops::parallel_ends(thread, team, kind);
    }
    thread.set_state(idle.outer_state());
    outer.give_child_back(idle);
}
