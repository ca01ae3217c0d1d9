//! The cancel and cancellation point constructs (OpenMP 5.2 §11), which have an effect where
//! OMP_CANCELLATION is true. The thread that encounters one asks whether it has to leave the
//! region, and if so, the compiler's code branches to the end of it.

use oxomp_arch::CallSite;
use oxomp_base::{diag, settings};
use oxomp_sys::ompt::ompt_cancel_flag_t;

use super::departure;
use super::state::Construct;
use crate::block::{ImplicitTask, Thread};
use crate::ompt::event::{State, SyncRegion, emit};
use crate::task::{Properties, Task};

/// The cancel construct: cancels the innermost region of that construct. Returns whether the
/// calling thread has to leave the region.
pub fn cancel(thread: &'static Thread, construct: Construct, site: CallSite) -> bool {
    if !settings::is_cancellable() {
        return false;
    }
    let (member, task) = (thread.implicit_task(), thread.task());
    let team = member.team();
    let is_first = match construct {
        Construct::Taskgroup => match task.cancellable_taskgroup() {
            Some(group) => group.cancel(),
            None => return misplaced("taskgroup", "the task is in no taskgroup region"),
        },
        _ if !is_own(member, task) => {
            return misplaced(name(construct), "an explicit task encounters it");
        }
        Construct::Parallel if team.level() == 0 || team.is_of_league() => {
            return misplaced("parallel", "there is no parallel region");
        }
        Construct::Parallel => {
            team.cancelled().cancel_region(team.barrier(), member.thread_num() as usize)
        }
        Construct::Loop | Construct::Sections => team.cancelled().cancel_worksharing(construct),
    };
    let part = if is_first { ompt_cancel_flag_t::ACTIVATED } else { ompt_cancel_flag_t::DETECTED };
    leave(thread, construct, part.0, site);
    true
}

/// The cancellation point construct. `which` returns its construct, or none for a kind that the
/// runtime does not know; it is called only where OMP_CANCELLATION is true, so that without it the
/// point costs a load and a test (`cancellation_point`). Returns whether the innermost region of
/// that construct is cancelled, so that the calling thread has to leave it.
#[inline(always)]
pub fn cancellation_point(which: impl FnOnce() -> Option<Construct>, site: CallSite) -> bool {
    if !settings::is_cancellable() {
        return false;
    }
    // A thread that is not known yet is in no region that another one could have cancelled.
    let (Some(thread), Some(construct)) = (Thread::known(), which()) else { return false };
    if !is_active_where_possible(thread, construct) {
        return false;
    }
    leave(thread, construct, ompt_cancel_flag_t::DETECTED.0, site);
    true
}

/// Whether the innermost region of that construct is cancelled.
///
/// An explicit task of a cancelled parallel region finds its taskgroup cancelled: it may end early
/// as well.
pub fn is_active(thread: &'static Thread, construct: Construct) -> bool {
    settings::is_cancellable() && is_active_where_possible(thread, construct)
}

/// As `is_active`, where OMP_CANCELLATION is true.
#[inline(always)]
fn is_active_where_possible(thread: &'static Thread, construct: Construct) -> bool {
    let cancelled = thread.team().cancelled();
    match construct {
        Construct::Parallel => cancelled.region().is_active(),
        Construct::Loop | Construct::Sections => cancelled.has_worksharing(construct),
        Construct::Taskgroup => {
            let task = thread.task();
            task.cancellable_taskgroup().is_some_and(|group| group.is_cancelled())
                || !task.has(Properties::IMPLICIT) && cancelled.region().is_active()
        }
    }
}

/// A barrier that is a cancellation point of the parallel region. Returns whether the region is
/// cancelled, so that the calling thread has to leave it.
#[inline]
pub fn barrier(thread: &'static Thread, kind: SyncRegion, site: CallSite) -> bool {
    crate::barrier::barrier(thread, kind, site);
    let is_cancelled = thread.team().is_cancelled();
    if is_cancelled && !thread.implicit_task().cancel.has_noticed.get() {
        leave(thread, Construct::Parallel, ompt_cancel_flag_t::DETECTED.0, site);
    }
    is_cancelled
}

/// The calling thread leaves the region of `construct`; `part` says for tools why. Before it leaves
/// a parallel region, and its variables end, it waits for the tasks that have begun.
#[cold]
fn leave(thread: &'static Thread, construct: Construct, part: u32, site: CallSite) {
    let (member, task) = (thread.implicit_task(), thread.task());
    emit::cancel(&task.ompt, construct.flag() | part, site);
    match construct {
        Construct::Parallel => {
            member.cancel.has_noticed.set(true);
            departure::await_begun(thread, State::Overhead, site);
        }
        Construct::Loop | Construct::Sections => thread.leave_cancelled_loop(site),
        Construct::Taskgroup if !task.has(Properties::IMPLICIT) => {
            task.add_property(Properties::CANCELLED);
        }
        Construct::Taskgroup => {}
    }
}

/// Whether `task` is the implicit task of `member`.
fn is_own(member: &ImplicitTask, task: &Task) -> bool {
    core::ptr::eq(&raw const **member, task)
}

fn name(construct: Construct) -> &'static str {
    match construct {
        Construct::Parallel => "parallel",
        Construct::Loop => "for",
        Construct::Sections => "sections",
        Construct::Taskgroup => "taskgroup",
    }
}

/// Reports a cancel construct without a region that it could cancel. Returns false: the thread goes
/// on.
#[cold]
fn misplaced(construct: &str, why: &str) -> bool {
    diag::misuse("cancel", format_args!("{construct}: {why}"), "the construct has no effect");
    false
}
