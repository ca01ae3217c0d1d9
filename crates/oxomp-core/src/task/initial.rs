//! The begin of an initial task inside of the program: one of a league, or one of a target region.

use crate::block::{ImplicitTask, Thread};
use crate::ompt::event::{Audience, State, flags};

/// The calling thread begins the initial task `initial`, the only one of its team, which has begun
/// its region. `index` is the task's number for tools.
pub(crate) fn begin_initial(
    audience: impl Audience,
    thread: &'static Thread,
    initial: &'static ImplicitTask,
    index: u32,
) {
    let team = initial.team();
    initial.inherit_icvs();
    // Before a signal handler sees the task.
    audience.begin_records(None, Some(&initial.ompt));
    thread.set_implicit_task(initial);
    initial.begin_implicit();
    let is_outermost = team.level() == 0;
    thread.set_state(if is_outermost { State::WorkSerial } else { State::WorkParallel });
    if audience.is_listening() {
        let (teams, kind) = (team.num_teams(), flags::TASK_INITIAL);
        audience.implicit_task_begin(team.record(), &initial.ompt, teams, index, kind);
    }
}
