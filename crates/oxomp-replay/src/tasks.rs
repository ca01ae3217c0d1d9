//! Regions of tasks: bounds from their work and their longest chain.
//!
//! A scheduler that keeps no thread idle while a task is ready needs at least the work divided by
//! the threads, and the longest chain, and at most their sum (Graham, Brent). The measured time
//! lies somewhere between; a prediction for another number of threads lies at the same place.

use oxomp_analysis::summary::{Region, SiteId, Summary, TaskChain, TaskConstruct};

use crate::predict::{Predicted, spread};

/// Work in a task for each nanosecond of its creation and scheduling that is enough.
const ENOUGH: f64 = 20.0;
/// Creating a task in a recorded run, ns: a part of the time of the task that creates it.
const CREATION: f64 = 110.0;
/// Part of the measured work of short tasks that is work at least.
const LEAST_WORK: f64 = 0.1;
/// Part of a region's time that a cut-off has to win.
const WORTH_IT: f64 = 0.02;
/// A prediction's own error.
const MODEL_ERROR: f64 = 0.03;
/// Part of a cut-off's gain that may be wrong.
const UNSURE_GAIN: f64 = 0.3;

/// A cut-off for the tasks of one region.
#[derive(Debug, Clone, PartialEq)]
pub struct CutOff {
    /// The construct with the most of them.
    pub site: Option<SiteId>,
    /// The region.
    pub region: Option<SiteId>,
    /// Tasks that are shorter than [`CutOff::grain_ns`].
    pub short: u64,
    /// All tasks of the region.
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

/// The least and the most time of all executions of a region on `threads` threads, ns.
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
    let regions = summary.regions.iter();
    let mut found: Vec<CutOff> = regions.filter_map(|region| cut_off(region, summary)).collect();
    found.sort_by(|a, b| b.gain_ns.total_cmp(&a.gain_ns));
    found
}

/// A region whose threads spend its time on handling short tasks would take as long as the work,
/// without the creation of these.
fn cut_off(region: &Region, summary: &Summary) -> Option<CutOff> {
    let own = || summary.tasks_of(region);
    let count: u64 = own().map(|one| one.count).sum();
    let threads = f64::from(region.team.1.max(1));
    let wall = region.wall_ns as f64;
    let work = region.useful_ns as f64;
    let lost = (wall * threads - work).max(0.0) / count.max(1) as f64;
    // Threads that have no task lose time, too: only what passes between two is handling.
    let handling = between(own()).map_or(lost, |between| between.min(lost)) + CREATION;
    let grain = ENOUGH * handling;
    // A bin's bound is that of its longest tasks.
    let short_of = |one: &TaskConstruct| -> u64 {
        let bins = one.times.iter().filter(|(bound, _)| *bound as f64 <= grain);
        bins.map(|(_, count)| count).sum()
    };
    let short: u64 = own().map(short_of).sum();
    let part = short as f64 / count.max(1) as f64;
    let creation = (short as f64 * CREATION).min((1.0 - LEAST_WORK) * work);
    let gain = part * (wall - (work - creation) / threads).max(0.0);
    if count == 0 || gain < WORTH_IT * wall {
        return None;
    }
    let ns = wall - gain;
    // What is between two tasks has a part of the collector, and what they work may be less.
    let parts = [creation / threads, UNSURE_GAIN * gain, spread(region) * ns, MODEL_ERROR * ns];
    let error_ns = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    Some(CutOff {
        site: own().max_by_key(|one| short_of(one)).and_then(|one| one.site),
        region: region.site,
        short,
        count,
        grain_ns: grain,
        region_time: Predicted { ns, error_ns },
        gain_ns: gain,
    })
}

/// What passes between two tasks of a thread that has a task to execute, ns, on the mean; `None` if
/// no construct tells.
fn between<'a>(constructs: impl Iterator<Item = &'a TaskConstruct>) -> Option<f64> {
    let told = constructs.filter_map(|one| Some((one.between_ns?, one.count)));
    let (time, count) = told.fold((0.0, 0), |(time, sum), (between, count)| {
        (time + between as f64 * count as f64, count.saturating_add(sum))
    });
    (count > 0).then(|| time / count as f64)
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
