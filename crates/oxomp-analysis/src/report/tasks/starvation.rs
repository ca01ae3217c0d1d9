//! Advice on threads that find no ready task, or wait in taskwait: its cause, as far as the times
//! of the tasks tell.

use std::cmp::Reverse;

use super::chains::{ONE_AFTER_THE_OTHER, chains_allow_more, one_after_the_other};
use super::site::in_brackets;
use crate::report::names::Names;
use crate::report::units::{count, plural, time};
use crate::summary::{Region, Summary, Tasking};

/// A task is long if it takes this many times as long as the tasks of other constructs on average.
const MUCH_LONGER: u64 = 4;

/// The advice for `region`, whose threads execute tasks. Only recorded instances tell how many
/// tasks ran at a time; without one, the advice says what the sums over the tasks tell.
pub(in crate::report) fn against(region: &Region, summary: &Summary, names: Names<'_>) -> String {
    match &region.tasking {
        Some(tasking) => against_course(region, tasking, summary, names),
        None => long_tasks(region, summary, names).unwrap_or_else(|| {
            format!("threads find no task that is ready: {}", smaller_tasks(region, summary))
        }),
    }
}

/// The advice to make more and smaller tasks in `region`.
fn smaller_tasks(region: &Region, summary: &Summary) -> String {
    let own = || summary.tasks_of(region);
    let tasks = own().map(|one| one.count).fold(0, u64::saturating_add);
    let time_ns = own().map(|one| one.time_ns).fold(0, u64::saturating_add);
    let mean = time(time_ns / tasks.max(1));
    format!("more and smaller tasks (now {} of {mean})", count(tasks))
}

/// The advice for `region`; `tasking` tells when the tasks of its recorded instances ran.
fn against_course(
    region: &Region,
    tasking: &Tasking,
    summary: &Summary,
    names: Names<'_>,
) -> String {
    let instances = tasking.instances.max(1);
    let at_a_time = tasking.work_ns as f64 / tasking.span_ns.max(1) as f64;
    let mean = tasking.work_ns / tasking.tasks.max(1);
    let place = in_brackets(tasking.longest, names);
    if tasking.longest_ns >= tasking.span_ns / 2 && tasking.tasks >= instances {
        return format!(
            "the threads wait for one long task{place} of {}: split it, or create it first",
            time(tasking.longest_ns / instances)
        );
    }
    if tasking.creating_ns >= tasking.span_ns / 2 {
        return format!(
            "tasks of {} are executed faster than they are created: larger tasks, or several \
             threads that create them",
            time(mean)
        );
    }
    // Where threads lack processors, tasks that nothing orders run one after the other, too.
    if at_a_time <= ONE_AFTER_THE_OTHER && !chains_allow_more(region, summary) {
        return long_tasks(region, summary, names).unwrap_or_else(|| {
            let dependent = summary.tasks_of(region).any(|one| one.dependent > 0);
            let tasks = summary.tasks_of(region).map(|one| one.count).sum();
            one_after_the_other(tasks, tasking.longest, dependent, names)
        });
    }
    format!(
        "{at_a_time:.1} of {} threads have a task on average: {}",
        region.team.1,
        smaller_tasks(region, summary)
    )
}

/// The advice where independent tasks of one construct take most of the time, and the others, which
/// are much shorter, are done long before them.
fn long_tasks(region: &Region, summary: &Summary, names: Names<'_>) -> Option<String> {
    let mut own: Vec<_> = summary.tasks_of(region).collect();
    own.sort_by_cached_key(|one| Reverse(one.time_ns));
    let (long, others) = own.split_first()?;
    let tasks: u64 = others.iter().map(|one| one.count).sum();
    let time_ns: u64 = others.iter().map(|one| one.time_ns).sum();
    let shorter = tasks > 0 && long.mean_ns() > MUCH_LONGER * (time_ns / tasks);
    (shorter && long.dependent == 0).then(|| {
        format!(
            "the threads wait for {} of {}{}, the other {} take {} together: split it, or create \
             it first",
            match long.count {
                1 => "one long task".to_owned(),
                several => format!("each of {} long tasks", count(several)),
            },
            time(long.mean_ns()),
            in_brackets(long.site, names),
            plural(tasks, "task"),
            time(time_ns)
        )
    })
}
