//! The tasks and regions that the calling thread is in, innermost first, for the entry points of
//! both interfaces (OpenMP 5.2 §19.6.1.14 and §19.6.1.15; the 2015 report §5.5 and §5.6).

use core::ffi::c_int;

use super::entry_point::caller;
use crate::block::{ImplicitTask, Shared, Thread};
use crate::ompt::event::{ParallelRecord, State};
use crate::task::Task;

/// The calling thread, unless it is a worker outside of its regions.
pub(super) fn active_caller() -> Option<&'static Thread> {
    caller().filter(|thread| {
        let is_root = thread.initial.get().is_some();
        (is_root || thread.left.has_region())
            && !matches!(thread.state(), State::Idle | State::Undefined)
    })
}

/// The task at a level of the calling thread, and the member of a team under whose thread number
/// the thread executes it.
pub(super) enum Level {
    /// The level exists.
    At((Shared<Task>, Shared<ImplicitTask>)),
    /// The calling thread is just going from one task to another: a signal handler may ask then.
    Between,
    /// There is no such level.
    Nothing,
}

/// Whether the answer about `level` comes too late: a worker may answer about its region until it
/// begins the next one, but about the tasks and regions around it only until the region is over,
/// since these then go on.
fn is_too_late(thread: &Thread, level: u32) -> bool {
    level != 0 && thread.left.is_over()
}

/// The implicit or initial task in which the calling thread, a worker, has left its region; `None`
/// if the worker is in a region, or executes an explicit task at its dock, or a region in that
/// task.
pub(super) fn left_task(thread: &Thread) -> Option<Shared<ImplicitTask>> {
    let left = thread.left.task()?.shared();
    let now = thread.implicit_task_if_any()?.shared();
    let is_explicit = thread.task_if_any()?.is_explicit();
    // At its dock a worker of a league is in its member's task.
    (!is_explicit && (now == left || now == left.in_region())).then_some(left)
}

/// The task that the calling thread executes, and the member of a team under whose thread number it
/// does; `None` while it goes from a task of one team to a task of another. A worker at its dock is
/// in the task in which it left its region.
fn innermost(thread: &Thread) -> Option<(Shared<Task>, Shared<ImplicitTask>)> {
    if let Some(left) = left_task(thread) {
        return Some((left.task(), left));
    }
    let member = thread.implicit_task_if_any()?.shared();
    let task = thread.task_if_any()?.shared();
    core::ptr::eq(task.team(), member.team()).then_some((task, member))
}

/// The calling thread's member of the team of the region at `level`, counted outward from the
/// innermost. While the thread goes from a task of one team to a task of another, the innermost
/// region is that which the thread goes to.
pub(super) fn member_at(thread: &Thread, level: u32) -> Option<Shared<ImplicitTask>> {
    let innermost = left_task(thread)
        .or_else(|| thread.implicit_task_if_any().map(|member| member.shared()))?;
    let mut member = innermost.in_region();
    for _ in 0..level {
        member = member.team().parent()?.in_region();
    }
    (!is_too_late(thread, level)).then_some(member)
}

/// The task at `level`, counted outward from the task that the thread executes, and the member of a
/// team under whose thread number the thread executes it. Next after an explicit task is the task
/// that it interrupted; after an implicit task, the task that encountered its region.
pub(super) fn task_at(thread: &Thread, level: u32) -> Level {
    let Some((mut task, mut member)) = innermost(thread) else {
        return if level == 0 { Level::Between } else { Level::Nothing };
    };
    for _ in 0..level {
        let outer = if task.is_explicit() {
            task.suspended().map(|suspended| (suspended, member))
        } else {
            let team = member.in_region().team();
            team.encountering().zip(team.parent())
        };
        let Some(outer) = outer else { return Level::Nothing };
        (task, member) = outer;
    }
    if is_too_late(thread, level) { Level::Nothing } else { Level::At((task, member)) }
}

/// The calling thread, and `level` if there may be such a level.
pub(super) fn asked(level: c_int) -> Option<(&'static Thread, u32)> {
    active_caller().zip(u32::try_from(level).ok())
}

/// The region of `member`, which is at `level`, and the region's size. A worker that has left the
/// region answers from its copy.
pub(super) fn region_of(
    thread: &Thread,
    member: Shared<ImplicitTask>,
    level: u32,
) -> (&ParallelRecord, u32) {
    if level == 0
        && left_task(thread).is_some()
        && let Some(copy) = thread.left.copy()
    {
        return copy;
    }
    let team = member.team();
    (team.record(), team.league_size().unwrap_or(team.size()))
}
