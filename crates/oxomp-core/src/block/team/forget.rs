//! Repair of a team in the child of a fork(2). The rules are in `crate::process::fork`.

use core::sync::atomic::Ordering::Relaxed;

use super::{IdleTeam, Team};
use crate::block::ImplicitTask;
use crate::block::native::Alone;
use crate::block::shared::Shared;

impl Team {
    /// The right to the team in the child of a fork(2), whether or not a region of it runs.
    fn idle(&'static self, _: &Alone) -> IdleTeam {
        // SAFETY: no other thread exists that could be in a region of the team or hold its right.
        // The calling thread goes on in a region only after it has dropped this value or given it
        // back to the team's parent task.
        unsafe { IdleTeam::after_region(self) }
    }

    /// All members that the team has ever had.
    pub(crate) fn all_members(&'static self, alone: &Alone) -> Vec<Shared<ImplicitTask>> {
        self.idle(alone).membership().members.iter().collect()
    }

    /// Makes the team one of a single thread: the calling thread, which goes on in the task `left`
    /// of the team, if in any. No barrier, loop or single of the team keeps a half-done step of a
    /// thread that is gone.
    pub(crate) fn forget_workers(&'static self, left: Option<Shared<ImplicitTask>>, alone: &Alone) {
        let mut idle = self.idle(alone);
        // The surviving thread may be waiting at the barrier of its region, in a task that it
        // executes there or in a signal handler: this releases it.
        if left.is_some() {
            self.barrier().abandon(alone);
        }
        idle.membership().give_up_barriers(alone);
        // The surviving thread becomes the primary thread of a region in which the child goes on:
        // compiled code divides loops by thread number and team size.
        if let Some(left) = left {
            let number = left.thread_num();
            if number != 0 {
                // The thread that began the region, and would end it by a call, is gone.
                self.encounter.has_call_to_end.set(false);
            }
            idle.membership().members.swap(0, number);
            alone.own(self.member_so_far(number)).renumber(number, alone);
            alone.own(left).renumber(0, alone);
        } else {
            // The thread that would end the cancelled region is gone.
            self.region.cancelled.clear();
            self.region.taskgroup.set(None);
            self.encounter.league_size.set(0);
        }
        let is_left = |member: &ImplicitTask| left.is_some_and(|left| left.is(member));
        for member in idle.members().filter(|member| !is_left(member)) {
            member.worksharing.abandon(alone);
            member.reduction.abandon(alone);
            member.cancel.abandon(alone);
        }
        if let Some(left) = left {
            alone.own(left).cancel.outlive_others(alone);
        }
        let primary = alone.own(self.member(0));
        let loops = &primary.worksharing;
        self.loops.forget(loops.count.get(), &loops.in_flight(), alone);
        // A thread that is gone may have reached more `single` regions.
        primary.singles.catch_up(self.single.0.load(Relaxed));
        idle.membership().hired = 1;
        // The present region, if there is one, goes on with its primary thread alone.
        idle.use_barrier_for(1);
        self.region.size.set(1);
        idle.membership().formed = 1;
        let outer = self.parent.filter(|_| !self.is_of_target_region());
        self.region.active_level.set(outer.map_or(0, |task| task.team().active_level()));
        for member in idle.members().skip(1) {
            member.thread.set(None);
        }
        // The thread that would give the right back after the region is gone.
        if left.is_none()
            && let Some(parent) = self.parent
        {
            let parent = alone.own(parent);
            if self.is_of_league() {
                parent.give_league_team_back(idle);
            } else if self.is_of_target_region() {
                parent.give_target_back(idle);
            } else {
                parent.restore_child(idle, alone);
            }
        }
    }
}
