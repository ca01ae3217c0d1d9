//! Threads that test a lock again and again until they get it: this time does not count as useful
//! work.

use std::collections::BTreeMap;

use oxomp_trace::fold;
use oxomp_trace::{FoldKind, Profile};

use crate::blame::mutex_kind;
use crate::constructs::Constructs;
use crate::folded::Folded;
use crate::model::Model;
use crate::resolve::{RegionTimes, Resolved};
use crate::scheduler::Taken;
use crate::summary::{Class, MutexKind};
use crate::sums::raise;
use crate::whole::Unfinished;

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
    /// The part of the time that belongs to each place and region.
    parts: BTreeMap<(MutexKind, u64, u64), u64>,
}

/// The time in user code by the code address of the region, all threads together, ns: of regions
/// that have ended, and of regions that had not ended when the recording did. The code address is 0
/// outside every region.
pub(super) struct UserCode<'a> {
    by_region: BTreeMap<u64, u64>,
    taken: &'a BTreeMap<u64, Taken>,
}

impl<'a> UserCode<'a> {
    /// The user code of `resolved`; the time in `taken` has been moved out of its threads' classes
    /// before.
    pub(super) fn of(
        model: &Model,
        folded: &Folded,
        unfinished: &Unfinished,
        taken: &'a BTreeMap<u64, Taken>,
        resolved: &Resolved,
    ) -> Self {
        let mut by_region = BTreeMap::<u64, u64>::new();
        let recorded = model.regions.iter().map(|region| region.code).zip(&resolved.regions);
        let open = unfinished.regions.iter().map(|(code, _, times, _)| (*code, times));
        let useful = |times: &RegionTimes| times.by_class[Class::Useful as usize];
        let events = recorded.chain(open).map(|(code, times)| (code, useful(times)));
        let sums = folded.regions.iter().map(|(&code, sums)| (code, sums.useful));
        for (code, time) in events.chain(sums) {
            raise(by_region.entry(code).or_default(), time);
        }
        let serial = by_region.entry(0).or_default();
        for classes in &resolved.threads {
            raise(serial, classes[Class::Serial as usize]);
        }
        if let Some(taken) = taken.get(&0) {
            raise(serial, taken.useful.saturating_add(taken.blocked));
        }
        Self { by_region, taken }
    }

    /// The part of the time in a region in which threads computed: they had a processor.
    fn computed(&self, region: u64) -> f64 {
        let Some(taken) = self.taken.get(&region) else { return 1.0 };
        let all = self.by_region.get(&region).copied().unwrap_or(0);
        let lacked = taken.useful.saturating_add(taken.blocked);
        (1.0 - lacked as f64 / all.max(1) as f64).max(0.0)
    }
}

/// The tests of `profile`. The time of threads that spin is moved from their useful time to
/// [`Class::Mutex`].
pub(super) fn lock_tests(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    user_code: &UserCode<'_>,
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
        let part = user_code.computed(region);
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::UserCode;
    use crate::folded::{Folded, FoldedRegion};
    use crate::model::Model;
    use crate::resolve::{RegionTimes, Resolved};
    use crate::scheduler::Taken;
    use crate::summary::Class;
    use crate::whole::Unfinished;

    /// The time of an instance in user code.
    fn instance(useful: u64) -> RegionTimes {
        let mut by_class = [0; Class::COUNT];
        by_class[Class::Useful as usize] = useful;
        RegionTimes { begin: 0, end: useful, size: 1, by_class, max_useful: useful }
    }

    #[test]
    fn what_the_scheduler_took_is_a_part_of_all_user_code_of_a_region() {
        let mut folded = Folded::default();
        for code in [0x10, 0x30] {
            folded.regions.insert(code, FoldedRegion { useful: 300, ..FoldedRegion::default() });
        }
        let open = [0x20, 0x30].map(|code| (code, false, instance(100), Default::default()));
        let unfinished = Unfinished { regions: open.to_vec(), threads: Vec::new() };
        let mut serial = [0; Class::COUNT];
        serial[Class::Serial as usize] = 150;
        let resolved = Resolved { threads: vec![serial], ..Resolved::default() };
        let lacked = |useful, blocked| Taken { useful, blocked, ..Taken::default() };
        let taken = BTreeMap::from([
            (0, lacked(40, 10)),
            (0x10, lacked(100, 50)),
            (0x20, lacked(25, 0)),
            (0x30, lacked(80, 20)),
            (0x40, lacked(5, 0)),
        ]);
        let all = UserCode::of(&Model::default(), &folded, &unfinished, &taken, &resolved);
        assert_eq!(all.computed(0x10), 0.5, "in sums alone");
        assert_eq!(all.computed(0x20), 0.75, "in events alone: it has not ended");
        assert_eq!(all.computed(0x30), 0.75, "in both");
        assert_eq!(all.computed(0), 0.75, "outside every region");
        assert_eq!(all.computed(0x40), 0.0, "of a region of which nothing else is known");
        assert_eq!(all.computed(0x50), 1.0, "nothing was taken");
    }
}
