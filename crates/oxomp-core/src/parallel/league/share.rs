//! The share of a member in its league: the initial tasks that its thread executes.

use crate::barrier::meet_at_end;
use crate::block::{IdleTeam, ImplicitTask, Thread, ToWorker};
use crate::ompt::event::{Audience, State, SyncRegion, flags};
use crate::parallel::end_region::Ending;
use crate::parallel::outlined::call;
use crate::task::begin_initial;

/// The calling thread executes the initial tasks that fall to `member`. The last of them has ended
/// but for its event, which comes after the barrier of the league.
pub(in crate::parallel) fn execute_share(
    audience: impl Audience,
    thread: &'static Thread,
    member: &'static ImplicitTask,
    order: &ToWorker,
) -> Ending<'static> {
    // Read here: in the child of a fork(2) the surviving thread goes on with its own share.
    let (mut team_num, step) = (member.thread_num(), member.team().size());
    loop {
        let initial = begin(audience, thread, member, team_num);
        // SAFETY: `Outlined::order_of_league` made the order, and the encountering thread does not
        // end the league before this thread has arrived at its barrier.
        unsafe { call(order, thread, initial) };
        complete(thread, member, initial);
        let ending = ending(initial, team_num);
        let teams = member.team().league_size().unwrap_or(0);
        team_num = match team_num.checked_add(step) {
            Some(next) if next < teams => next,
            _ => return ending,
        };
        audience.implicit_task_end(ending.task, ending.index, ending.kind);
    }
}

/// The calling thread begins the initial task of team `team_num`.
pub(super) fn begin(
    audience: impl Audience,
    thread: &'static Thread,
    member: &'static ImplicitTask,
    team_num: u32,
) -> &'static ImplicitTask {
    let mut idle = member.take_league_team();
    idle.prepare_initial(member, team_num);
    let initial = idle.primary();
    idle.begin();
    thread.go_to(initial.place());
    begin_initial(audience, thread, initial, team_num);
    initial
}

/// Completes the initial task: its explicit tasks are complete, and the member may execute the
/// next.
pub(super) fn complete(
    thread: &'static Thread,
    member: &ImplicitTask,
    initial: &'static ImplicitTask,
) {
    thread.set_state(State::Overhead);
    meet_at_end(thread, initial);
    // SAFETY: the calling thread is the only one of the team, and executes no task of it any more.
    member.give_league_team_back(unsafe { IdleTeam::after_region(initial.team()) });
}

/// The end of the initial task of team `team_num`.
pub(super) fn ending(initial: &'static ImplicitTask, team_num: u32) -> Ending<'static> {
    Ending {
        barrier: SyncRegion::BarrierTeams,
        task: &initial.ompt,
        index: team_num,
        kind: flags::TASK_INITIAL,
    }
}
