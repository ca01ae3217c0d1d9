//! The stops for a debugger at tasks and parallel regions, if a debugger is expected.

use oxomp_base::breakpoint::{Breakpoint, reach};

use crate::block::{Team, Thread};
use crate::ompt::event::{flags, is_debugged};
use crate::task::{Properties, Task};

/// The calling thread begins an explicit task, or resumes one that is untied.
#[inline(always)]
pub(crate) fn task_goes_on(task: &Task) {
    if is_debugged() && !task.has(Properties::BEGUN) {
        task.add_property(Properties::BEGUN);
        reach(Breakpoint::TaskBegin);
    }
}

/// The body of an explicit task is complete, and the calling thread has not left the task yet.
#[inline(always)]
pub(crate) fn task_ends(task: &Task) {
    if is_debugged() {
        reach(Breakpoint::TaskEnd);
        if !task.has(Properties::DETACHABLE) {
            task.ompt.generation.end();
        }
    }
}

/// The body of a detachable task is complete, and its event is fulfilled.
pub(crate) fn detached_task_is_complete(task: &Task) {
    if is_debugged() {
        task.ompt.generation.end();
    }
}

/// The calling thread has a team for the region, and no implicit task has begun. A debugger of
/// OpenMP 5 knows no stop at a teams region but that of the league as a parallel region.
pub(crate) fn parallel_begins(thread: &Thread, team: &'static Team) {
    if is_debugged() {
        thread.region.set(Some(team));
        reach(Breakpoint::ParallelBegin);
        if team.league_size().is_some() {
            reach(Breakpoint::TeamsBegin);
        }
        thread.region.set(None);
    }
}

/// All implicit tasks of the region are complete; `kind` is `ompt_parallel_flag_t` of its event.
pub(crate) fn parallel_ends(thread: &Thread, team: &'static Team, kind: i32) {
    if is_debugged() {
        thread.region.set(Some(team));
        if kind & flags::LEAGUE != 0 {
            reach(Breakpoint::TeamsEnd);
        }
        reach(Breakpoint::ParallelEnd);
        thread.region.set(None);
        team.record().generation.end();
    }
}

/// The calling thread has begun the initial task of a target region, whose code comes next.
pub(crate) fn target_begins() {
    if is_debugged() {
        reach(Breakpoint::TargetBegin);
    }
}

/// The code of the target region is over, and the calling thread is in its initial task.
pub(crate) fn target_ends() {
    if is_debugged() {
        reach(Breakpoint::TargetEnd);
    }
}
