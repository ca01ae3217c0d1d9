//! Advice on a chain of dependent tasks that begins late: independent tasks are before it in the
//! queues, and when they are done it runs alone.

use crate::report::names::Names;
use crate::report::units::{plural, time};
use crate::summary::{Region, Summary, TaskConstruct};

/// The region's longest chain and the time of its dependent tasks have to agree up to this factor,
/// if these are the chain.
const SAME: f64 = 1.25;
/// The advice needs that at least this part of the time lost to waiting for tasks is lost while the
/// chain runs, and that an early chain wins at least this part of it.
const GOOD_PART: f64 = 0.5;

/// The sums of the constructs whose tasks have dependences.
#[derive(Default)]
struct Chain {
    tasks: u64,
    time_ns: u64,
    queued_ns: u64,
    waits_ns: u64,
}

/// An upper bound of the time won if the chain of `region` began earlier, and the change that does
/// it; `None` if its tasks begin as soon as their predecessors end, or the chain is not what the
/// other threads wait for, or no instance was recorded. `most_ns` is lost to waiting for tasks.
///
/// A recording has no time at which a task became ready. A task of a chain of n equal ones that
/// begins as soon as its predecessor ends waits (n − 1) / 2 task lengths from its creation on the
/// mean; the rest of their mean wait they were ready and in a queue.
pub(in crate::report) fn against(
    region: &Region,
    most_ns: u64,
    summary: &Summary,
    names: Names<'_>,
) -> Option<(u64, String)> {
    let bounds = summary.chains.iter().find(|chain| chain.region == region.site)?;
    let own = summary.tasks_of(region);
    let (linked, others): (Vec<&TaskConstruct>, Vec<_>) =
        own.partition(|one| one.dependent > one.count / 2);
    let longest = linked.iter().max_by_key(|one| one.time_ns)?;
    let chain = linked.iter().fold(Chain::default(), |sum, one| Chain {
        tasks: sum.tasks.saturating_add(one.count),
        time_ns: sum.time_ns.saturating_add(one.time_ns),
        queued_ns: sum.queued_ns.saturating_add(one.queued_ns),
        waits_ns: sum.waits_ns.saturating_add(one.waits_ns),
    });
    let threads = u64::from(region.team.1.max(1));
    let waits_ns = region.tasking.as_ref()?.waits_ns as f64;
    let (span, time_ns) = (bounds.span_ns as f64, chain.time_ns as f64);
    let is_the_chain = span * SAME >= time_ns && span <= time_ns * SAME;
    if !is_the_chain || (chain.waits_ns as f64) < GOOD_PART * waits_ns {
        return None;
    }
    let calls = region.calls.max(1);
    let links = (chain.tasks / calls).saturating_sub(1) as f64 / 2.0;
    let mean = chain.time_ns as f64 / chain.tasks.max(1) as f64;
    let in_queue = chain.queued_ns as f64 / chain.tasks.max(1) as f64 - links * mean;
    let best = bounds.span_ns.max(bounds.work_ns / threads);
    let gain = region.wall_ns.saturating_sub(best).min(most_ns);
    if (gain as f64) < GOOD_PART * most_ns as f64 || in_queue * calls as f64 <= gain as f64 {
        return None;
    }
    let before = others.iter().map(|one| one.count).fold(0, u64::saturating_add);
    let text = format!(
        "{} one after the other ({}) wait {} in the queues behind {}, then run alone: priority(1) \
         for the first, with OMP_MAX_TASK_PRIORITY=1, or create them before the others",
        plural(chain.tasks, "dependent task"),
        names.compact(longest.site),
        time(in_queue as u64),
        plural(before, "other"),
    );
    (before > 0).then_some((gain, text))
}
