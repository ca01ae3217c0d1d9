//! Tasks whose events (`detach`) are fulfilled late.

use crate::report::names::Names;
use crate::report::units::plural;
use crate::summary::{Region, SiteId, Summary};

/// The part of a region's waits for tasks that has to pass without a task that runs, if these waits
/// are for events.
const WITHOUT_TASKS: f64 = 0.5;

/// The tasks of `region` whose events were fulfilled late, if its threads wait above all for these:
/// in words, with the place of most of them. What they wait while tasks run is known of recorded
/// instances; of others it is a bound.
pub(crate) fn awaited_events(
    region: &Region,
    summary: &Summary,
) -> Option<(String, Option<SiteId>)> {
    let own = || summary.tasks_of(region);
    let most = own().max_by_key(|one| one.detached).filter(|one| one.detached > 0)?;
    let all: u64 = own().map(|one| one.detached).sum();
    let threads = u64::from(region.team.1.max(1));
    let waits = region.gain.starved_ns.saturating_add(region.gain.taskwait_ns);
    let waits = waits.saturating_mul(threads);
    let (waits, for_running) = match &region.tasking {
        Some(tasking) => {
            // Events do not tell that a task is under way whose code is over: sums do.
            let with_tasks = summary.chains.iter().find(|chain| chain.region == region.site);
            let instances = with_tasks.map_or(region.calls, |chain| chain.regions).max(1);
            let recorded = (tasking.instances as f64 / instances as f64).min(1.0);
            let for_running = own().map(|one| one.waits_ns).fold(0, u64::saturating_add);
            (tasking.waits_ns.max((waits as f64 * recorded) as u64), for_running)
        }
        None => {
            // While a task runs, all other threads wait for it at most.
            let tasks = own().map(|one| one.time_ns).fold(0, u64::saturating_add);
            (waits, tasks.saturating_mul(threads - 1))
        }
    };
    let others = waits.saturating_sub(for_running);
    let are_many = waits > 0 && others as f64 >= WITHOUT_TASKS * waits as f64;
    are_many.then(|| (plural(all, "task"), most.site))
}

/// What to do about tasks that are waited for after their code is over.
pub(in crate::report) fn against_late_events(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
) -> Option<String> {
    let (tasks, site) = awaited_events(region, summary)?;
    let place = site.map_or_else(String::new, |site| format!(" ({})", names.compact(Some(site))));
    Some(format!(
        "the threads wait for the events of {tasks}{place}, whose code is over (detach): fulfil \
         them earlier, or create other tasks to execute meanwhile"
    ))
}
