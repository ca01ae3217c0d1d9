//! When explicit tasks ran in each region, and what they say of a lack of ready tasks.

use std::collections::BTreeMap;

use crate::model::{Doing, Model};
use crate::summary::{self, SiteId};

/// Parts of the time of a region's tasks for which [`summary::Tasking::parallelism`] is told.
const PARTS: usize = 10;

/// The explicit tasks of one execution of a region.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Tasking {
    /// The number of stretches of tasks.
    pub(crate) tasks: u64,
    /// Sum of their times, ns, without waits inside them.
    pub(crate) work: u64,
    /// The longest of them, ns.
    pub(crate) longest: u64,
    /// The construct of the longest; 0 if unknown.
    pub(crate) longest_code: u64,
    /// From the first task's begin to the last one's end, ns.
    pub(crate) span: u64,
    /// User code of implicit tasks meanwhile, ns: a thread that creates tasks, for instance.
    pub(crate) creating: u64,
    /// Sum of the tasks' times in each tenth of that time, ns.
    tenths: [u64; PARTS],
    /// Begin and end of each uninterrupted piece of a task, by begin; the third number is the
    /// latest end up to there.
    pieces: Vec<(u64, u64, u64)>,
}

impl Tasking {
    /// From the first begin of a task that is not before `from` to the last end of the tasks that
    /// begin before `until`; `None` if no task begins between.
    pub(crate) fn hull(&self, from: u64, until: u64) -> Option<(u64, u64)> {
        let first = self.pieces.partition_point(|piece| piece.0 < from);
        let next = self.pieces.partition_point(|piece| piece.0 < until);
        let last = next.checked_sub(1).filter(|&last| last >= first)?;
        Some((self.pieces[first].0, self.pieces[last].2))
    }

    /// Adds up the tasks' times by tenths of `span` from `begin` on.
    fn add_tenths(&mut self, begin: u64) {
        let parts = PARTS as u64;
        let span = self.span;
        // As products, so that no time is lost by rounding.
        let edge = |part: u64| u128::from(part) * u128::from(span) / u128::from(parts);
        let edge = |part| begin + edge(part) as u64;
        for &(from, until, _) in &self.pieces {
            let first = u128::from(from - begin) * u128::from(parts) / u128::from(span.max(1));
            for part in first.saturating_sub(1) as u64..parts {
                if edge(part) >= until {
                    break;
                }
                let common = until.min(edge(part + 1)).saturating_sub(from.max(edge(part)));
                self.tenths[part as usize] += common;
            }
        }
    }
}

/// Sums over the explicit tasks of one region.
#[derive(Default)]
pub(crate) struct Sums {
    instances: u64,
    sums: Tasking,
    /// Sum over the instances of the longest task.
    longest: u64,
}

impl Sums {
    /// Adds an instance of the region.
    pub(crate) fn add(&mut self, instance: &Tasking) {
        self.instances += 1;
        let sums = &mut self.sums;
        sums.tasks += instance.tasks;
        sums.work += instance.work;
        sums.span += instance.span;
        sums.creating += instance.creating;
        for (sum, time) in sums.tenths.iter_mut().zip(instance.tenths) {
            *sum += time;
        }
        self.longest += instance.longest;
        if instance.longest > sums.longest {
            (sums.longest, sums.longest_code) = (instance.longest, instance.longest_code);
        }
    }

    /// The construct of the longest task; 0 if unknown.
    pub(crate) fn longest_code(&self) -> u64 {
        self.sums.longest_code
    }

    /// The sums for a summary; `longest` is the site of the longest task, and threads waited for
    /// tasks for `waits_ns`.
    pub(crate) fn into_tasking(self, longest: Option<SiteId>, waits_ns: u64) -> summary::Tasking {
        let sums = self.sums;
        summary::Tasking {
            instances: self.instances,
            tasks: sums.tasks,
            work_ns: sums.work,
            span_ns: sums.span,
            longest_ns: self.longest,
            longest,
            creating_ns: sums.creating,
            waits_ns,
            parallelism: sums
                .tenths
                .map(|time| time as f64 * PARTS as f64 / sums.span.max(1) as f64),
        }
    }
}

/// The explicit tasks of every region that executed some, by index in [`Model::regions`].
pub(crate) fn tasking(model: &Model) -> BTreeMap<u32, Tasking> {
    let region_of = |member: u32| model.members[member as usize].region;
    let mut found = BTreeMap::<u32, Tasking>::new();
    let mut lengths = vec![0_u64; model.tasks.len()];
    let segments = || model.threads.iter().flat_map(|thread| &thread.segments);
    for segment in segments() {
        if let Doing::Task(task) = segment.doing {
            lengths[task as usize] += segment.end - segment.begin;
            let region = region_of(model.tasks[task as usize].member);
            let sums = found.entry(region).or_default();
            sums.pieces.push((segment.begin, segment.end, segment.end));
        }
    }
    if found.is_empty() {
        return found;
    }
    for (task, &length) in model.tasks.iter().zip(&lengths) {
        let Some(sums) = found.get_mut(&region_of(task.member)) else { continue };
        sums.tasks += 1;
        sums.work += length;
        if length > sums.longest {
            (sums.longest, sums.longest_code) = (length, task.code);
        }
    }
    for sums in found.values_mut() {
        sums.pieces.sort_unstable();
        let mut latest = 0;
        for piece in &mut sums.pieces {
            latest = latest.max(piece.1);
            piece.2 = latest;
        }
        let begin = sums.pieces[0].0;
        sums.span = latest - begin;
        sums.add_tenths(begin);
    }
    for segment in segments() {
        if let Doing::Useful(Some(member)) = segment.doing
            && let Some(sums) = found.get_mut(&region_of(member))
            && let (Some(first), Some(last)) = (sums.pieces.first(), sums.pieces.last())
        {
            let (begin, end) = (segment.begin.max(first.0), segment.end.min(last.2));
            sums.creating += end.saturating_sub(begin);
        }
    }
    found
}
