//! Explicit tasks: a table by construct, their parallelism, and advice on their grain.

use super::certainty::Cause;
use super::table::{Align, Column, Fit, Table};
use super::units::{count, percent, plural, share, time};
use super::{Names, starvation, write_table};
use crate::summary::{Region, SiteId, Summary, TaskChain, TaskConstruct, WorkKind};
use oxomp_text::Page;

/// Rows of the table.
const SHOWN: usize = 5;
/// Part of a task's time that passes between two tasks from which on larger tasks are worth it, and
/// the part that they should reach.
const MUCH_BETWEEN: f64 = 0.1;
const FAIR_BETWEEN: f64 = 0.02;
/// Tasks that each thread should get at least, so that the last one is short.
const TASKS_PER_THREAD: u64 = 8;

const COLUMNS: [Column; 10] = [
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "count", align: Align::Right, fit: Fit::Fixed },
    Column { title: "mean", align: Align::Right, fit: Fit::Fixed },
    Column { title: "median", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(3) },
    Column { title: "between two", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "creation ≤", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "waited for", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "stolen", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "depth", align: Align::Right, fit: Fit::Drop(0) },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut table = Table::new(&COLUMNS);
    for one in summary.tasks.iter().take(SHOWN) {
        table.row(vec![
            names.compact(site(one, summary)),
            count(one.count),
            time(one.mean_ns()),
            one.median_ns().map_or_else(String::new, |bound| task_bound(one, bound)),
            time(one.longest_ns),
            one.between_ns.map_or_else(String::new, time),
            one.creating_ns.map_or_else(String::new, time),
            if one.waits_ns == 0 { String::new() } else { time(one.waits_ns) },
            percent(share(one.stolen, one.count)),
            one.depth.to_string(),
        ]);
    }
    if table.is_empty() {
        return;
    }
    write_table(page, "Tasks (all threads)", &table);
    for chain in summary.chains.iter().filter(|chain| chain.span_ns > 0).take(SHOWN) {
        page.paragraph(
            &format!(
                "  {}  work {}, longest chain {}: room for {:.1} threads",
                names.compact(chain.region),
                time(chain.work_ns),
                time(chain.span_ns),
                parallelism(chain)
            ),
            4,
        );
    }
    write_courses(page, summary, names);
}

/// The upper bound of a bin of the tasks' times in words: no task is longer than the longest.
#[must_use]
pub fn task_bound(one: &TaskConstruct, bound_ns: u64) -> String {
    if bound_ns > one.longest_ns {
        format!("≤ {}", time(one.longest_ns))
    } else {
        format!("< {}", time(bound_ns))
    }
}

/// How many tasks of each region ran at a time, in the course of its tasks.
fn write_courses(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut written = 0;
    for region in &summary.regions {
        let Some(tasking) = region.tasking.filter(|tasking| tasking.tasks > 1) else { continue };
        let tenths = tasking.parallelism.map(|tasks| format!("{tasks:.1}")).join(" ");
        page.paragraph(
            &format!("  {}  tasks at a time, by tenths: {tenths}", names.compact(region.site)),
            4,
        );
        written += 1;
        if written == SHOWN {
            return;
        }
    }
}

/// Where the tasks are created: at the taskloop of their region if the runtime does not tell, or
/// else the region itself.
pub(super) fn site(one: &TaskConstruct, summary: &Summary) -> Option<SiteId> {
    one.site.or_else(|| {
        let region = summary.regions.iter().find(|region| region.site == one.region);
        let works = region.into_iter().flat_map(|region| &region.worksharing);
        let mut taskloops = works.filter(|work| work.kind == WorkKind::Taskloop);
        taskloops.next().and_then(|work| work.site).or(one.region)
    })
}

/// How many threads the tasks of a region could keep busy.
fn parallelism(chain: &TaskChain) -> f64 {
    (chain.work_ns as f64 / chain.span_ns.max(1) as f64).max(1.0)
}

/// The longest chain of a region whose tasks could have kept so many threads busy does not order
/// them: it has what the scheduler took of its tasks, too.
const ORDERS: f64 = 1.5;

/// Whether the longest chain of tasks in `region` is known, and lets several run at a time.
pub(super) fn chains_allow_more(region: &Region, summary: &Summary) -> bool {
    let chain = summary.chains.iter().find(|chain| chain.region == region.site);
    chain.is_some_and(|chain| chain.span_ns > 0 && parallelism(chain) > ORDERS)
}

/// Whether tasks of `region` are so small that nothing else about them counts.
pub(super) fn are_small(region: &Region, summary: &Summary) -> bool {
    let mut own = summary.tasks_of(region);
    own.any(|one| against_small(one, summary).is_some())
}

/// Larger tasks, if what passes between two is much of a task: what is known of the gain, and the
/// advice.
pub(super) fn against_small(one: &TaskConstruct, summary: &Summary) -> Option<(Cause, String)> {
    let between = one.between_ns?;
    let mean = one.mean_ns();
    if share(between, between + mean) < MUCH_BETWEEN || one.count == 0 {
        return None;
    }
    let threads = u64::from(summary.header.max_team.max(1));
    let wanted = ((between as f64 / FAIR_BETWEEN) / mean.max(1) as f64).ceil() as u64;
    let most = one.count / (threads * TASKS_PER_THREAD);
    let factor = wanted.min(most).max(2).next_power_of_two();
    let remedy = if one.depth > 1 {
        format!(
            "a cut-off, such as final(depth >= {}) or no task there: the deepest are at {}",
            cut_off_depth(one, factor),
            one.depth
        )
    } else {
        format!("{factor} times as much in each, or taskloop with grainsize({factor})")
    };
    let region = summary.regions.iter().find(|region| region.site == one.region);
    // One thread that creates them cannot keep the others busy.
    let waits = region.map_or(0, |region| {
        region.gain.imbalance_ns + region.gain.taskwait_ns + region.gain.starved_ns
    });
    let overhead = between.saturating_add(one.creating_ns.unwrap_or(0));
    let overhead = overhead.saturating_mul(one.count) / threads;
    let text = format!(
        "{} of {} each, and {} between two: {remedy}",
        plural(one.count, "task"),
        time(mean),
        time(between)
    );
    // The collector is in what passes between two tasks, and so in the waits, and the program in
    // what passes between the creation of two: none of it, or all, may be the tasks'.
    let half = (overhead / 2).saturating_add(waits / 2);
    let cause = Cause::work(half, half);
    Some((cause, text))
}

/// The depth below which `factor` times fewer tasks are left: a tree of tasks with two children
/// each has 2^d of them at the depth d as long as it is full, and trees that are not are full near
/// their root. A balanced tree is full to the end, and loses a level for each factor of two.
fn cut_off_depth(one: &TaskConstruct, factor: u64) -> u64 {
    let left = (one.count / factor.max(1)).max(2);
    let full = u64::from(left.ilog2());
    let balanced = one.depth.saturating_sub(u64::from(factor.ilog2()));
    full.min(balanced).max(1)
}

/// What would shorten the longest chain of dependent tasks of `region`; `None` if its dependences
/// leave work for every thread, or are not known.
pub(super) fn against_chain(
    region: &Region,
    summary: &Summary,
    names: Names<'_>,
) -> Option<String> {
    let own = || summary.tasks_of(region);
    let chain = chain_below_team(region, summary).filter(|_| own().any(|one| one.dependent > 0))?;
    if parallelism(chain) <= starvation::ONE_AFTER_THE_OTHER {
        let count = own().map(|one| one.count).sum();
        let longest = own().max_by_key(|one| one.time_ns);
        return Some(starvation::one_after_the_other(
            count,
            longest.and_then(|one| one.site),
            true,
            names,
        ));
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

/// Tasks this long are not undeferred to save what queueing them takes.
const LONG_TASK_NS: u64 = 10_000;
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
pub(super) fn against_late_events(
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

/// What to do about tasks of `region` that are all undeferred, and long.
pub(super) fn against_undeferred(
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

/// What would balance the tasks of `region`, before and after which its threads wait for each
/// other; `None` if it has none.
pub(super) fn against_imbalance(
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

#[cfg(test)]
mod tests {
    use super::{cut_off_depth, task_bound};
    use crate::summary::TaskConstruct;

    fn construct(count: u64, depth: u64) -> TaskConstruct {
        TaskConstruct { count, depth, ..one() }
    }

    /// A balanced tree of 2^19 tasks loses a level for each factor of two; the tree of a Fibonacci
    /// number is as deep as its argument, and full to half of that only.
    #[test]
    fn a_cut_off_leaves_as_many_tasks_as_are_wanted() {
        assert_eq!(cut_off_depth(&construct(1 << 19, 18), 256), 10);
        assert_eq!(cut_off_depth(&construct(1 << 22, 50), 256), 14);
        assert_eq!(cut_off_depth(&construct(20, 2), 1 << 10), 1);
    }

    #[test]
    fn no_bound_is_above_the_longest_task() {
        let one = one();
        assert_eq!(task_bound(&one, 4_000_000), "< 4.00 ms");
        assert_eq!(task_bound(&one, 16_000_000), "≤ 5.00 ms");
        assert_eq!(task_bound(&one, u64::MAX), "≤ 5.00 ms");
    }

    fn one() -> TaskConstruct {
        TaskConstruct {
            site: None,
            region: None,
            count: 3,
            by_thread: Vec::new(),
            time_ns: 9_000_000,
            longest_ns: 5_000_000,
            queued_ns: 0,
            stolen: 0,
            depth: 1,
            between_ns: None,
            creating_ns: None,
            waits_ns: 0,
            dependent: 0,
            undeferred: 0,
            detached: 0,
            times: vec![(4_000_000, 2), (u64::MAX, 1)],
        }
    }
}
