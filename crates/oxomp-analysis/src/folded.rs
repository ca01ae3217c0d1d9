//! Folded sums: those that threads formed themselves, in nanoseconds. Of recordings before version
//! 1.4, where they took the place of events, they are merged with the sums of events.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_trace::fold::{Extremes, barrier, mutex, region, serial, spread, starved, thread};
use oxomp_trace::{Clock, FoldEntry, FoldKind, Profile, ThreadEvents};

use crate::blame::{Blame, mutex_kind};
use crate::constructs::Constructs;
use crate::gains::distribute;
use crate::model::Model;
use crate::resolve::{Resolved, overlap};
use crate::summary::{Class, MutexKind};
use crate::sums::{CLASSES, raise};

/// Folded sums of all threads, ns.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// By code address.
    pub(crate) regions: BTreeMap<u64, FoldedRegion>,
    /// Passes, imbalance, cost, starved; by OMPT's kind, code address, code address of the region,
    /// and OMPT's work type of the construct that the barrier ends (0 if it ends no construct).
    pub(crate) barriers: BTreeMap<(u8, u64, u64, u8), [u64; 4]>,
    /// Waits for mutexes by site; by region, or 0 where the region is not known.
    pub(crate) waits: BTreeMap<u64, BTreeMap<(MutexKind, u64), u64>>,
    /// The set of [`mutex::DISTINCT`], by the site of the mutex.
    mutexes: BTreeMap<(MutexKind, u64), [u64; 4]>,
    /// Count, sum, longest, part in constructs for devices; by the regions that the serial stretch
    /// comes after and before.
    pub(crate) serial: BTreeMap<(Option<u64>, Option<u64>), [u64; 4]>,
    /// Executions, iterations, chunks, executions that reported chunks; by region, OMPT's work type
    /// and code address.
    pub(crate) works: BTreeMap<(u64, u8, u64), [u64; 4]>,
    /// Number of constructs that were folded into the sums.
    pub(crate) constructs: u64,
    /// Events that no sum shows: regions inside folded ones.
    pub(crate) hidden: u64,
    /// By position of a thread in [`Model::threads`]: its time in user code that had not ended when
    /// the recording did.
    pub(crate) open_work: Vec<u64>,
}

/// Instances of one region.
#[derive(Debug, Default)]
pub(crate) struct FoldedRegion {
    pub(crate) calls: u64,
    pub(crate) wall: u64,
    pub(crate) team: (u32, u32),
    pub(crate) serialized: u64,
    pub(crate) nested: u64,
    pub(crate) useful: u64,
    pub(crate) mean_computed: u64,
    pub(crate) max_computed: u64,
    /// Per class, divided by the team per instance.
    pub(crate) gain: [u64; Class::COUNT],
}

/// Adds the folded sums of `profile` to the threads of `resolved` and to `blame`; returns the rest.
/// `unfinished`: what the events of each thread tell of the time after its sums, by class.
pub(crate) fn add_folded(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    resolved: &mut Resolved,
    blame: &mut Blame,
    unfinished: &[Option<[u64; Class::COUNT]>],
) -> Folded {
    let clock = profile.clock();
    let mut folded = Folded::default();
    for events in &profile.threads {
        for entry in &events.folded {
            folded.add(entry, &clock, constructs, blame);
        }
    }
    folded.tell_mutexes(blame);
    let threads = model.threads.iter().zip(&mut resolved.threads).zip(unfinished);
    folded.open_work = vec![0; model.threads.len()];
    for (position, ((facts, classes), unfinished)) in threads.enumerate() {
        let Some(from) = facts.folded_from else { continue };
        let events = profile.threads.iter().find(|events| events.number == facts.number);
        let Some(events) = events else { continue };
        let mut time = ThreadTime::of(events, &clock, from, profile.info.whole_sums);
        for (sum, more) in classes.iter_mut().zip(time.classes) {
            raise(sum, more);
        }
        let idle = if facts.initial { Class::Serial } else { Class::SerialIdle };
        // Before its first event the main thread was there.
        let first = first_event(events, &clock, from);
        if profile.info.whole_sums && facts.initial && first > from {
            raise(&mut classes[idle as usize], first - from);
            folded.lengthen_first(events, constructs, first - from);
            time.until = time.until.max(first);
        }
        // Since the thread last updated its sums, no event has changed its class.
        let rest = facts.end.saturating_sub(time.until);
        // The part of it outside every region, of an initial thread.
        let outside = match unfinished {
            Some(own) if own.iter().sum::<u64>() == rest => {
                for (sum, more) in classes.iter_mut().zip(own) {
                    raise(sum, *more);
                }
                let work = own[Class::Useful as usize].saturating_add(own[Class::Serial as usize]);
                folded.open_work[position] = work;
                own[Class::Serial as usize]
            }
            _ => {
                let waits = last_wait(profile, facts, &clock).min(rest);
                // A worker that has arrived at its region's end may have no other to wait for.
                let waits = if time.inside || facts.initial { waits } else { 0 };
                raise(&mut classes[Class::Imbalance as usize], waits);
                let class = if time.inside { Class::Useful } else { idle };
                raise(&mut classes[class as usize], rest - waits);
                folded.open_work[position] = if time.inside { rest - waits } else { 0 };
                if time.inside { 0 } else { rest - waits }
            }
        };
        let paused = overlap(&model.pauses, from, facts.end);
        if profile.info.whole_sums && facts.initial && outside > 0 {
            let after = Some(constructs.name(time.region)).filter(|&code| code != 0);
            let pauses = overlap(&model.pauses, time.until, facts.end);
            let stretch = outside.saturating_sub(pauses);
            let sums = folded.serial.entry((after, None)).or_default();
            raise(&mut sums[0], 1);
            raise(&mut sums[1], stretch);
            sums[2] = sums[2].max(stretch);
        }
        let paused = paused.min(classes[idle as usize]);
        classes[idle as usize] -= paused;
        raise(&mut classes[Class::Paused as usize], paused);
    }
    folded
}

/// For how long a thread had waited in a region when the recording ended, ns.
fn last_wait(profile: &Profile, thread: &crate::model::Thread, clock: &Clock) -> u64 {
    let own = profile.info.unfinished.iter().filter(|one| one.tid == u64::from(thread.tid));
    own.map(|one| clock.span(one.waits)).max().unwrap_or(0)
}

/// The time that is in a thread's sums, ns.
struct ThreadTime {
    classes: [u64; Class::COUNT],
    until: u64,
    /// The outermost region in which the thread was last, and whether it still was.
    region: u64,
    inside: bool,
}

impl ThreadTime {
    fn of(events: &ThreadEvents, clock: &Clock, from: u64, whole: bool) -> Self {
        let mut time = Self { classes: [0; Class::COUNT], until: from, region: 0, inside: false };
        let own = |entry: &&FoldEntry| entry.fold_kind() == Some(FoldKind::Thread);
        for entry in events.folded.iter().filter(own) {
            // Before version 1.4 the last one had another meaning.
            for (position, class) in CLASSES.into_iter().take(if whole { 10 } else { 9 }) {
                raise(&mut time.classes[class as usize], clock.span(entry.values[position]));
            }
            time.until = time.until.max(clock.ns(entry.values[thread::UNTIL]));
            (time.region, time.inside) = (entry.key[2] >> 1, entry.key[2] & 1 == 1);
        }
        time
    }
}

/// When the thread's first event was; `from` without one.
fn first_event(events: &ThreadEvents, clock: &Clock, from: u64) -> u64 {
    events.records.first().map_or(from, |record| clock.ns(record.tick))
}

/// The code addresses of the outermost regions in which threads were at the end.
pub(crate) fn inside_at_end(profile: &Profile, constructs: &Constructs) -> BTreeSet<u64> {
    let clock = profile.clock();
    let times = profile.threads.iter().map(|events| ThreadTime::of(events, &clock, 0, true));
    times.filter(|time| time.inside).map(|time| constructs.name(time.region)).collect()
}

/// By position of a thread in [`Model::threads`]: the time up to which its sums go, and for an
/// initial thread at least the time of its first event.
pub(crate) fn summed_until(profile: &Profile, model: &Model) -> Vec<u64> {
    let clock = profile.clock();
    let until = |facts: &crate::model::Thread| {
        let events = profile.threads.iter().find(|events| events.number == facts.number);
        events.map_or(facts.begin, |events| {
            let summed = ThreadTime::of(events, &clock, facts.begin, true).until;
            let first = if facts.initial { first_event(events, &clock, facts.begin) } else { 0 };
            summed.max(first)
        })
    };
    model.threads.iter().map(until).collect()
}

impl Folded {
    /// What could be won in the regions if no thread waited for locks, ns of wall time.
    pub(crate) fn lock_gain(&self) -> f64 {
        self.regions.values().map(|sums| sums.gain[Class::Mutex as usize] as f64).sum()
    }

    /// What could be won if no thread waited for a mutex at a site, ns of wall time: the gain of
    /// each region is distributed over the sites of the waits in it.
    pub(crate) fn site_gains(&self, threads: u32) -> BTreeMap<(MutexKind, u64), f64> {
        let mut gains = BTreeMap::new();
        for (region, sites) in &self.waits {
            let sites = sites.iter().map(|(site, wait)| (*site, *wait));
            match self.regions.get(region) {
                Some(sums) => {
                    distribute(sums.gain[Class::Mutex as usize] as f64, sites, &mut gains);
                }
                None if *region == mutex::COUNTED_REGION => {}
                None => {
                    for (site, wait) in sites {
                        *gains.entry(site).or_default() += wait as f64 / f64::from(threads);
                    }
                }
            }
        }
        gains
    }

    /// Tells how many mutexes there were at each site.
    fn tell_mutexes(&self, blame: &mut Blame) {
        for (site, words) in &self.mutexes {
            if let Some(sums) = blame.get_mut(site) {
                sums.mutexes = sums.mutexes.max(mutex::distinct(*words));
            }
        }
    }

    /// The serial stretch with which the thread of `events` began is longer than its entry says, by
    /// `time` before its recorded begin.
    fn lengthen_first(&mut self, events: &ThreadEvents, constructs: &Constructs, time: u64) {
        let first =
            |entry: &&FoldEntry| entry.fold_kind() == Some(FoldKind::Serial) && entry.key[0] == 0;
        let before = events.folded.iter().find(first).map(|entry| constructs.name(entry.key[1]));
        let Some(before) = before else { return };
        let sums = self.serial.entry((None, Some(before).filter(|&code| code != 0))).or_default();
        raise(&mut sums[1], time);
        raise(&mut sums[2], time);
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
                if sub == 1 {
                    raise(&mut sums.nested, values[region::CALLS]);
                }
            }
            Some(FoldKind::Barrier) => {
                raise(&mut self.constructs, values[barrier::PASSES]);
                let ends = u8::try_from(entry.key[2]).unwrap_or(0);
                let sums = self.barriers.entry((sub, first, second, ends)).or_default();
                raise(&mut sums[0], values[barrier::PASSES]);
                raise(&mut sums[1], time(barrier::IMBALANCE));
                raise(&mut sums[2], time(barrier::COST));
                raise(&mut sums[3], time(barrier::STARVED));
            }
            Some(FoldKind::Mutex) => {
                raise(&mut self.constructs, values[mutex::ACQUISITIONS]);
                let site = (mutex_kind(sub), first);
                let waits = self.waits.entry(second).or_default();
                raise(waits.entry(site).or_default(), time(mutex::WAIT));
                let words = self.mutexes.entry(site).or_default();
                for (word, more) in words.iter_mut().zip(&values[mutex::DISTINCT..]) {
                    *word |= more;
                }
                let sums = blame.entry(site).or_default();
                raise(&mut sums.acquisitions, values[mutex::ACQUISITIONS]);
                // Before version 1.5 this is 0: every acquisition was timed.
                raise(&mut sums.counted, entry.key[2]);
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
            Some(FoldKind::Spread) => {
                let sums = blame.entry((mutex_kind(sub), first)).or_default();
                // A tick in ns, of as many as keep its digits.
                let tick = clock.span(1 << 20) as f64 / f64::from(1 << 20);
                for (variance, at) in sums.variances.iter_mut().zip([spread::WAIT, spread::HOLD]) {
                    *variance += values[at] as f64 * tick * tick;
                }
            }
            Some(FoldKind::Starved) => {
                let sums = self.regions.entry(first).or_default();
                raise(&mut sums.gain[Class::Starved as usize], time(starved::GAIN));
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
                | FoldKind::Repeated
                | FoldKind::Counts
                | FoldKind::LeftOut
                | FoldKind::TaskForms
                | FoldKind::Tests
                | FoldKind::Sinks
                | FoldKind::Mpi,
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
        raise(&mut self.mean_computed, time(region::MEAN_COMPUTED));
        raise(&mut self.max_computed, time(region::MAX_COMPUTED));
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
