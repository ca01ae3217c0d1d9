//! Explicit tasks by construct, and the longest chains of them: sums that threads form in every
//! mode.

use std::collections::BTreeMap;

use oxomp_trace::fold::{forms, span, tasks};
use oxomp_trace::{FoldKind, Profile};

use crate::constructs::Constructs;
use crate::summary::{Region, SiteId, TaskChain, TaskConstruct};
use crate::sums::raise;
use crate::tasks::waits::TaskWaits;

/// The sums of one construct over all threads, ns.
#[derive(Debug, Default)]
struct TaskSums {
    threads: Vec<(u32, u64)>,
    time: u64,
    longest: u64,
    queued: u64,
    stolen: u64,
    depth: u64,
    between: u64,
    gaps: u64,
    dependent: u64,
    undeferred: u64,
    detached: u64,
    creating: u64,
    creations: u64,
    times: [u64; tasks::BINS],
}

/// Every construct and every region with tasks, by code address.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    constructs: BTreeMap<(u64, u64), TaskSums>,
    /// Number of regions, longest chains, times from fork to join; by region.
    chains: BTreeMap<u64, [u64; 3]>,
    /// The longest tasks of each bin.
    bounds: [u64; tasks::BINS],
}

/// The upper bound of each bin, ns; the last bin has no bound.
fn bounds(ns: impl Fn(u64) -> u64) -> [u64; tasks::BINS] {
    let mut bounds = [u64::MAX; tasks::BINS];
    for (bin, bound) in bounds.iter_mut().enumerate().take(tasks::BINS - 1) {
        *bound = ns(1 << (tasks::FIRST as usize + 2 * bin));
    }
    bounds
}

/// The tasks of `profile`.
pub(crate) fn tasks(profile: &Profile, constructs: &Constructs) -> Tasks {
    let clock = profile.clock();
    let mut found = Tasks { bounds: bounds(|ticks| clock.span(ticks)), ..Tasks::default() };
    let runtime = profile.info.runtime_address;
    let runtime = runtime.and_then(|address| profile.info.module_of(address));
    let is_runtime =
        |code| runtime.is_some_and(|module| (module.begin..module.end).contains(&code));
    for events in &profile.threads {
        for entry in &events.folded {
            let [code, region] = [entry.key[0], entry.key[1]].map(|code| constructs.name(code));
            // Some runtimes create the tasks of a taskloop at addresses of their own.
            let unknown = is_runtime(code) && entry.fold_kind() != Some(FoldKind::Span);
            let code = if unknown { 0 } else { code };
            let (key, values) = ((code, region), &entry.values);
            let time = |position: usize| clock.span(values[position]);
            match entry.fold_kind() {
                Some(FoldKind::Tasks) => {
                    let sums = found.constructs.entry(key).or_default();
                    if values[tasks::COUNT] > 0 {
                        sums.threads.push((events.number, values[tasks::COUNT]));
                    }
                    raise(&mut sums.time, time(tasks::TIME));
                    sums.longest = sums.longest.max(time(tasks::LONGEST));
                    raise(&mut sums.queued, time(tasks::QUEUED));
                    raise(&mut sums.stolen, values[tasks::STOLEN]);
                    sums.depth = sums.depth.max(values[tasks::DEPTH]);
                    raise(&mut sums.between, time(tasks::BETWEEN));
                    raise(&mut sums.gaps, values[tasks::GAPS]);
                    raise(&mut sums.dependent, values[tasks::DEPENDENT]);
                    raise(&mut sums.creating, time(tasks::CREATING));
                    raise(&mut sums.creations, values[tasks::CREATIONS]);
                }
                Some(FoldKind::TaskTimes) => {
                    let sums = found.constructs.entry(key).or_default();
                    for (sum, count) in sums.times.iter_mut().zip(values) {
                        raise(sum, *count);
                    }
                }
                Some(FoldKind::TaskForms) => {
                    let sums = found.constructs.entry(key).or_default();
                    raise(&mut sums.undeferred, values[forms::UNDEFERRED]);
                    raise(&mut sums.detached, values[forms::DETACHED]);
                }
                Some(FoldKind::Span) => {
                    let sums = found.chains.entry(code).or_default();
                    raise(&mut sums[0], values[span::REGIONS]);
                    raise(&mut sums[1], time(span::SPAN));
                    raise(&mut sums[2], time(span::WALL));
                }
                _ => {}
            }
        }
    }
    found
}

impl Tasks {
    /// The constructs of the summary, by time; `waits`: those for the tasks of each construct.
    pub(crate) fn constructs(
        &self,
        waits: &TaskWaits,
        mut site: impl FnMut(u64) -> Option<SiteId>,
    ) -> Vec<TaskConstruct> {
        let sums = self.constructs.iter();
        let mut constructs: Vec<TaskConstruct> = sums
            .map(|(&(code, region), sums)| {
                let count = |(_, count): &(u32, u64)| *count;
                let bins = self.bounds.iter().copied().zip(sums.times);
                TaskConstruct {
                    site: site(code),
                    region: site(region),
                    count: sums.threads.iter().map(count).fold(0, u64::saturating_add),
                    by_thread: sums.threads.clone(),
                    time_ns: sums.time,
                    longest_ns: sums.longest,
                    queued_ns: sums.queued,
                    stolen: sums.stolen,
                    depth: sums.depth,
                    between_ns: (sums.gaps > 0).then(|| sums.between / sums.gaps),
                    creating_ns: (sums.creations > 0).then(|| sums.creating / sums.creations),
                    waits_ns: waits.for_tasks(code, region),
                    dependent: sums.dependent,
                    undeferred: sums.undeferred,
                    detached: sums.detached,
                    times: bins.filter(|&(_, count)| count > 0).collect(),
                }
            })
            .filter(|construct| construct.count > 0)
            .collect();
        constructs.sort_by_cached_key(|construct| std::cmp::Reverse(construct.time_ns));
        constructs
    }

    /// The chains of the summary, by time.
    pub(crate) fn chains(
        &self,
        regions: &[Region],
        mut site: impl FnMut(u64) -> Option<SiteId>,
    ) -> Vec<TaskChain> {
        let sums = self.chains.iter();
        let mut chains: Vec<TaskChain> = sums
            .map(|(&code, &[count, span_ns, wall_ns])| {
                let region = site(code);
                let facts = regions.iter().find(|one| one.site == region);
                let work_ns = facts.map_or(0, |one| one.useful_ns);
                TaskChain { region, regions: count, work_ns, span_ns, wall_ns }
            })
            .collect();
        chains.sort_by_cached_key(|chain| std::cmp::Reverse(chain.wall_ns));
        chains
    }
}

#[cfg(test)]
mod tests {
    use super::bounds;
    use oxomp_trace::fold::tasks;

    #[test]
    fn every_task_is_shorter_than_its_bins_bound() {
        let bounds = bounds(|ticks| ticks);
        for exponent in 0..64 {
            let ticks = 1_u64 << exponent;
            let bin = tasks::bin(ticks);
            assert!(ticks < bounds[bin], "{ticks} in bin {bin}");
            assert!(bin == 0 || ticks >= bounds[bin - 1], "{ticks} in bin {bin}");
        }
    }
}
