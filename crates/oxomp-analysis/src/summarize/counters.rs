//! What threads counted, by region and activity.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxomp_trace::Profile;
use oxomp_trace::counters::{Activity, CounterKey, Counts};

use crate::constructs::Constructs;
use crate::model::Model;
use crate::summary::{
    BANDWIDTH_BOUND, CountedActivity, CountedPlace, CountedThread, CounterTotal, Counters,
    PlaceCount, Region, SiteId,
};

/// Bytes of a cache line.
const LINE: u64 = 64;
/// Readings from which on the intervals that are not mixed tell ratios alone.
const ENOUGH: u64 = 8;
/// Readings from which on a region can be told to be bound by memory: a sample more or less changes
/// what is attributed to it by a twentieth at most.
const ENOUGH_TO_BOUND: u64 = 20;

/// What was counted in a place: in intervals that are its own, and in mixed ones.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    certain: Counts,
    mixed: Counts,
}

impl Sums {
    fn all(&self) -> Counts {
        let mut all = self.certain;
        all.add(&self.mixed);
        all
    }

    /// The counts that tell ratios best.
    fn for_ratios(&self) -> Counts {
        if self.certain.readings >= ENOUGH { self.certain } else { self.all() }
    }
}

/// What the threads counted; `None` if the recording was asked for no counters.
pub(super) fn counters(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    regions: &[Region],
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Option<Counters> {
    let info = &profile.info;
    if info.counters.is_empty() {
        return None;
    }
    let mut places = BTreeMap::<(CountedActivity, u64), Sums>::new();
    let mut threads = BTreeMap::<u32, Counts>::new();
    for (_, entry) in &profile.counters {
        match entry.key {
            CounterKey::Place { region, activity, mixed } => {
                let region = if region == 0 { 0 } else { constructs.name(region) };
                let sums = places.entry((activity_in(region, activity), region)).or_default();
                let part = if mixed { &mut sums.mixed } else { &mut sums.certain };
                part.add(&entry.counts);
            }
            CounterKey::Thread { tid } => threads.entry(tid).or_default().add(&entry.counts),
        }
    }
    let mut total = Counts::default();
    threads.values().for_each(|counts| total.add(counts));
    let names = Names::of(profile);
    let bandwidth = info.bandwidth.map(|limit| limit.bytes_per_second);
    let mut places: Vec<CountedPlace> = places
        .into_iter()
        .map(|((activity, region), sums)| {
            let region = site(region);
            let wall = wall_of(activity, region, regions, &sums);
            place(&names, (activity, region), &sums, wall, bandwidth)
        })
        .collect();
    places.sort_by_key(|place| Reverse(place.time_ns));
    let number = |tid| model.threads.iter().find(|it| it.tid == tid).map(|it| it.number);
    let threads = threads.into_iter().map(|(tid, counts)| CountedThread {
        thread: number(tid),
        tid,
        time_ns: counts.time_ns,
        counts: names.positions().map(|(_, position)| counts.values[position]).collect(),
    });
    let mut threads: Vec<CountedThread> = threads.collect();
    threads.sort_by_key(|one| (one.thread.is_none(), one.thread, one.tid));
    let told = info.counters.iter().map(|counter| CounterTotal {
        name: counter.name.clone(),
        count: counter.position.as_ref().ok().map(|position| total.values[*position]),
        refused: counter.position.clone().err(),
    });
    Some(Counters {
        totals: told.collect(),
        running: (total.time_ns > 0).then(|| ratio(total.running_ns, total.time_ns)),
        bandwidth,
        bandwidth_threads: info.bandwidth.map(|limit| limit.threads).filter(|it| *it > 0),
        places,
        threads,
    })
}

fn activity_in(region: u64, activity: Activity) -> CountedActivity {
    match activity {
        Activity::Work if region == 0 => CountedActivity::Serial,
        Activity::Work => CountedActivity::Useful,
        Activity::Barrier => CountedActivity::Barrier,
        Activity::Tasks => CountedActivity::Tasks,
        Activity::Mutex => CountedActivity::Mutex,
        Activity::Device => CountedActivity::Device,
        Activity::Idle => CountedActivity::Idle,
        Activity::Elsewhere => CountedActivity::Elsewhere,
    }
}

/// The time on the clock on the wall in which the threads worked there, ns; `None` where they
/// waited.
fn wall_of(
    activity: CountedActivity,
    site: Option<SiteId>,
    regions: &[Region],
    sums: &Sums,
) -> Option<u64> {
    match activity {
        CountedActivity::Useful => {
            let own = regions.iter().filter(|region| region.site == site);
            Some(own.fold(0, |sum: u64, region| sum.saturating_add(region.wall_ns)))
        }
        CountedActivity::Serial => Some(sums.all().time_ns),
        _ => None,
    }
    .filter(|wall| *wall > 0)
}

/// The counters that were counted, by name.
struct Names<'a>(Vec<(&'a str, usize)>);

impl<'a> Names<'a> {
    fn of(profile: &'a Profile) -> Self {
        let counters = profile.info.counters.iter();
        let counted = counters.filter_map(|counter| {
            let position = *counter.position.as_ref().ok()?;
            Some((counter.name.as_str(), position))
        });
        Self(counted.collect())
    }

    fn positions(&self) -> impl Iterator<Item = (&'a str, usize)> + '_ {
        self.0.iter().copied()
    }

    /// What the counter of this name counted.
    fn value(&self, counts: &Counts, name: &str) -> Option<u64> {
        let (_, position) = self.0.iter().find(|(own, _)| *own == name)?;
        Some(counts.values[*position])
    }

    /// One counter divided by another one; `None` without one of them, or if the other is 0.
    fn ratio(&self, counts: &Counts, part: &str, whole: &str) -> Option<f64> {
        let (part, whole) = (self.value(counts, part)?, self.value(counts, whole)?);
        (whole > 0).then(|| ratio(part, whole))
    }
}

fn place(
    names: &Names<'_>,
    (activity, region): (CountedActivity, Option<SiteId>),
    sums: &Sums,
    wall_ns: Option<u64>,
    bandwidth: Option<u64>,
) -> CountedPlace {
    let (all, best) = (sums.all(), sums.for_ratios());
    let bytes = names.value(&all, "memory-lines").map(|lines| lines.saturating_mul(LINE));
    let per_second = bytes.zip(wall_ns).map(|(bytes, wall)| ratio(bytes, wall) * 1e9);
    let bandwidth_part = per_second.zip(bandwidth).map(|(rate, limit)| rate / limit.max(1) as f64);
    let is_bound = activity == CountedActivity::Useful
        && all.readings >= ENOUGH_TO_BOUND
        && bandwidth_part.is_some_and(|part| part >= BANDWIDTH_BOUND);
    let counts = names.positions().map(|(name, position)| PlaceCount {
        counter: name.to_owned(),
        count: all.values[position],
        certain: sums.certain.values[position],
    });
    CountedPlace {
        region,
        activity,
        time_ns: all.time_ns,
        readings: all.readings,
        mixed: ratio(sums.mixed.time_ns, all.time_ns.max(1)),
        counts: counts.collect(),
        instructions_per_cycle: names.ratio(&best, "instructions", "cycles"),
        cache_miss_rate: names.ratio(&best, "cache-misses", "cache-references"),
        remote_part: names.ratio(&best, "remote-lines", "memory-lines"),
        bytes,
        bytes_per_second: per_second.map(|rate| rate.round() as u64),
        bandwidth_part,
        bandwidth_bound: is_bound,
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use oxomp_trace::Profile;
    use oxomp_trace::counters::{Activity, Bandwidth, Counter, CounterEntry, CounterKey, Counts};

    use super::counters;
    use crate::constructs::Constructs;
    use crate::model::Model;
    use crate::summary::{CountedActivity, Counters, Region, SiteId};

    const NAMES: [&str; 6] = [
        "cycles",
        "instructions",
        "memory-lines",
        "remote-lines",
        "cache-references",
        "cache-misses",
    ];

    fn entry(
        key: CounterKey,
        readings: u64,
        time_ns: u64,
        values: [u64; 6],
    ) -> (u32, CounterEntry) {
        let mut counts = Counts { readings, time_ns, running_ns: time_ns / 2, ..Counts::default() };
        counts.values[..6].copy_from_slice(&values);
        (0, CounterEntry { key, counts })
    }

    fn place(region: u64, activity: Activity, mixed: bool) -> CounterKey {
        CounterKey::Place { region, activity, mixed }
    }

    fn of(entries: Vec<(u32, CounterEntry)>, wall_ns: u64, limit: u64) -> Counters {
        let counted = NAMES
            .iter()
            .zip(0..)
            .map(|(name, position)| Counter { name: (*name).to_owned(), position: Ok(position) });
        let mut profile = Profile { counters: entries, ..Profile::default() };
        profile.info.counters = counted.collect();
        profile.info.bandwidth = Some(Bandwidth { bytes_per_second: limit, threads: 2 });
        let regions =
            [Region { site: Some(SiteId(1)), wall_ns, ..Region::default() }, Region::default()];
        let site = |code| (code != 0).then_some(SiteId(1));
        let (model, constructs) = (Model::default(), Constructs::default());
        counters(&profile, &model, &constructs, &regions, site).expect("counters were asked for")
    }

    #[test]
    fn counts_of_threads_and_intervals_add_up_by_place() {
        use Activity::{Barrier, Work};
        let found = of(
            vec![
                entry(place(7, Work, false), 8, 800, [100, 250, 10, 5, 40, 30]),
                entry(place(7, Work, true), 2, 200, [20, 10, 2, 0, 0, 0]),
                entry(place(7, Work, true), 2, 200, [20, 10, 2, 0, 0, 0]),
                entry(place(7, Barrier, true), 1, 50, [9, 1, 0, 0, 0, 0]),
                entry(place(0, Work, false), 1, 70, [50, 25, 0, 0, 0, 0]),
                entry(CounterKey::Thread { tid: 3 }, 9, 900, [150, 260, 12, 5, 40, 30]),
                entry(CounterKey::Thread { tid: 4 }, 5, 500, [51, 40, 3, 1, 1, 1]),
            ],
            1000,
            2_000_000_000,
        );
        let totals: Vec<_> = found.totals.iter().map(|it| it.count).collect();
        assert_eq!(totals, [201, 300, 15, 6, 41, 31].map(Some));
        assert_eq!(found.running, Some(0.5));
        assert_eq!((found.bandwidth, found.bandwidth_threads), (Some(2_000_000_000), Some(2)));
        assert_eq!(found.threads.len(), 2);
        assert_eq!(found.threads[1].counts, [51, 40, 3, 1, 1, 1]);
        let [work, serial, barrier] = found.places.as_slice() else { panic!("{found:#?}") };
        assert_eq!((work.region, work.activity), (Some(SiteId(1)), CountedActivity::Useful));
        assert_eq!((work.time_ns, work.readings), (1200, 12));
        assert_eq!(work.mixed, 400.0 / 1200.0);
        assert_eq!((work.counts[0].count, work.counts[0].certain), (140, 100));
        // Ratios are those of the eight readings that are certain.
        assert_eq!(work.instructions_per_cycle, Some(2.5));
        assert_eq!((work.cache_miss_rate, work.remote_part), (Some(0.75), Some(0.5)));
        // 14 lines in 1000 ns.
        assert_eq!((work.bytes, work.bytes_per_second), (Some(896), Some(896_000_000)));
        assert_eq!(work.bandwidth_part, Some(0.448));
        assert!(!work.bandwidth_bound);
        assert_eq!((serial.region, serial.activity), (None, CountedActivity::Serial));
        assert_eq!(serial.instructions_per_cycle, Some(0.5), "too few for certain ones alone");
        assert_eq!(serial.cache_miss_rate, None, "there was no reference");
        assert_eq!(barrier.activity, CountedActivity::Barrier);
        assert_eq!((barrier.bytes, barrier.bytes_per_second), (Some(0), None), "it waited");
    }

    #[test]
    fn a_region_near_the_limit_is_bound_by_memory_if_readings_suffice() {
        let near = |readings, lines| {
            let key = place(7, Activity::Work, false);
            let found =
                of(vec![entry(key, readings, 1000, [1, 1, lines, 0, 0, 0])], 6400, 1_000_000_000);
            (found.places[0].bandwidth_part.unwrap(), found.places[0].bandwidth_bound)
        };
        assert_eq!(near(20, 70), (0.7, true));
        assert_eq!(near(20, 69), (0.69, false));
        assert_eq!(near(19, 100), (1.0, false));
    }

    #[test]
    fn a_recording_without_counters_has_none_and_a_refused_one_says_why() {
        let sums = |profile: &Profile| {
            counters(profile, &Model::default(), &Constructs::default(), &[], |_| None)
        };
        let mut profile = Profile::default();
        assert_eq!(sums(&profile), None);
        let refused = |name: &str, why: &str| Counter {
            name: name.to_owned(),
            position: Err(why.to_owned()),
        };
        profile.info.counters =
            vec![refused("cycles", "no unit"), refused("r1", "no"), refused("hitm", "no unit")];
        let found = sums(&profile).expect("counters were asked for");
        assert_eq!(found.running, None);
        assert_eq!(found.refusals(), [("no unit", vec!["cycles", "hitm"]), ("no", vec!["r1"])]);
        assert!(found.totals.iter().all(|counter| counter.count.is_none()));
    }
}
