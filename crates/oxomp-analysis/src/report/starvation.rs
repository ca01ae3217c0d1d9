//! Advice on threads that find no ready task, or wait in taskwait: its cause, as far as the times
//! of the tasks tell.

use super::Names;
use super::units::{count, plural, time};
use crate::summary::{Region, SiteId, Tasking};

/// With this many tasks at a time, on average, or fewer, tasks run one after the other.
pub(super) const ONE_AFTER_THE_OTHER: f64 = 1.2;

/// The advice for `region`, whose tasks are `tasking`.
pub(super) fn against(region: &Region, tasking: &Tasking, names: Names<'_>) -> String {
    let calls = region.calls.max(1);
    let at_a_time = tasking.work_ns as f64 / tasking.span_ns.max(1) as f64;
    let mean = tasking.work_ns / tasking.tasks.max(1);
    let place = in_brackets(tasking.longest, names);
    if tasking.longest_ns >= tasking.span_ns / 2 && tasking.tasks >= calls {
        return format!(
            "the threads wait for one long task{place} of {}: split it, or create it first",
            time(tasking.longest_ns / calls)
        );
    }
    if tasking.creating_ns >= tasking.span_ns / 2 {
        return format!(
            "tasks of {} are executed faster than they are created: larger tasks, or several \
             threads that create them",
            time(mean)
        );
    }
    if at_a_time <= ONE_AFTER_THE_OTHER {
        return one_after_the_other(tasking.tasks, tasking.longest, names);
    }
    format!(
        "{at_a_time:.1} of {} threads have a task on average: more and smaller tasks (now {} of {})",
        region.team.1,
        count(tasking.tasks),
        time(mean)
    )
}

/// The advice for `tasks` that never run at the same time, most of which lie at `site`.
pub(super) fn one_after_the_other(tasks: u64, site: Option<SiteId>, names: Names<'_>) -> String {
    format!(
        "{}{} run one after the other: break the chain of dependences, or split its tasks",
        plural(tasks, "task"),
        in_brackets(site, names)
    )
}

fn in_brackets(site: Option<SiteId>, names: Names<'_>) -> String {
    site.map_or_else(String::new, |site| format!(" ({})", names.compact(Some(site))))
}
