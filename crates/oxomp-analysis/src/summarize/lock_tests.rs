//! Threads that test a lock again and again until they get it, which is no useful work.

use std::collections::BTreeMap;

use oxomp_trace::fold;
use oxomp_trace::{FoldKind, Profile};

use crate::blame::mutex_kind;
use crate::constructs::Constructs;
use crate::folded::{Folded, raise};
use crate::model::Model;
use crate::resolve::Resolved;
use crate::scheduler::Taken;
use crate::summary::{Class, MutexKind};

/// Between two failed tests that are closer to each other than this a thread can do nothing of use:
/// a test that another processor's thread answers takes about 0.1 µs.
const NOTHING_NS: u64 = 1_000;

/// The failed tests of locks at one place.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tests {
    pub(super) failed: u64,
    /// Time between the first and the last of those in a row, all threads together, ns.
    pub(super) time: u64,
    /// The part of it that is spinning, without what the scheduler took of it, ns.
    pub(super) spin: u64,
}

/// The tests by kind of lock and place, and how long threads spun in each region.
#[derive(Debug, Default)]
pub(super) struct LockTests {
    pub(super) sites: BTreeMap<(MutexKind, u64), Tests>,
    pub(super) regions: BTreeMap<u64, u64>,
    /// By place and region: the part of the time in each.
    parts: BTreeMap<(MutexKind, u64, u64), u64>,
}

/// The tests of `profile`. The time of threads that spin is moved from their useful time to
/// [`Class::Mutex`].
pub(super) fn lock_tests(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    folded: &Folded,
    taken: &BTreeMap<u64, Taken>,
    resolved: &mut Resolved,
) -> LockTests {
    let clock = profile.clock();
    let mut found = LockTests::default();
    let entries = || {
        profile.threads.iter().flat_map(|events| {
            let own =
                events.folded.iter().filter(|entry| entry.fold_kind() == Some(FoldKind::Tests));
            own.map(move |entry| (events.number, entry))
        })
    };
    let site = |entry: &oxomp_trace::FoldEntry| {
        let kind = mutex_kind(u8::try_from(entry.sub).unwrap_or(u8::MAX));
        (kind, constructs.name(entry.key[0]))
    };
    for (_, entry) in entries() {
        let sums = found.sites.entry(site(entry)).or_default();
        raise(&mut sums.failed, entry.values[fold::lock_tests::FAILED]);
        raise(&mut sums.time, clock.span(entry.values[fold::lock_tests::TIME]));
    }
    for (number, entry) in entries() {
        let (site, region) = (site(entry), constructs.name(entry.key[1]));
        let Some(sums) = found.sites.get_mut(&site).filter(|sums| sums.is_spinning()) else {
            continue;
        };
        let mut threads = model.threads.iter().zip(&mut resolved.threads).rev();
        let Some((_, classes)) = threads.find(|(facts, _)| facts.number == number) else {
            continue;
        };
        let had_processor = folded.regions.get(&region).zip(taken.get(&region));
        let part = had_processor.map_or(1.0, |(sums, taken)| {
            let lacked = taken.useful.saturating_add(taken.blocked) as f64;
            (1.0 - lacked / sums.useful.max(1) as f64).max(0.0)
        });
        let time = (clock.span(entry.values[fold::lock_tests::TIME]) as f64 * part) as u64;
        let from = if region == 0 { Class::Serial } else { Class::Useful };
        let time = time.min(classes[from as usize]);
        classes[from as usize] -= time;
        raise(&mut classes[Class::Mutex as usize], time);
        raise(&mut sums.spin, time);
        raise(found.regions.entry(region).or_default(), time);
        raise(found.parts.entry((site.0, site.1, region)).or_default(), time);
    }
    found
}

impl Tests {
    /// Whether there is nothing between two tests.
    fn is_spinning(&self) -> bool {
        self.failed > 0 && self.time / self.failed < NOTHING_NS
    }
}

impl LockTests {
    /// What could be won if no thread spun at a place, ns of wall time; `team` gives the size of a
    /// region's team.
    pub(super) fn gains(&self, team: impl Fn(u64) -> u64) -> BTreeMap<(MutexKind, u64), u64> {
        let mut gains = BTreeMap::new();
        for (&(kind, code, region), time) in &self.parts {
            raise(gains.entry((kind, code)).or_default(), time / team(region).max(1));
        }
        gains
    }
}
