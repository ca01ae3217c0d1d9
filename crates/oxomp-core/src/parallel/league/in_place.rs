//! A league of one team in place: a teams construct inside a target region whose code follows the
//! call once, in the initial task of the target region (gcc up to 11).

use super::plan::Device;
use crate::block::{TeamsClauses, Thread};

/// The task that the calling thread executes goes on as the task of the only team of a league with
/// `clauses`: it gets the variables of a team. In the initial team of a target region, where no
/// other thread of the contention group is busy, the group gets the thread limit too.
pub fn begin_in_place(thread: &Thread, clauses: TeamsClauses) {
    let (team, task) = (thread.team(), thread.task());
    let icvs = Device::of(thread).icvs_of_team(clauses.thread_limit, 1, &task.icvs());
    task.change_icvs(|own| *own = icvs);
    if team.is_of_target_region() {
        team.group().set_limit(icvs.thread_limit_var);
    }
}
