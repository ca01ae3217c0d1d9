//! What could be won in each execution of a region, in wall time of the whole run.
//!
//! Each class's lost time, divided by the number of threads, is an upper bound of what its removal
//! could win. Two corrections make the bounds those of causes: a wait at a barrier for a thread
//! that itself waited for a lock is the lock's, and a region inside another one is executed for one
//! thread of the outer team only.

use std::collections::BTreeMap;

use crate::blame::{Blame, mutex_kind};
use crate::model::{Doing, Model};
use crate::resolve::Resolved;
use crate::summary::{Class, MutexKind};

/// Regions inside each other, at most: a damaged file may have a circle.
const DEEPEST: u32 = 64;

/// The gains of one execution of a region, ns of wall time per class.
pub(crate) type Gains = [f64; Class::COUNT];

/// The gains of every region of `model`.
pub(crate) fn gains(model: &Model, resolved: &Resolved) -> Vec<Gains> {
    let locks = region_lock_gains(model);
    let of_region = |(index, locks): (usize, &u64)| {
        let times = &resolved.regions[index];
        let mut gains = times.by_class.map(|time| time as f64 / f64::from(times.size));
        let (lock, imbalance) = (Class::Mutex as usize, Class::Imbalance as usize);
        let both = gains[lock] + gains[imbalance];
        if gains[lock] > 0.0 {
            gains[lock] = (*locks as f64).min(both);
            gains[imbalance] = both - gains[lock];
        }
        let share = share_of_run(model, resolved, index);
        gains.map(|gain| gain * share)
    };
    locks.iter().enumerate().map(of_region).collect()
}

/// The part of the whole run's threads for which the region was executed: 1 for a region outside
/// every other.
fn share_of_run(model: &Model, resolved: &Resolved, region: usize) -> f64 {
    let mut share = 1.0;
    let mut outer = model.regions[region].outer;
    for _ in 0..DEEPEST {
        let Some(region) = outer else { break };
        share /= f64::from(resolved.regions[region as usize].size);
        outer = model.regions[region as usize].outer;
    }
    share
}

/// Between two barriers of a region: when the last thread arrived, and when it would have arrived
/// if no thread had waited for a lock.
#[derive(Debug, Clone, Copy, Default)]
struct Phase {
    arrival: u64,
    without_locks: u64,
}

impl Phase {
    fn add(&mut self, arrival: u64, waited: u64) {
        self.arrival = self.arrival.max(arrival);
        self.without_locks = self.without_locks.max(arrival.saturating_sub(waited));
    }
}

/// Per region, by how much sooner it would have ended if no thread had waited for a lock, ns, as
/// far as waits of different phases do not overlap.
fn region_lock_gains(model: &Model) -> Vec<u64> {
    if model.mutex_waits.is_empty() {
        return vec![0; model.regions.len()];
    }
    /// The barrier at the region's end.
    const LAST: u32 = u32::MAX;
    // By barrier inside the region.
    let mut phases: Vec<BTreeMap<u32, Phase>> = vec![BTreeMap::new(); model.regions.len()];
    // For each member: its waits for locks since the last barrier, and this barrier.
    let mut members = vec![(0_u64, None); model.members.len()];
    for segment in model.threads.iter().flat_map(|thread| &thread.segments) {
        match segment.doing {
            Doing::Mutex(Some(member)) => {
                members[member as usize].0 += segment.end - segment.begin;
            }
            Doing::Barrier { wait } => {
                let facts = &model.barrier_waits[wait as usize];
                let Some(member) = facts.member else { continue };
                let (waited, last) = &mut members[member as usize];
                if *last == Some(wait) {
                    continue;
                }
                let region = model.members[member as usize].region as usize;
                let phase = phases[region].entry(facts.ordinal).or_default();
                phase.add(segment.begin, *waited);
                (*waited, *last) = (0, Some(wait));
            }
            _ => {}
        }
    }
    for (member, (waited, _)) in model.members.iter().zip(members) {
        let end = model.regions[member.region as usize].end;
        if let Some(arrival) = member.arrival.or(end) {
            phases[member.region as usize].entry(LAST).or_default().add(arrival, waited);
        }
    }
    let gain = |phase: &Phase| phase.arrival - phase.without_locks;
    phases.iter().map(|phases| phases.values().map(gain).sum()).collect()
}

/// By kind of mutex and code address of the acquisition, what could be won if no thread waited
/// there, ns of wall time: each region's gain is distributed over the sites at which threads waited
/// in it.
///
/// `recorded` has the gain of the recorded instances of each region, by its code; `folded` the gain
/// of all other instances.
pub(crate) fn site_gains(
    model: &Model,
    recorded: &BTreeMap<u64, f64>,
    folded: f64,
    blame: &Blame,
    threads: u32,
) -> BTreeMap<(MutexKind, u64), f64> {
    let mut gains = BTreeMap::new();
    let mut waits = BTreeMap::<u64, BTreeMap<(MutexKind, u64), u64>>::new();
    let mut seen = BTreeMap::<(MutexKind, u64), u64>::new();
    for wait in &model.mutex_waits {
        let (site, length) = ((mutex_kind(wait.kind), wait.code), wait.end - wait.begin);
        *seen.entry(site).or_default() += length;
        match wait.member {
            Some(member) => {
                let region = model.members[member as usize].region;
                let code = model.regions[region as usize].code;
                *waits.entry(code).or_default().entry(site).or_default() += length;
            }
            None => *gains.entry(site).or_default() += length as f64 / f64::from(threads),
        }
    }
    for (region, sites) in waits {
        let gain = recorded.get(&region).copied().unwrap_or(0.0);
        distribute(gain, sites, &mut gains);
    }
    let folded_waits = blame.iter().map(|(site, sums)| {
        (*site, sums.wait.saturating_sub(seen.get(site).copied().unwrap_or(0)))
    });
    distribute(folded, folded_waits, &mut gains);
    gains
}

/// Adds `gain` to the sites in proportion to their waits.
pub(crate) fn distribute(
    gain: f64,
    waits: impl IntoIterator<Item = ((MutexKind, u64), u64)>,
    gains: &mut BTreeMap<(MutexKind, u64), f64>,
) {
    let waits: Vec<_> = waits.into_iter().filter(|(_, wait)| *wait > 0).collect();
    let total: f64 = waits.iter().map(|(_, wait)| *wait as f64).sum();
    for (site, wait) in waits {
        *gains.entry(site).or_default() += gain * wait as f64 / total;
    }
}

/// The length of the union of `intervals`, ns.
pub(crate) fn covered(mut intervals: Vec<(u64, u64)>) -> u64 {
    intervals.sort_unstable();
    let (mut length, mut reached) = (0, 0);
    for (begin, end) in intervals {
        length += end.saturating_sub(begin.max(reached));
        reached = reached.max(end);
    }
    length
}

/// The standard error of the mean length of `calls` calls, as a part of this length, by the
/// recorded ones, `instances`; `None` if fewer than two calls were recorded.
pub(crate) fn spread(instances: &[(u64, u64)], calls: u64) -> Option<f64> {
    let lengths = || instances.iter().map(|(begin, end)| end.saturating_sub(*begin) as f64);
    let number = instances.len() as f64;
    let mean = lengths().sum::<f64>() / number;
    if instances.len() < 2 || mean <= 0.0 {
        return None;
    }
    let squares: f64 = lengths().map(|length| (length - mean).powi(2)).sum();
    Some((squares / (number - 1.0) / number.max(calls as f64)).sqrt() / mean)
}

#[cfg(test)]
mod tests {
    use super::{covered, spread};

    #[test]
    fn the_spread_is_the_standard_error_of_the_mean() {
        // 8 and 12: a standard deviation of √8, of two a standard error of 2, a fifth of 10.
        assert_eq!(spread(&[(0, 8), (20, 32)], 2), Some(0.2));
        // With eight calls the error is half of that.
        assert_eq!(spread(&[(0, 8), (20, 32)], 8), Some(0.1));
        assert_eq!(spread(&[(0, 8)], 1), None);
    }

    #[test]
    fn intervals_that_overlap_count_once() {
        assert_eq!(covered(vec![(5, 9), (0, 3), (2, 4), (6, 7)]), 8);
        assert_eq!(covered(Vec::new()), 0);
    }
}
