//! Folded sums: those that threads formed themselves, in nanoseconds, merged with the sums of
//! events.

use std::collections::BTreeMap;

use oxomp_trace::fold::{Extremes, barrier, mutex, region, serial, thread};
use oxomp_trace::{Clock, FoldEntry, FoldKind, Profile};

use crate::blame::{Blame, mutex_kind};
use crate::constructs::Constructs;
use crate::model::Model;
use crate::resolve::{Resolved, overlap};
use crate::summary::Class;

/// Folded sums of all threads, ns.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// By code address.
    pub(crate) regions: BTreeMap<u64, FoldedRegion>,
    /// By OMPT's kind, code address, code address of the region: passes, imbalance, cost.
    pub(crate) barriers: BTreeMap<(u8, u64, u64), [u64; 3]>,
    /// By the regions after and before: count, sum, longest, part in constructs for devices.
    pub(crate) serial: BTreeMap<(Option<u64>, Option<u64>), [u64; 4]>,
    /// By region, OMPT's work type, code address: executions, iterations, chunks, executions that
    /// reported chunks.
    pub(crate) works: BTreeMap<(u64, u8, u64), [u64; 4]>,
    /// Number of constructs that were folded into the sums.
    pub(crate) constructs: u64,
    /// Events that no sum shows: regions inside folded ones.
    pub(crate) hidden: u64,
}

/// Instances of one region.
#[derive(Debug, Default)]
pub(crate) struct FoldedRegion {
    pub(crate) calls: u64,
    pub(crate) wall: u64,
    pub(crate) team: (u32, u32),
    pub(crate) serialized: u64,
    pub(crate) useful: u64,
    pub(crate) mean_useful: u64,
    pub(crate) max_useful: u64,
    /// Per class, divided by the team per instance.
    pub(crate) gain: [u64; Class::COUNT],
}

/// The class of each time of a [`FoldKind::Thread`] entry.
const CLASSES: [(usize, Class); 9] = [
    (thread::USEFUL, Class::Useful),
    (thread::SERIAL, Class::Serial),
    (thread::IMBALANCE, Class::Imbalance),
    (thread::BARRIER, Class::Barrier),
    (thread::MUTEX, Class::Mutex),
    (thread::TASKWAIT, Class::Taskwait),
    (thread::FORK_JOIN, Class::ForkJoin),
    (thread::SERIAL_IDLE, Class::SerialIdle),
    (thread::SPARE_IDLE, Class::SpareIdle),
];

/// Adds the folded sums of `profile` to the threads of `resolved` and to `blame`; returns the rest.
pub(crate) fn add_folded(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    resolved: &mut Resolved,
    blame: &mut Blame,
) -> Folded {
    let clock = profile.clock();
    let mut folded = Folded::default();
    for events in &profile.threads {
        for entry in &events.folded {
            folded.add(entry, &clock, constructs, blame);
        }
    }
    for (facts, classes) in model.threads.iter().zip(&mut resolved.threads) {
        let Some(from) = facts.folded_from else { continue };
        let events = profile.threads.iter().find(|events| events.number == facts.number);
        let entries = events.into_iter().flat_map(|events| &events.folded);
        let mut until = from;
        for entry in entries.filter(|entry| entry.fold_kind() == Some(FoldKind::Thread)) {
            for (position, class) in CLASSES {
                raise(&mut classes[class as usize], clock.span(entry.values[position]));
            }
            until = until.max(clock.ns(entry.values[thread::UNTIL]));
        }
        let idle = if facts.initial { Class::Serial } else { Class::SerialIdle };
        // Since the thread last updated its sums, no event has changed its class.
        raise(&mut classes[idle as usize], facts.end.saturating_sub(until));
        let paused = overlap(&model.pauses, from, facts.end).min(classes[idle as usize]);
        classes[idle as usize] -= paused;
        classes[Class::Paused as usize] += paused;
    }
    folded
}

impl Folded {
    /// What could be won in the regions if no thread waited for locks, ns of wall time.
    pub(crate) fn lock_gain(&self) -> f64 {
        self.regions.values().map(|sums| sums.gain[Class::Mutex as usize] as f64).sum()
    }

    fn add(
        &mut self,
        entry: &FoldEntry,
        clock: &Clock,
        constructs: &Constructs,
        blame: &mut Blame,
    ) {
        let values = &entry.values;
        let time = |position: usize| clock.span(values[position]);
        let sub = u8::try_from(entry.sub).unwrap_or(u8::MAX);
        let [first, second, _] = entry.key.map(|code| constructs.name(code));
        match entry.fold_kind() {
            Some(FoldKind::Thread) => raise(&mut self.hidden, values[thread::HIDDEN]),
            Some(FoldKind::Region) => {
                raise(&mut self.constructs, values[region::CALLS]);
                let sums = self.regions.entry(first).or_default();
                sums.add(values, clock);
            }
            Some(FoldKind::Barrier) => {
                raise(&mut self.constructs, values[barrier::PASSES]);
                let sums = self.barriers.entry((sub, first, second)).or_default();
                raise(&mut sums[0], values[barrier::PASSES]);
                raise(&mut sums[1], time(barrier::IMBALANCE));
                raise(&mut sums[2], time(barrier::COST));
            }
            Some(FoldKind::Mutex) => {
                raise(&mut self.constructs, values[mutex::ACQUISITIONS]);
                let sums = blame.entry((mutex_kind(sub), first)).or_default();
                raise(&mut sums.acquisitions, values[mutex::ACQUISITIONS]);
                raise(&mut sums.contended, values[mutex::CONTENDED]);
                sums.max_wait = sums.max_wait.max(time(mutex::MAX_WAIT));
                raise(&mut sums.hold, time(mutex::HOLD));
                sums.max_hold = sums.max_hold.max(time(mutex::MAX_HOLD));
                raise(&mut sums.handoff, time(mutex::HANDOFF));
                raise(&mut sums.unattributed, time(mutex::UNATTRIBUTED));
                // The wait is computed as the sum of its parts, so that rounding cannot make the
                // two differ.
                raise(&mut sums.wait, time(mutex::HANDOFF));
                raise(&mut sums.wait, time(mutex::UNATTRIBUTED));
            }
            Some(FoldKind::Blame) => {
                let sums = blame.entry((mutex_kind(sub), first)).or_default();
                raise(sums.holders.entry(second).or_default(), time(0));
                raise(&mut sums.wait, time(0));
            }
            Some(FoldKind::Serial) => {
                let site = |code| Some(code).filter(|&code| code != 0);
                let sums = self.serial.entry((site(first), site(second))).or_default();
                raise(&mut sums[0], values[serial::COUNT]);
                raise(&mut sums[1], time(serial::TIME));
                sums[2] = sums[2].max(time(serial::LONGEST));
                raise(&mut sums[3], time(serial::OFFLOADED));
            }
            Some(FoldKind::Work) => {
                let sums = self.works.entry((first, sub, second)).or_default();
                for (sum, value) in sums.iter_mut().zip(values) {
                    raise(sum, *value);
                }
            }
            Some(
                FoldKind::Chunks
                | FoldKind::Scheduler
                | FoldKind::Tasks
                | FoldKind::TaskTimes
                | FoldKind::Span
                | FoldKind::Share
                | FoldKind::Instances
                | FoldKind::Short
                | FoldKind::Target
                | FoldKind::Transfer
                | FoldKind::Repeated,
            )
            | None => {}
        }
    }
}

impl FoldedRegion {
    fn add(&mut self, values: &[u64; 12], clock: &Clock) {
        let time = |position: usize| clock.span(values[position]);
        raise(&mut self.calls, values[region::CALLS]);
        raise(&mut self.wall, time(region::WALL));
        let Extremes { least, most } = Extremes::unpacked(values[region::TEAM]);
        let first = self.team == (0, 0);
        self.team = (if first { least } else { self.team.0.min(least) }, self.team.1.max(most));
        raise(&mut self.serialized, values[region::SERIALIZED]);
        raise(&mut self.useful, time(region::USEFUL));
        raise(&mut self.mean_useful, time(region::MEAN_USEFUL));
        raise(&mut self.max_useful, time(region::MAX_USEFUL));
        for (class, position) in [
            (Class::Imbalance, region::IMBALANCE),
            (Class::Barrier, region::BARRIER),
            (Class::Mutex, region::MUTEX),
            (Class::Taskwait, region::TASKWAIT),
            (Class::ForkJoin, region::FORK_JOIN),
        ] {
            raise(&mut self.gain[class as usize], time(position));
        }
    }
}

/// Adds, saturating: numbers of a damaged file may be of any size.
pub(crate) fn raise(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}
