//! What handing out the chunks of loops takes, by samples of threads that ask for the next one.

use std::collections::{BTreeMap, BTreeSet};

use crate::blame::Blame;
use crate::calls::{CallTree, DispatchCall};
use crate::constructs::Constructs;
use crate::summary::{MutexKind, WorkKind};
use crate::sums::raise;

/// A loop: the code address of its region, its kind, and its own code address.
pub(super) type Key = (u64, WorkKind, u64);

/// Samples of a region's body below which they say nothing.
const ENOUGH: u64 = 20;
/// The part of the time of a region's loops for which there must be samples in its body: others may
/// have been lost in code whose callers are not known.
const MOST_FOUND: f64 = 0.75;

/// Where samples find loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Samples<'a> {
    pub(crate) calls: &'a CallTree,
    /// The code addresses of all regions.
    pub(crate) regions: &'a BTreeSet<u64>,
    /// Where threads waited for their turns in ordered regions, which they may do where they ask
    /// for a chunk.
    pub(crate) blame: &'a Blame,
}

/// The time of each thread, by its number, in which it waited for chunks of a loop, ns.
pub(super) type Times = BTreeMap<u32, f64>;

/// The loops of one region whose threads ask for chunks, and the time of all its loops, ns.
#[derive(Debug, Default)]
pub(super) struct RegionLoops {
    /// By each code address that threads told.
    pub(super) asked: BTreeMap<u64, Key>,
    pub(super) time: u64,
}

impl Samples<'_> {
    /// The times in which threads asked for chunks of loops; without the loops of regions of which
    /// samples do not tell enough. `regions`: by code address.
    pub(super) fn times(
        &self,
        constructs: &Constructs,
        regions: &BTreeMap<u64, RegionLoops>,
    ) -> BTreeMap<Key, Times> {
        // Copies of a region have a body each.
        let mut bodies = BTreeMap::<u64, (u64, Vec<_>)>::new();
        for one in &self.calls.dispatch {
            if let Some(region) = constructs.region_in(one.body, self.regions) {
                let (of, of_region) = bodies.entry(region).or_default();
                raise(of, one.of);
                of_region.push(one);
            }
        }
        let mut times = BTreeMap::new();
        for (region, (of, bodies)) in bodies {
            let Some(loops) = regions.get(&region).filter(|loops| !loops.asked.is_empty()) else {
                continue;
            };
            let found = of as f64 * self.calls.period_ns as f64;
            let has_turns = bodies.iter().any(|one| self.has_turns(one.body));
            if of < ENOUGH || found < MOST_FOUND * loops.time as f64 || has_turns {
                continue;
            }
            let mut of_region: BTreeMap<Key, Times> =
                loops.asked.values().map(|key| (*key, Times::new())).collect();
            let calls = bodies.iter().flat_map(|one| one.calls.iter().map(|call| (one.body, call)));
            let are_known = calls.into_iter().all(|(body, call)| {
                let times = loops.of_call(body, call.code).and_then(|key| of_region.get_mut(&key));
                times.map(|times| self.add(call, times)).is_some()
            });
            if are_known {
                times.extend(of_region);
            }
        }
        times
    }

    /// Adds the samples in `call`; samples of unknown threads are divided among the known threads
    /// in proportion.
    fn add(&self, call: &DispatchCall, times: &mut Times) {
        let known: u64 = call.threads.values().sum();
        let each = self.calls.period_ns as f64 * call.samples as f64 / known.max(1) as f64;
        for (thread, samples) in &call.threads {
            *times.entry(*thread).or_default() += *samples as f64 * each;
        }
    }

    /// Whether a body has ordered regions.
    fn has_turns(&self, (begin, end): (u64, u64)) -> bool {
        let mut sites = self.blame.keys();
        sites.any(|(kind, code)| *kind == MutexKind::Ordered && begin < *code && *code <= end)
    }

    /// The standard error of `time` that samples found of the `whole` time, ns.
    pub(super) fn error(&self, time: u64, whole: u64) -> u64 {
        let (time, period) = (time as f64, self.calls.period_ns as f64);
        let rest = (1.0 - time / (whole.max(1) as f64)).max(0.0);
        // A sample more or less is chance, also where all samples agree.
        (time * rest * period + period * period).sqrt() as u64
    }
}

impl RegionLoops {
    /// The loop of a call at `code` in the region's `body` that asks for a chunk.
    fn of_call(&self, (begin, end): (u64, u64), code: u64) -> Option<Key> {
        let keys: BTreeSet<Key> = self.asked.values().copied().collect();
        if keys.len() == 1 {
            return keys.first().copied();
        }
        // A loop begins before its threads ask for a further chunk. A combined construct may have
        // the address of the region, outside of the body.
        let before = self.asked.range(begin..=code.min(end)).next_back();
        if let Some((_, key)) = before {
            return Some(*key);
        }
        let mut outside = self.asked.iter().filter(|(at, _)| !(begin..=end).contains(at));
        match (outside.next(), outside.next()) {
            (Some((_, key)), None) => Some(*key),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{RegionLoops, Samples, Times};
    use crate::blame::Blame;
    use crate::calls::{CallTree, DispatchCall, DispatchSamples};
    use crate::constructs::Constructs;
    use crate::summary::{MutexKind, WorkKind};

    const KIND: WorkKind = WorkKind::LoopDynamic;
    const BODY: (u64, u64) = (0x200, 0x2ff);

    fn calls(of: u64, calls: &[(u64, u64)]) -> CallTree {
        let call = |&(code, samples): &(u64, u64)| DispatchCall {
            code,
            samples,
            threads: BTreeMap::from([(0, samples / 2), (1, samples / 4)]),
        };
        let calls = calls.iter().map(call).collect();
        CallTree {
            period_ns: 10,
            dispatch: vec![DispatchSamples { body: BODY, of, calls }],
            ..CallTree::default()
        }
    }

    fn times(calls: &CallTree, loops: &[u64], blame: &Blame) -> Vec<(u64, Times)> {
        let regions = BTreeSet::from([0x201]);
        let asked = loops.iter().map(|&code| (code, (0x201, KIND, code))).collect();
        let loops = BTreeMap::from([(0x201, RegionLoops { asked, time: 1000 })]);
        let samples = Samples { calls, regions: &regions, blame };
        let times = samples.times(&Constructs::default(), &loops);
        times.into_iter().map(|((.., code), times)| (code, times)).collect()
    }

    #[test]
    fn samples_in_the_runtime_are_those_of_the_loop_that_asks() {
        let none = Blame::new();
        // Half of the samples are of thread 0, a quarter of thread 1, and a quarter of no one.
        let expected = Times::from([(0, 400.0 * 2.0 / 3.0), (1, 400.0 / 3.0)]);
        let half = calls(100, &[(0x240, 40)]);
        assert_eq!(times(&half, &[0x220], &none), [(0x220, expected.clone())]);
        // Of two loops, the one that begins before the call; the other one asks for nothing.
        let two = times(&half, &[0x220, 0x260], &none);
        assert_eq!(two, [(0x220, expected.clone()), (0x260, Times::new())]);
        let two = times(&calls(100, &[(0x280, 40)]), &[0x220, 0x260], &none);
        assert_eq!(two, [(0x220, Times::new()), (0x260, expected.clone())]);
        // A combined construct has the address of the region's call.
        let two = times(&half, &[0x120, 0x260], &none);
        assert_eq!(two, [(0x120, expected), (0x260, Times::new())]);
    }

    #[test]
    fn few_samples_and_waits_for_turns_say_nothing() {
        let none = Blame::new();
        assert_eq!(times(&calls(19, &[(0x240, 10)]), &[0x220], &none), []);
        assert_eq!(times(&calls(70, &[(0x240, 40)]), &[0x220], &none), [], "a quarter is lost");
        let turns = Blame::from([((MutexKind::Ordered, 0x250), Default::default())]);
        assert_eq!(times(&calls(100, &[(0x240, 40)]), &[0x220], &turns), []);
        let other = Blame::from([((MutexKind::Critical, 0x250), Default::default())]);
        assert_eq!(times(&calls(100, &[(0x240, 40)]), &[0x220], &other).len(), 1);
        // Neither loop begins before the call.
        assert_eq!(times(&calls(100, &[(0x210, 40)]), &[0x220, 0x260], &none), []);
    }

    #[test]
    fn the_error_is_that_of_a_share_of_samples() {
        let calls = calls(100, &[]);
        let regions = BTreeSet::new();
        let samples = Samples { calls: &calls, regions: &regions, blame: &Blame::new() };
        // 50 of 100 samples: 5 more or less, and one for the phase.
        assert_eq!(samples.error(500, 1000), (51.0_f64.powi(2) - 1.0).sqrt() as u64);
        assert_eq!(samples.error(1000, 1000), 10);
    }
}
