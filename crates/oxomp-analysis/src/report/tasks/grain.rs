//! Advice on tasks that are so small that the time between two tasks counts.

use crate::report::certainty::Cause;
use crate::report::units::{plural, share, time};
use crate::summary::{Region, Summary, TaskConstruct};

/// The time between two tasks, as a part of the time of a task with it. From the first number on
/// larger tasks are worth it; with larger tasks it should be the second at most.
const MUCH_BETWEEN: f64 = 0.1;
const FAIR_BETWEEN: f64 = 0.02;
/// Tasks that each thread should get at least, so that the last one is short.
const TASKS_PER_THREAD: u64 = 8;

/// Whether tasks of `region` are so small that nothing else about them counts.
pub(in crate::report) fn are_small(region: &Region, summary: &Summary) -> bool {
    let mut own = summary.tasks_of(region);
    own.any(|one| against_small(one, summary).is_some())
}

/// Advises larger tasks if the time between two tasks is much beside the time of a task: what is
/// known of the gain, and the advice.
pub(in crate::report) fn against_small(
    one: &TaskConstruct,
    summary: &Summary,
) -> Option<(Cause, String)> {
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
    // The time between two tasks, and so the waits, includes the collector's own time, and the time
    // between two creations includes the program's: between none and all of it may be the tasks'
    // cost.
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

#[cfg(test)]
mod tests {
    use super::cut_off_depth;
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

    fn one() -> TaskConstruct {
        TaskConstruct {
            count: 3,
            time_ns: 9_000_000,
            longest_ns: 5_000_000,
            depth: 1,
            times: vec![(4_000_000, 2), (u64::MAX, 1)],
            ..TaskConstruct::default()
        }
    }
}
