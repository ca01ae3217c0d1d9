//! Regions of tasks: bounds from their work and their longest chain.
//!
//! A scheduler that keeps no thread idle while a task is ready needs at least the work divided by
//! the threads, and the longest chain, and at most their sum (Graham, Brent). The measured time lies
//! somewhere between; a prediction for another number of threads lies at the same place.

use oxomp_analysis::summary::{SiteId, Summary, TaskChain, TaskConstruct};

use crate::predict::Predicted;

/// Work in a task for each nanosecond of its creation and scheduling that is enough.
const ENOUGH: f64 = 20.0;
/// Creating a task, ns, beside what the time between two tasks shows.
const CREATION: f64 = 60.0;
/// A prediction's own error.
const MODEL_ERROR: f64 = 0.03;

/// A cut-off for the tasks of one construct.
#[derive(Debug, Clone, PartialEq)]
pub struct CutOff {
    /// The construct.
    pub site: Option<SiteId>,
    /// The region in which its tasks run.
    pub region: Option<SiteId>,
    /// Tasks that are shorter than [`CutOff::grain_ns`], and all.
    pub short: u64,
    /// All tasks of the construct.
    pub count: u64,
    /// What a task should take at least, ns.
    pub grain_ns: f64,
    /// The region's time with it.
    pub region_time: Predicted,
    /// What the run wins, ns.
    pub gain_ns: f64,
}

/// The time of all executions of a region of tasks with another number of threads that have a
/// processor each.
#[must_use]
pub fn with_threads(chain: &TaskChain, now: u32, threads: u32) -> Predicted {
    let (low, high) = bounds(chain, threads);
    let (low_now, high_now) = bounds(chain, now);
    let room = (high_now - low_now).max(1.0);
    let place = ((chain.wall_ns as f64 - low_now) / room).clamp(0.0, 1.0);
    let ns = low + place * (high - low);
    let change = if now == threads { 0.0 } else { (high - low) / 2.0 };
    Predicted { ns, error_ns: change.hypot(MODEL_ERROR * ns) }
}

/// The least and the most time of all executions of a region on so many threads, ns.
#[must_use]
pub fn bounds(chain: &TaskChain, threads: u32) -> (f64, f64) {
    let (work, span) = (chain.work_ns as f64, chain.span_ns as f64);
    let threads = f64::from(threads.max(1));
    let low = (work / threads).max(span);
    (low, (work / threads + span * (1.0 - 1.0 / threads)).max(low))
}

/// The cut-offs that win something, the best first.
#[must_use]
pub(crate) fn cut_offs(summary: &Summary) -> Vec<CutOff> {
    let mut found: Vec<CutOff> =
        summary.tasks.iter().filter_map(|one| cut_off(one, summary)).collect();
    found.sort_by(|a, b| b.gain_ns.total_cmp(&a.gain_ns));
    found
}

fn cut_off(one: &TaskConstruct, summary: &Summary) -> Option<CutOff> {
    let region = summary.regions.iter().find(|region| region.site == one.region)?;
    let each = one.between_ns? as f64 + CREATION;
    let grain = ENOUGH * each;
    // A bin's bound is that of its longest tasks.
    let short = one.times.iter().filter(|(bound, _)| *bound as f64 <= grain);
    let short: u64 = short.map(|(_, count)| count).sum();
    let threads = f64::from(region.team.1.max(1));
    let overhead = short as f64 * each / threads;
    let gain = overhead.min(region.wall_ns as f64 * 0.9);
    if gain < 0.02 * region.wall_ns as f64 {
        return None;
    }
    let ns = region.wall_ns as f64 - gain;
    Some(CutOff {
        site: one.site,
        region: one.region,
        short,
        count: one.count,
        grain_ns: grain,
        region_time: Predicted { ns, error_ns: (gain / 2.0).hypot(MODEL_ERROR * ns) },
        gain_ns: gain,
    })
}

#[cfg(test)]
mod tests {
    use oxomp_analysis::summary::TaskChain;

    use super::{bounds, with_threads};

    const CHAIN: TaskChain =
        TaskChain { region: None, regions: 1, work_ns: 1200, span_ns: 200, wall_ns: 650 };

    #[test]
    fn bounds_are_those_of_graham() {
        assert_eq!(bounds(&CHAIN, 1), (1200.0, 1200.0));
        assert_eq!(bounds(&CHAIN, 2), (600.0, 700.0));
        assert_eq!(bounds(&CHAIN, 10), (200.0, 300.0));
    }

    #[test]
    fn a_prediction_lies_where_the_measured_time_does() {
        // Half-way between 600 and 700 on two threads; so of 300 and 450 on four.
        assert_eq!(with_threads(&CHAIN, 2, 4).ns, 375.0);
        assert!(with_threads(&CHAIN, 2, 4).error_ns > 75.0);
    }
}
