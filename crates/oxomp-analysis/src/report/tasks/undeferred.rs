//! Advice on tasks that are undeferred, and long.

use super::site::site;
use crate::report::names::Names;
use crate::report::units::{plural, time};
use crate::summary::{Region, Summary, TaskConstruct};

/// Tasks this long are not undeferred to save what queueing them takes.
const LONG_TASK_NS: u64 = 10_000;
/// What to do about tasks of `region` that are all undeferred, and long.
pub(in crate::report) fn against_undeferred(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
) -> Option<String> {
    let own = || summary.tasks_of(region);
    let sum = |part: fn(&TaskConstruct) -> u64| own().map(part).fold(0, u64::saturating_add);
    let (count, undeferred) = (sum(|one| one.count), sum(|one| one.undeferred));
    let most = own().max_by_key(|one| one.time_ns)?;
    let mean = sum(|one| one.time_ns) / count.max(1);
    if undeferred < count || region.team.1 < 2 || mean < LONG_TASK_NS {
        return None;
    }
    Some(format!(
        "its {} ({}) are undeferred, so the thread that creates one executes it at once, {} on \
         average: an if clause that is true for such tasks, and no final around them",
        plural(count, "task"),
        names.compact(site(most, summary)),
        time(mean)
    ))
}
