//! Worksharing constructs by their chunks: sums that threads form in every mode.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_trace::fold::{Extremes, chunks};
use oxomp_trace::{FoldEntry, FoldKind, Profile};

use crate::constructs::Constructs;
use crate::loops::sampled::{Key, RegionLoops, Samples, Times};
use crate::model::Model;
use crate::resolve::Resolved;
use crate::scheduler::Taken;
use crate::summary::{Class, Loop, SiteId, WorkKind, work_kind};
use crate::sums::raise;

/// The sums of one construct over all threads, ns.
#[derive(Debug, Default)]
pub(crate) struct LoopSums {
    /// Numbers of the threads: copies of a construct have an entry of a thread each.
    threads: BTreeSet<u32>,
    executions: u64,
    iterations: u64,
    chunks: u64,
    time: u64,
    dispatch: u64,
    /// The standard error of `dispatch`, if samples tell it.
    dispatch_error: Option<u64>,
    longest: u64,
    sizes: (u64, u64),
    parts: [u64; 4],
    count: u64,
}

/// Every construct.
#[derive(Debug, Default)]
pub(crate) struct Loops(BTreeMap<Key, LoopSums>);

/// The constructs of `profile`. What handing out their chunks took is moved from the threads'
/// useful time to its own class.
pub(crate) fn loops(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    resolved: &mut Resolved,
    taken: &BTreeMap<u64, Taken>,
    samples: Samples<'_>,
) -> Loops {
    let clock = profile.clock();
    let mut loops = Loops::default();
    let entries = || {
        profile.threads.iter().flat_map(|events| {
            let chunks = |entry: &&_| is_chunks(entry);
            events.folded.iter().filter(chunks).map(move |entry| (events.number, entry))
        })
    };
    let key = |entry: &FoldEntry| -> Option<Key> {
        let kind = u8::try_from(entry.sub).ok().and_then(work_kind)?;
        Some((constructs.name(entry.key[0]), kind, constructs.name(entry.key[1])))
    };
    for (number, entry) in entries() {
        let values = &entry.values;
        let Some(key) = key(entry) else { continue };
        let sums = loops.0.entry(key).or_default();
        let first = sums.threads.is_empty();
        sums.threads.insert(number);
        raise(&mut sums.executions, values[chunks::EXECUTIONS]);
        raise(&mut sums.iterations, values[chunks::ITERATIONS]);
        raise(&mut sums.chunks, values[chunks::CHUNKS]);
        raise(&mut sums.time, clock.span(values[chunks::TIME]));
        sums.longest = sums.longest.max(clock.span(values[chunks::LONGEST]));
        let Extremes { least, most } = Extremes::unpacked(values[chunks::SIZES]);
        let (least, most) = (u64::from(least), u64::from(most));
        sums.sizes = (if first { least } else { sums.sizes.0.min(least) }, sums.sizes.1.max(most));
        for (part, ticks) in sums.parts.iter_mut().zip(&values[chunks::PARTS..]) {
            raise(part, clock.span(*ticks));
        }
        sums.count = sums.count.max(values[chunks::COUNT]);
    }
    loops.leave_out(taken);
    let joined = loops.join_combined();
    let key = |entry: &FoldEntry| key(entry).map(|key| joined.get(&key).copied().unwrap_or(key));
    let mut regions = loops.by_region();
    for (_, entry) in entries() {
        if let Some(key) = key(entry).filter(|key| is_handed_out(key.1))
            && let Some(region) = regions.get_mut(&key.0)
        {
            region.asked.insert(entry.key[1], key);
        }
    }
    let sampled = samples.times(constructs, &regions);
    let mut dispatch = Dispatch { model, resolved };
    for (number, entry) in entries() {
        let is_bounded = |key: &Key| is_handed_out(key.1) && !sampled.contains_key(key);
        let Some(key) = key(entry).filter(is_bounded) else { continue };
        let Some(sums) = loops.0.get_mut(&key) else { continue };
        let cost = entry.values[chunks::DISPATCH].min(entry.values[chunks::TIME]);
        raise(&mut sums.dispatch, dispatch.take(number, clock.span(cost)));
    }
    for (key, times) in sampled {
        if let Some(sums) = loops.0.get_mut(&key) {
            dispatch.take_all(&times, sums);
            sums.dispatch_error = Some(samples.error(sums.dispatch, sums.time));
        }
    }
    loops
}

/// Moves what handing out chunks took from the threads' useful time to its own class.
struct Dispatch<'a> {
    model: &'a Model,
    resolved: &'a mut Resolved,
}

impl Dispatch<'_> {
    /// Moves `cost` of the thread `number`. Returns the part that the thread had.
    fn take(&mut self, number: u32, cost: u64) -> u64 {
        let mut threads = self.model.threads.iter().zip(&mut self.resolved.threads).rev();
        let Some((_, classes)) = threads.find(|(facts, _)| facts.number == number) else {
            return 0;
        };
        let cost = cost.min(classes[Class::Useful as usize]);
        classes[Class::Useful as usize] -= cost;
        raise(&mut classes[Class::Dispatch as usize], cost);
        cost
    }

    /// Moves the times of all threads in the construct `sums`, and no more than the construct has.
    fn take_all(&mut self, times: &Times, sums: &mut LoopSums) {
        let all: f64 = times.values().sum();
        let part = (sums.time as f64 / all.max(1.0)).min(1.0);
        for (&thread, time) in times {
            raise(&mut sums.dispatch, self.take(thread, (time * part) as u64));
        }
    }
}

/// Whether an entry has chunks: the entry of a thread that asked for chunks in vain has no sizes
/// either.
fn is_chunks(entry: &FoldEntry) -> bool {
    entry.fold_kind() == Some(FoldKind::Chunks) && entry.values[chunks::CHUNKS] > 0
}

/// Whether threads ask for each chunk.
fn is_handed_out(kind: WorkKind) -> bool {
    matches!(
        kind,
        WorkKind::Loop | WorkKind::LoopDynamic | WorkKind::LoopGuided | WorkKind::LoopOther
    )
}

impl LoopSums {
    /// Adds the sums of other threads.
    fn join(&mut self, other: &Self) {
        let pairs = [
            (&mut self.executions, other.executions),
            (&mut self.iterations, other.iterations),
            (&mut self.chunks, other.chunks),
            (&mut self.time, other.time),
            (&mut self.dispatch, other.dispatch),
        ];
        for (sum, value) in pairs.into_iter().chain(self.parts.iter_mut().zip(other.parts)) {
            raise(sum, value);
        }
        self.threads.extend(&other.threads);
        self.longest = self.longest.max(other.longest);
        self.sizes = (self.sizes.0.min(other.sizes.0), self.sizes.1.max(other.sizes.1));
        self.count = self.count.max(other.count);
    }
}

impl Loops {
    /// Joins a combined construct with itself: some runtimes report it at the region's address to
    /// some threads, and at another one to the others. Returns the key of the whole for each that
    /// is no more.
    fn join_combined(&mut self) -> BTreeMap<Key, Key> {
        let mut joined = BTreeMap::new();
        let keys: Vec<_> = self.0.keys().copied().collect();
        for &(region, kind, code) in keys.iter().filter(|key| key.0 == key.2) {
            let mut others =
                keys.iter().filter(|key| key.0 == region && key.1 == kind && key.2 != code);
            let (Some(other), None) = (others.next(), others.next()) else { continue };
            if self.0[&(region, kind, code)].count == self.0[other].count
                && let Some(sums) = self.0.remove(other)
                && let Some(whole) = self.0.get_mut(&(region, kind, code))
            {
                whole.join(&sums);
                joined.insert(*other, (region, kind, code));
            }
        }
        joined
    }

    /// The constructs' time by region; which ones hand out chunks is not known yet.
    fn by_region(&self) -> BTreeMap<u64, RegionLoops> {
        let mut regions = BTreeMap::<u64, RegionLoops>::new();
        for ((region, ..), sums) in &self.0 {
            raise(&mut regions.entry(*region).or_default().time, sums.time);
        }
        regions
    }

    /// Takes off the constructs' times what the scheduler took from their regions, of each in
    /// proportion to its time.
    fn leave_out(&mut self, taken: &BTreeMap<u64, Taken>) {
        let mut totals = BTreeMap::<u64, u64>::new();
        for ((region, ..), sums) in &self.0 {
            raise(totals.entry(*region).or_default(), sums.time);
        }
        for ((region, ..), sums) in &mut self.0 {
            let (Some(taken), Some(&total)) = (taken.get(region), totals.get(region)) else {
                continue;
            };
            let part = (taken.useful as f64 / total.max(1) as f64).min(1.0);
            sums.time -= ((sums.time as f64 * part) as u64).min(sums.time);
        }
    }

    /// The time for handing out chunks over all threads, by region.
    pub(crate) fn dispatch(&self) -> BTreeMap<u64, u64> {
        let mut by_region = BTreeMap::new();
        for ((region, ..), sums) in &self.0 {
            raise(by_region.entry(*region).or_default(), sums.dispatch);
        }
        by_region
    }

    /// The constructs of the summary, by time.
    pub(crate) fn into_summary(self, mut site: impl FnMut(u64) -> Option<SiteId>) -> Vec<Loop> {
        let mut loops: Vec<Loop> = self
            .0
            .into_iter()
            .map(|((region, kind, code), sums)| Loop {
                region: site(region),
                site: site(code),
                kind,
                threads: u32::try_from(sums.threads.len()).unwrap_or(u32::MAX),
                executions: sums.executions,
                iterations: sums.iterations,
                count: sums.count,
                chunks: sums.chunks,
                sizes: sums.sizes,
                time_ns: sums.time,
                dispatch_ns: sums.dispatch,
                dispatch_error_ns: sums.dispatch_error,
                longest_ns: sums.longest,
                parts_ns: sums.parts,
            })
            .collect();
        loops.sort_by_cached_key(|one| std::cmp::Reverse(one.time_ns));
        loops
    }
}
