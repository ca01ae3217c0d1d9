//! Chains of dependent tasks: how many threads they can keep busy, and what would shorten them.

use super::site::in_brackets;
use crate::report::names::Names;
use crate::report::units::{plural, time};
use crate::summary::{Region, SiteId, Summary, TaskChain};

/// With this many tasks at a time, on average, or fewer, tasks run one after the other.
pub(super) const ONE_AFTER_THE_OTHER: f64 = 1.2;

/// If a region's tasks could have kept this many threads busy, its longest chain does not put them
/// in order: the chain's length includes what the scheduler took of its tasks.
const ORDERS: f64 = 1.5;

/// How many threads the tasks of a region could keep busy.
pub(super) fn parallelism(chain: &TaskChain) -> f64 {
    (chain.work_ns as f64 / chain.span_ns.max(1) as f64).max(1.0)
}

/// Whether the longest chain of tasks in `region` is known, and lets several run at a time.
pub(super) fn chains_allow_more(region: &Region, summary: &Summary) -> bool {
    let chain = summary.chains.iter().find(|chain| chain.region == region.site);
    chain.is_some_and(|chain| chain.span_ns > 0 && parallelism(chain) > ORDERS)
}

/// What would shorten the longest chain of dependent tasks of `region`; `None` if its dependences
/// leave work for every thread, or are not known.
pub(in crate::report) fn against_chain(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
) -> Option<String> {
    let own = || summary.tasks_of(region);
    let chain = chain_below_team(region, summary).filter(|_| own().any(|one| one.dependent > 0))?;
    if parallelism(chain) <= ONE_AFTER_THE_OTHER {
        let count = own().map(|one| one.count).sum();
        let longest = own().max_by_key(|one| one.time_ns);
        return Some(one_after_the_other(count, longest.and_then(|one| one.site), true, names));
    }
    Some(format!(
        "its tasks allow {:.1} threads to be busy, for the longest chain takes {} of {}: fewer \
         dependences, or priority for the tasks of that chain",
        parallelism(chain),
        time(chain.span_ns),
        time(chain.work_ns)
    ))
}

/// The longest chain of `region`, if it keeps the team from being busy.
fn chain_below_team<'a>(region: &Region, summary: &'a Summary) -> Option<&'a TaskChain> {
    let chain = summary.chains.iter().find(|chain| chain.region == region.site)?;
    (chain.span_ns > 0 && parallelism(chain) < f64::from(region.team.1.max(1)) * 0.9)
        .then_some(chain)
}

/// What would balance the tasks of `region`, whose threads wait for each other before and after the
/// tasks; `None` if it has no tasks.
pub(in crate::report) fn against_imbalance(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
) -> Option<String> {
    let own = summary.tasks_of(region);
    let longest = own.map(|one| one.longest_ns).max()?;
    if let Some(text) = against_chain(region, summary, names) {
        return Some(text);
    }
    Some(match chain_below_team(region, summary) {
        Some(chain) => format!(
            "its tasks allow {:.1} threads to be busy, for one chain takes {} of {}: split the \
             longest task ({}), or create tasks in parallel",
            parallelism(chain),
            time(chain.span_ns),
            time(chain.work_ns),
            time(longest)
        ),
        None => {
            "tasks begin late, or only some threads have other work: create them earlier".to_owned()
        }
    })
}

/// The advice for `tasks` that never run at the same time; most of them belong to the construct at
/// `site`.
pub(super) fn one_after_the_other(
    tasks: u64,
    site: Option<SiteId>,
    dependent: bool,
    names: Names<'_>,
) -> String {
    let remedy = if dependent {
        "break the chain of dependences, or split its tasks"
    } else {
        "each is waited for before the next one: create several, and wait for them together"
    };
    format!(
        "{}{} run one after the other: {remedy}",
        plural(tasks, "task"),
        in_brackets(site, names)
    )
}
