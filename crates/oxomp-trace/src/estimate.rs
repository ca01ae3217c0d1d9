//! Instances that were only counted: their sums are estimated from those that were timed.
//!
//! The collector keeps, of each short region, the number and the time of the instances whose
//! threads did not look at the clock, and the number of short tasks without times. Here the sums
//! of such instances are raised as if they had been like the timed ones of the same construct:
//! times by the time, numbers by the number. Times of tasks are raised by the number, so that their
//! mean stays.

use std::collections::BTreeMap;

use crate::fold::{
    FoldEntry, FoldKind, barrier, chunks, instances, region, scheduler, share, short, span,
    starved, tasks, thread,
};
use crate::thread_events::ThreadEvents;

/// The most by which rounded numbers of tasks may miss their sum; more is damage.
const ROUNDINGS: u64 = 100_000;

/// By how much a region's numbers and times are raised.
#[derive(Debug, Clone, Copy)]
struct Factor {
    number: f64,
    time: f64,
}

/// The factors of one region.
#[derive(Debug, Clone, Copy)]
struct Factors {
    /// Of sums of folded instances.
    folded: Factor,
    /// Of sums that are kept whether events are recorded or folded.
    kept: Factor,
}

/// The positions of the numbers and of the times of a kind; others stay as they are.
type Positions = (&'static [usize], &'static [usize]);

/// The classes of a [`FoldKind::Short`] entry, of which the first takes what rounding leaves.
const CLASSES: [usize; 8] = [
    thread::USEFUL,
    thread::SERIAL,
    thread::IMBALANCE,
    thread::BARRIER,
    thread::MUTEX,
    thread::TASKWAIT,
    thread::FORK_JOIN,
    thread::STARVED,
];

/// Raises the sums of all threads.
pub(crate) fn estimate(threads: &mut [ThreadEvents]) {
    let mut counts = BTreeMap::<u64, [u64; 6]>::new();
    let mut untimed = BTreeMap::<[u64; 2], [u64; 2]>::new();
    let mut spent = [0_u64; 12];
    let entries = || threads.iter().flat_map(|thread| &thread.folded);
    for entry in entries() {
        match entry.fold_kind() {
            Some(FoldKind::Instances) => add(counts.entry(entry.key[0]).or_default(), entry),
            Some(FoldKind::Tasks) => {
                let sums = untimed.entry([entry.key[0], entry.key[1]]).or_default();
                raise(&mut sums[0], entry.values[tasks::COUNT]);
                raise(&mut sums[1], entry.values[tasks::UNTIMED]);
            }
            Some(FoldKind::Short) => add(&mut spent, entry),
            _ => {}
        }
    }
    let factors: BTreeMap<u64, Factors> =
        counts.iter().filter_map(|(&code, counts)| Some((code, Factors::of(counts)?))).collect();
    for thread in threads.iter_mut() {
        let own = own_instances(&thread.folded);
        for entry in &mut thread.folded {
            raise_entry(entry, &own, &factors, &untimed);
        }
        share_counted(&mut thread.folded, &spent);
    }
    settle_bins(threads);
}

/// Makes the bins of a construct's tasks add up to their number, which rounding may miss.
fn settle_bins(threads: &mut [ThreadEvents]) {
    let mut numbers = BTreeMap::<[u64; 2], (u64, u64)>::new();
    for entry in threads.iter().flat_map(|thread| &thread.folded) {
        let sums = numbers.entry([entry.key[0], entry.key[1]]).or_default();
        match entry.fold_kind() {
            Some(FoldKind::Tasks) => raise(&mut sums.0, entry.values[tasks::COUNT]),
            Some(FoldKind::TaskTimes) => {
                entry.values.iter().for_each(|&number| raise(&mut sums.1, number));
            }
            _ => {}
        }
    }
    for entry in threads.iter_mut().flat_map(|thread| &mut thread.folded) {
        if entry.fold_kind() != Some(FoldKind::TaskTimes) {
            continue;
        }
        let Some((all, binned)) = numbers.get_mut(&[entry.key[0], entry.key[1]]) else { continue };
        let Some(most) = entry.values.iter_mut().max() else { continue };
        if all.abs_diff(*binned) <= ROUNDINGS {
            *most = most.saturating_add(*all).saturating_sub(*binned);
            *binned = *all;
        }
    }
}

/// The instances of regions that the thread of these entries began, by code address.
fn own_instances(folded: &[FoldEntry]) -> BTreeMap<u64, [u64; 2]> {
    let own = folded.iter().filter(|entry| entry.fold_kind() == Some(FoldKind::Instances));
    let counts = |values: &[u64; 12]| [values[instances::COUNTED], values[instances::COUNTED_WALL]];
    own.map(|entry| (entry.key[0], counts(&entry.values))).collect()
}

fn raise_entry(
    entry: &mut FoldEntry,
    own: &BTreeMap<u64, [u64; 2]>,
    factors: &BTreeMap<u64, Factors>,
    untimed: &BTreeMap<[u64; 2], [u64; 2]>,
) {
    let Some(kind) = entry.fold_kind() else { return };
    let Some((numbers, times)) = positions(kind) else { return };
    if matches!(kind, FoldKind::Tasks | FoldKind::TaskTimes)
        && let Some(&[count, without]) = untimed.get(&[entry.key[0], entry.key[1]])
    {
        raise_tasks(entry, kind, count, without);
    }
    let inner = matches!(kind, FoldKind::Barrier | FoldKind::Tasks | FoldKind::TaskTimes);
    let code = entry.key[usize::from(inner)];
    if let Some(factors) = factors.get(&code) {
        let folded = matches!(
            kind,
            FoldKind::Region | FoldKind::Barrier | FoldKind::Work | FoldKind::Starved
        );
        let factor = if folded { factors.folded } else { factors.kept };
        scale(&mut entry.values, numbers, factor.number);
        scale(&mut entry.values, times, factor.time);
    }
    if kind == FoldKind::Region
        && entry.sub == 0
        && let Some([regions, ticks]) = own.get(&code)
    {
        raise(&mut entry.values[region::CALLS], *regions);
        raise(&mut entry.values[region::WALL], *ticks);
    }
}

/// What is raised of a kind whose entries belong to a region.
const fn positions(kind: FoldKind) -> Option<Positions> {
    Some(match kind {
        FoldKind::Region => (
            &[region::SERIALIZED],
            &[
                region::USEFUL,
                region::MEAN_COMPUTED,
                region::MAX_COMPUTED,
                region::IMBALANCE,
                region::BARRIER,
                region::MUTEX,
                region::TASKWAIT,
                region::FORK_JOIN,
            ],
        ),
        FoldKind::Barrier => (&[barrier::PASSES], &[barrier::IMBALANCE, barrier::COST]),
        FoldKind::Work => (&[0, 1, 2, 3], &[]),
        FoldKind::Chunks => (
            &[chunks::EXECUTIONS, chunks::ITERATIONS, chunks::CHUNKS],
            &[
                chunks::TIME,
                chunks::PARTS,
                chunks::PARTS + 1,
                chunks::PARTS + 2,
                chunks::PARTS + 3,
                chunks::DISPATCH,
            ],
        ),
        FoldKind::Scheduler => (
            &[scheduler::STRETCHES, scheduler::GUESSED],
            &[scheduler::TAKEN, scheduler::WAITS, scheduler::HIDDEN_WAITS, scheduler::BLOCKED],
        ),
        FoldKind::Tasks => (
            &[
                tasks::COUNT,
                tasks::TIME,
                tasks::QUEUED,
                tasks::STOLEN,
                tasks::BETWEEN,
                tasks::GAPS,
                tasks::DEPENDENT,
                tasks::CREATING,
                tasks::CREATIONS,
                tasks::UNTIMED,
            ],
            &[],
        ),
        FoldKind::TaskTimes => (&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], &[]),
        FoldKind::Span => (&[span::REGIONS], &[span::SPAN, span::WALL]),
        FoldKind::Share => (&[share::EXECUTIONS, share::OTHERS], &[share::TIME]),
        FoldKind::Starved => (&[], &[starved::GAIN]),
        FoldKind::Thread
        | FoldKind::Mutex
        | FoldKind::Blame
        | FoldKind::Spread
        | FoldKind::Serial
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
        | FoldKind::Mpi => return None,
    })
}

/// Raises what was kept of the timed tasks only, for all `count` of the construct, of which
/// `without` have no times.
fn raise_tasks(entry: &mut FoldEntry, kind: FoldKind, count: u64, without: u64) {
    let timed = count.saturating_sub(without);
    if without == 0 || timed == 0 {
        return;
    }
    let factor = count as f64 / timed as f64;
    let positions: &[usize] = match kind {
        FoldKind::Tasks => &[
            tasks::TIME,
            tasks::QUEUED,
            tasks::STOLEN,
            tasks::BETWEEN,
            tasks::GAPS,
            tasks::CREATING,
            tasks::CREATIONS,
        ],
        _ => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    };
    scale(&mut entry.values, positions, factor);
}

/// Adds the thread's time in short regions to its classes: that of the timed ones as it is, and
/// that of the others in the proportions of the thread, or of `all` threads if it timed none.
fn share_counted(folded: &mut [FoldEntry], all: &[u64; 12]) {
    let mut own = [0; 12];
    for entry in folded.iter().filter(|entry| entry.fold_kind() == Some(FoldKind::Short)) {
        add(&mut own, entry);
    }
    let counted = own[short::COUNTED];
    let sum =
        |values: &[u64; 12]| CLASSES.iter().fold(0_u64, |sum, &at| sum.saturating_add(values[at]));
    let like = if sum(&own) > 0 { own } else { *all };
    let whole = sum(&like);
    let is_time = |entry: &&mut FoldEntry| entry.fold_kind() == Some(FoldKind::Thread);
    let Some(time) = folded.iter_mut().find(is_time) else { return };
    let mut rest = counted;
    for class in CLASSES.into_iter().rev() {
        raise(&mut time.values[class], own[class]);
        let part = match class {
            // What is left: rounding loses nothing.
            thread::USEFUL => rest,
            _ if whole == 0 => 0,
            class => (counted as f64 * like[class] as f64 / whole as f64) as u64,
        };
        raise(&mut time.values[class], part.min(rest));
        rest = rest.saturating_sub(part);
    }
}

impl Factors {
    /// `None` if no instance of the region was only counted.
    fn of(counts: &[u64; 6]) -> Option<Self> {
        let [recorded, recorded_wall, timed, timed_wall, counted, counted_wall] = *counts;
        let factor = |known: u64, more: u64| match known {
            0 => 1.0,
            known => 1.0 + more as f64 / known as f64,
        };
        let all = recorded.saturating_add(timed);
        let all_wall = recorded_wall.saturating_add(timed_wall);
        (counted > 0).then(|| Self {
            folded: Factor {
                number: factor(timed, counted),
                time: factor(timed_wall, counted_wall),
            },
            kept: Factor { number: factor(all, counted), time: factor(all_wall, counted_wall) },
        })
    }
}

fn scale(values: &mut [u64; 12], positions: &[usize], factor: f64) {
    for &position in positions {
        // Saturates: numbers of a damaged file may be of any size.
        values[position] = (values[position] as f64 * factor).round() as u64;
    }
}

fn add<const N: usize>(sums: &mut [u64; N], entry: &FoldEntry) {
    for (sum, value) in sums.iter_mut().zip(entry.values) {
        raise(sum, value);
    }
}

fn raise(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}

#[cfg(test)]
mod tests {
    use super::estimate;
    use crate::fold::{
        FoldEntry, FoldKind, barrier, chunks, instances, region, short, tasks, thread,
    };
    use crate::thread_events::ThreadEvents;

    fn entry(kind: FoldKind, key: [u64; 2], values: &[(usize, u64)]) -> FoldEntry {
        let mut entry = FoldEntry { kind: kind as u32, ..FoldEntry::default() };
        entry.key[..2].copy_from_slice(&key);
        for &(position, value) in values {
            entry.values[position] = value;
        }
        entry
    }

    fn thread_of(folded: Vec<FoldEntry>) -> ThreadEvents {
        ThreadEvents { number: 0, records: Vec::new(), folded }
    }

    fn find(thread: &ThreadEvents, kind: FoldKind) -> [u64; 12] {
        let found = thread.folded.iter().find(|entry| entry.fold_kind() == Some(kind));
        found.map_or([0; 12], |entry| entry.values)
    }

    #[test]
    fn a_regions_sums_stand_for_all_its_instances() {
        use instances::{COUNTED, COUNTED_WALL, RECORDED, RECORDED_WALL, TIMED, TIMED_WALL};
        let counts = [
            (RECORDED, 10),
            (RECORDED_WALL, 1000),
            (TIMED, 10),
            (TIMED_WALL, 1000),
            (COUNTED, 80),
            (COUNTED_WALL, 10_000),
        ];
        let region = [
            (region::CALLS, 10),
            (region::WALL, 1000),
            (region::USEFUL, 1600),
            (region::IMBALANCE, 100),
        ];
        let loops = [(chunks::EXECUTIONS, 20), (chunks::TIME, 1900), (chunks::LONGEST, 90)];
        let mut threads = [
            thread_of(vec![
                entry(FoldKind::Instances, [7, 0], &counts),
                entry(FoldKind::Region, [7, 0], &region),
                entry(FoldKind::Chunks, [7, 9], &loops),
                entry(FoldKind::Region, [8, 0], &region),
            ]),
            thread_of(vec![entry(FoldKind::Barrier, [5, 7], &[(barrier::PASSES, 10)])]),
        ];
        estimate(&mut threads);
        let values = find(&threads[0], FoldKind::Region);
        assert_eq!((values[region::CALLS], values[region::WALL]), (90, 11_000));
        assert_eq!((values[region::USEFUL], values[region::IMBALANCE]), (17_600, 1100));
        let values = find(&threads[0], FoldKind::Chunks);
        assert_eq!(values[chunks::EXECUTIONS..=chunks::EXECUTIONS], [100]);
        assert_eq!((values[chunks::TIME], values[chunks::LONGEST]), (11_400, 90));
        assert_eq!(find(&threads[1], FoldKind::Barrier)[barrier::PASSES], 90);
        assert_eq!(threads[0].folded[3].values[region::CALLS], 10, "another region");
    }

    #[test]
    fn a_threads_time_has_the_proportions_of_its_timed_regions() {
        let times = [(thread::USEFUL, 600), (thread::IMBALANCE, 200), (short::COUNTED, 8001)];
        let mut threads = [
            thread_of(vec![
                entry(FoldKind::Thread, [0; 2], &[(thread::USEFUL, 50), (thread::SERIAL, 40)]),
                entry(FoldKind::Short, [0; 2], &times),
            ]),
            // This one timed none.
            thread_of(vec![
                entry(FoldKind::Thread, [0; 2], &[]),
                entry(FoldKind::Short, [0; 2], &[(short::COUNTED, 400)]),
            ]),
        ];
        estimate(&mut threads);
        let values = find(&threads[0], FoldKind::Thread);
        let classes =
            [thread::USEFUL, thread::IMBALANCE, thread::SERIAL].map(|class| values[class]);
        assert_eq!(classes, [50 + 600 + 6001, 200 + 2000, 40], "nothing is lost");
        let values = find(&threads[1], FoldKind::Thread);
        assert_eq!((values[thread::USEFUL], values[thread::IMBALANCE]), (300, 100));
    }

    #[test]
    fn tasks_without_times_are_like_the_others() {
        let task = [(tasks::COUNT, 100), (tasks::UNTIMED, 90), (tasks::TIME, 500)];
        let mut threads = [
            thread_of(vec![entry(FoldKind::Tasks, [7, 3], &task)]),
            thread_of(vec![
                entry(FoldKind::Tasks, [7, 3], &[(tasks::CREATING, 30)]),
                entry(FoldKind::TaskTimes, [7, 3], &[(2, 10)]),
            ]),
        ];
        estimate(&mut threads);
        let values = find(&threads[0], FoldKind::Tasks);
        assert_eq!((values[tasks::COUNT], values[tasks::TIME]), (100, 5000));
        assert_eq!(find(&threads[1], FoldKind::Tasks)[tasks::CREATING], 300);
        assert_eq!(find(&threads[1], FoldKind::TaskTimes)[2], 100);
    }

    #[test]
    fn sums_of_any_size_are_borne() {
        let full = |kind| FoldEntry { values: [u64::MAX; 12], ..entry(kind, [7, 7], &[]) };
        let mut threads = [thread_of(FoldKind::ALL.map(full).to_vec())];
        estimate(&mut threads);
    }
}
