//! A thread that waits for its team, and executes the team's tasks meanwhile. The order of the
//! steps is that of `oxomp_protocol::meeting`, to which this file says what a team and its threads
//! are.

use core::sync::atomic::AtomicU32;

use oxomp_base::settings;
use oxomp_protocol::barrier::{Barrier, Cancellation, Departure, Ended};
use oxomp_protocol::meeting::{self, Group, Member};
use oxomp_protocol::patience::Patience;
use oxomp_protocol::task::{Gate, Tally};

use super::scheduler::{Idle, run_one};
use super::scheduling_point::SchedulingPoint;
use crate::block::{ImplicitTask, Team, Thread};
use crate::ompt::event::TaskStatus;

impl Group for Team {
    #[inline(always)]
    fn size(&self) -> u32 {
        Team::size(self)
    }

    #[inline(always)]
    fn barrier(&self) -> &Barrier {
        Team::barrier(self)
    }

    #[inline(always)]
    fn patience(&self) -> Patience {
        Team::patience(self)
    }

    #[inline(always)]
    fn gate(&self) -> &Gate {
        &self.tasking.gate
    }

    #[inline(always)]
    fn outstanding(&self) -> &AtomicU32 {
        &self.tasking.outstanding
    }

    #[inline(always)]
    fn tally(&self, number: u32) -> &Tally {
        self.member_tasks(number).tally()
    }

    #[inline(always)]
    fn is_cancellable(&self) -> bool {
        settings::is_cancellable()
    }

    #[inline(always)]
    fn has_cancelled(&self) -> bool {
        self.cancelled().has_any()
    }

    #[inline(always)]
    fn cancellation(&self) -> &Cancellation {
        self.cancelled().region()
    }

    /// A barrier ends a cancelled worksharing construct.
    fn end_cancelled_part(&self) {
        self.cancelled().end_worksharing();
    }

    fn work(&self) -> u32 {
        self.region_number()
    }

    fn ended(&self, number: u32) -> &Ended {
        self.member(number).ended()
    }
}

/// A thread that waits for its team, or leaves it.
#[derive(Clone, Copy)]
pub(crate) struct Waiter {
    thread: &'static Thread,
    member: &'static ImplicitTask,
}

impl Waiter {
    /// `member` is the member of the team whose implicit task the thread executes, or has executed
    /// last.
    #[inline(always)]
    pub(crate) fn new(thread: &'static Thread, member: &'static ImplicitTask) -> Self {
        Waiter { thread, member }
    }
}

impl Member for Waiter {
    type Group = Team;
    type Stay = Stay;

    #[inline(always)]
    fn group(&self) -> &Team {
        self.member.team()
    }

    #[inline(always)]
    fn number(self) -> usize {
        self.member.thread_num() as usize
    }

    #[inline(always)]
    fn tally(&self) -> &Tally {
        self.member.member_tasks().tally()
    }

    #[inline(always)]
    fn departure(&self) -> &Departure {
        &self.member.cancel.departure
    }

    #[inline(always)]
    fn ended(&self) -> &Ended {
        &self.member.cancel.ended
    }

    #[inline(always)]
    fn stay(self) -> Stay {
        let Waiter { thread, member } = self;
        let point = SchedulingPoint::begin(thread);
        Stay { thread, team: member.team(), point, idle: Idle::new() }
    }

    /// An explicit task does not wait, since it would wait for itself.
    fn begun_are_over(self) -> bool {
        self.thread.task().is_explicit() || self.member.team().begun_are_over()
    }
}

/// The stay of a thread at a barrier, or at the end of a cancelled region, where any task of the
/// team suits: the implicit task is the only one on the thread's stack that belongs to the region,
/// and does not go on before.
pub(crate) struct Stay {
    thread: &'static Thread,
    team: &'static Team,
    point: SchedulingPoint,
    idle: Idle,
}

impl meeting::Stay for Stay {
    #[inline(always)]
    fn execute_one(&mut self) -> bool {
        self.point.look();
        let has_executed = run_one(self.thread, None, TaskStatus::Switch);
        if has_executed {
            self.idle = Idle::new();
        }
        has_executed
    }

    #[inline(always)]
    fn rest(&mut self, nap: impl FnOnce(u64)) {
        self.point.rest();
        self.idle.wait(self.team.patience(), nap);
    }
}

/// Executes tasks of the thread's team until all are complete. Called by the last thread to arrive
/// at a barrier.
pub(crate) fn execute_all(thread: &'static Thread, member: &'static ImplicitTask, team: &Team) {
    meeting::execute_all(Waiter::new(thread, member), team);
}
