//! What a team forgets in the child of a fork(2). The rules are in `crate::process::fork`.

use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use super::{IdleTeam, Team};
use crate::block::ImplicitTask;
use crate::block::native::Alone;
use crate::block::shared::Shared;

impl Team {
    /// The right to the team in the child of a fork(2), whether or not a region of it runs.
    fn idle(&'static self, _: &Alone) -> IdleTeam {
        // SAFETY: the caller is the only thread of the process, and goes on in a region of the team
        // only when the value is gone, or lies with the task that the team belongs to.
        unsafe { IdleTeam::after_region(self) }
    }

    /// All members that the team has had.
    pub(crate) fn all_members(&'static self, alone: &Alone) -> Vec<Shared<ImplicitTask>> {
        self.idle(alone).crew().members.iter().collect()
    }

    /// The calling thread is the only one, and goes on in the task `left` of the team, if in any:
    /// the team has one thread, and barriers, loops and singles that nobody has left half-way.
    pub(crate) fn forget_workers(&'static self, left: Option<Shared<ImplicitTask>>, alone: &Alone) {
        let mut idle = self.idle(alone);
        for barrier in idle.crew().barriers.drain(..) {
            // Others may have been inside, so that it is of no use. The thread that is left may be
            // in the region's: in a task that it runs there, or in a signal handler. It is let out.
            if left.is_some() && ptr::eq(barrier, self.barrier()) {
                barrier.release();
            }
        }
        // A region that the child goes on in is led by the thread that is left of its team:
        // compiled code divides loops by number and size.
        if let Some(left) = left {
            let number = left.thread_num();
            idle.crew().members.swap(0, number);
            alone.own(self.member_so_far(number)).renumber(number);
            alone.own(left).renumber(0);
        } else {
            self.region.taskgroup.set(None);
        }
        let is_left = |member: &ImplicitTask| left.is_some_and(|left| left.is(member));
        for member in idle.members().filter(|member| !is_left(member)) {
            member.worksharing.abandon();
            member.reduction.abandon();
        }
        let primary = alone.own(self.member(0));
        let loops = &primary.worksharing;
        self.loops.forget(loops.count.get(), loops.in_flight());
        // A thread that is gone may have been ahead.
        primary.singles.catch_up(self.single.0.load(Relaxed));
        idle.crew().hired = 1;
        // The region at hand, if there is one, goes on with its primary thread alone.
        idle.use_barrier_for(1);
        self.region.size.set(1);
        self.region.active_level.set(self.parent.map_or(0, |task| task.team().active_level()));
        for member in idle.members().skip(1) {
            member.thread.set(None);
        }
        // Nobody is left to put the right back after the region.
        if left.is_none()
            && let Some(parent) = self.parent
        {
            alone.own(parent).give_child_back(idle);
        }
    }
}
