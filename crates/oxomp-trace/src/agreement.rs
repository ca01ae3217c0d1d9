//! Counts that must agree, compared when a recording is read.
//!
//! The collector counts what begins and ends in two ways that share nothing: by construct, in
//! tables of many entries, and in all, in one entry a thread ([`FoldKind::Counts`]). A key that a
//! table lost, an entry that two keys share, or a bit that changed makes the two differ. What
//! begins also ends, but for what was open when the recording ended.
//!
//! A process that was killed may have counted an event once and not yet a second time: each pair of
//! counts may differ by one for each thread, and what was open is not known; so in a recording that
//! ended while the program ran. In a recording that was paused, what began may have ended unseen.

use std::collections::BTreeMap;

use crate::event::{EventKind, Record};
use crate::fold::{
    FoldEntry, FoldKind, barrier, counts, instances, left_out, mutex, region, tasks, thread,
};
use crate::info::Info;
use crate::thread_events::ThreadEvents;

/// Regions that one thread may be in at once, as the collector follows them.
const NESTED: u64 = 16;
/// OMPT's kind of an initial thread.
const INITIAL: u8 = 1;

/// Two counts of the same thing that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement {
    /// What was counted twice.
    pub what: Counted,
    /// The one count, and the other.
    pub counts: (u64, u64),
}

/// What is counted twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Regions that began, and that ended.
    Regions,
    /// Regions that ended, in all and by construct.
    RegionsByPlace,
    /// Timed instances of the constructs for which their two counts differ.
    Instances,
    /// Implicit tasks that began, and that arrived at the end of their regions.
    ImplicitTasks,
    /// The sizes of the teams, and the implicit tasks that were at the ends of their regions.
    Teams,
    /// Explicit tasks that were created, and that ended or were discarded.
    Tasks,
    /// Explicit tasks that ended, in all and by construct.
    TasksByPlace,
    /// Barriers that threads passed, in all and by construct.
    BarriersByPlace,
    /// Worksharing constructs that ended, in all and by construct.
    WorksByPlace,
    /// Mutexes that were acquired, in all and by construct.
    MutexesByPlace,
    /// Mutexes that were acquired, and that were released although they had not been.
    Mutexes,
}

impl Counted {
    /// What the two counts are of, in words.
    #[must_use]
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Regions => ("regions that began", "regions that ended"),
            Self::RegionsByPlace => ("regions that ended", "regions in the sums by place"),
            Self::Instances => ("region instances by place", "instances that were timed there"),
            Self::ImplicitTasks => {
                ("implicit tasks that began", "implicit tasks that reached their region's end")
            }
            Self::Teams => {
                ("threads in the teams of regions", "implicit tasks that arrived at their ends")
            }
            Self::Tasks => {
                ("explicit tasks that were created", "explicit tasks that ended or were discarded")
            }
            Self::TasksByPlace => {
                ("explicit tasks that ended", "explicit tasks in the sums by place")
            }
            Self::BarriersByPlace => ("barriers passed", "barriers in the sums by place"),
            Self::WorksByPlace => {
                ("worksharing constructs that ended", "worksharing in the sums by place")
            }
            Self::MutexesByPlace => {
                ("acquisitions of mutexes", "acquisitions in the sums by place")
            }
            Self::Mutexes => ("acquisitions of mutexes", "releases of mutexes"),
        }
    }
}

/// The totals of one recording that are compared.
#[derive(Debug, Default)]
struct Totals {
    counts: [u64; 12],
    regions: u64,
    counted_regions: u64,
    tasks: u64,
    discarded: u64,
    barriers: u64,
    works: u64,
    acquisitions: u64,
    /// Of outermost regions by construct: their number, and how many were timed.
    instances: BTreeMap<u64, [u64; 2]>,
    /// Threads that were in a region at the end.
    inside: u64,
}

/// The counts in the sums of `threads` that disagree; they must not be raised by estimates yet.
pub(crate) fn disagreements(threads: &[ThreadEvents], info: &Info) -> Vec<Disagreement> {
    let entries = || threads.iter().flat_map(|thread| &thread.folded);
    // A collector from before the counts existed has no counts.
    let has_counts = entries().any(|entry| entry.fold_kind() == Some(FoldKind::Counts));
    if !has_counts || info.stopped.is_some() || info.lost_events > 0 {
        return Vec::new();
    }
    let mut totals = Totals::default();
    entries().for_each(|entry| totals.add(entry));
    let records = || threads.iter().flat_map(|thread| &thread.records);
    let is = |record: &&Record, kind| record.event() == Some(kind);
    let paused = records().any(|record| is(&record, EventKind::Pause));
    let began = records().filter(|record| is(record, EventKind::ThreadBegin));
    let initial = began.clone().filter(|record| record.sub == INITIAL).count() as u64;
    let threads = (began.count() as u64).max(threads.len() as u64);
    let in_order = info.end_tick.is_some() && !info.attached;
    let half_done = if in_order { 0 } else { threads };
    let open = match in_order && totals.inside == 0 {
        // Other initial threads may be between a fork and their own begin.
        true => initial.saturating_sub(1),
        false => threads.saturating_mul(NESTED),
    };
    totals.compare(half_done, (!paused).then_some(open))
}

impl Totals {
    fn add(&mut self, entry: &FoldEntry) {
        let values = &entry.values;
        let raise = |sum: &mut u64, value: u64| *sum = sum.saturating_add(value);
        match entry.fold_kind() {
            Some(FoldKind::Counts) => {
                self.counts.iter_mut().zip(values).for_each(|(sum, value)| raise(sum, *value));
            }
            Some(FoldKind::Region) => {
                raise(&mut self.regions, values[region::CALLS]);
                if entry.sub == 0 {
                    let own = self.instances.entry(entry.key[0]).or_default();
                    raise(&mut own[0], values[region::CALLS]);
                }
            }
            Some(FoldKind::Instances) => {
                raise(&mut self.counted_regions, values[instances::COUNTED]);
                let own = self.instances.entry(entry.key[0]).or_default();
                raise(&mut own[1], values[instances::TIMED]);
            }
            Some(FoldKind::Tasks) => raise(&mut self.tasks, values[tasks::COUNT]),
            Some(FoldKind::LeftOut) => raise(&mut self.discarded, values[left_out::DISCARDED]),
            Some(FoldKind::Barrier) => raise(&mut self.barriers, values[barrier::PASSES]),
            Some(FoldKind::Work) => raise(&mut self.works, values[0]),
            Some(FoldKind::Mutex) => raise(&mut self.acquisitions, values[mutex::ACQUISITIONS]),
            Some(FoldKind::Thread) if entry.values[thread::UNTIL] > 0 => {
                self.inside += entry.key[2] & 1;
            }
            _ => {}
        }
    }

    /// The counts that differ by more than `half_done`, or by which more than `open` have begun and
    /// not ended; `None`: what was open is not known.
    fn compare(&self, half_done: u64, open: Option<u64>) -> Vec<Disagreement> {
        let counts = &self.counts;
        let mut found = Vec::new();
        let mut tell = |what, one, other| found.push(Disagreement { what, counts: (one, other) });
        let both = [
            (counts::REGIONS_BEGUN, counts::REGIONS_ENDED, Counted::Regions),
            (counts::MEMBERS_BEGUN, counts::MEMBERS_ARRIVED, Counted::ImplicitTasks),
            (counts::TASKS_CREATED, counts::TASKS_ENDED, Counted::Tasks),
        ];
        for (begun, ended, what) in both {
            let (begun, mut ended) = (counts[begun], counts[ended]);
            if what == Counted::Tasks {
                ended = ended.saturating_add(self.discarded);
            }
            // Tasks that wait to be executed are not bounded by the threads.
            let most = if what == Counted::Tasks && open != Some(0) { None } else { open };
            let unended = begun.saturating_sub(ended);
            if ended > begun.saturating_add(half_done) || most.is_some_and(|most| unended > most) {
                tell(what, begun, ended);
            }
        }
        if half_done == 0 && open.is_some() && counts[counts::SIZES] != counts[counts::ARRIVED] {
            tell(Counted::Teams, counts[counts::SIZES], counts[counts::ARRIVED]);
        }
        let regions = self.regions.saturating_add(self.counted_regions);
        for (position, sum, what) in [
            (counts::REGIONS_ENDED, regions, Counted::RegionsByPlace),
            (counts::TASKS_ENDED, self.tasks, Counted::TasksByPlace),
            (counts::BARRIERS, self.barriers, Counted::BarriersByPlace),
            (counts::WORKS, self.works, Counted::WorksByPlace),
            (counts::ACQUIRED, self.acquisitions, Counted::MutexesByPlace),
        ] {
            if counts[position].abs_diff(sum) > half_done {
                tell(what, counts[position], sum);
            }
        }
        let differ =
            self.instances.values().filter(|[all, timed]| all.abs_diff(*timed) > half_done);
        let (mut all, mut timed) = (0_u64, 0_u64);
        for own in differ {
            (all, timed) = (all.saturating_add(own[0]), timed.saturating_add(own[1]));
        }
        if all != timed {
            tell(Counted::Instances, all, timed);
        }
        let (acquired, released) = (counts[counts::ACQUIRED], counts[counts::RELEASED]);
        if released > acquired.saturating_add(half_done) {
            tell(Counted::Mutexes, acquired, released);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, Disagreement, INITIAL, NESTED, disagreements};
    use crate::event::{EventKind, Record};
    use crate::fold::{
        FoldEntry, FoldKind, barrier, counts, instances, left_out, mutex, region, tasks, thread,
    };
    use crate::info::Info;
    use crate::thread_events::ThreadEvents;

    fn entry(kind: FoldKind, key: u64, values: &[(usize, u64)]) -> FoldEntry {
        let mut entry = FoldEntry { kind: kind as u32, key: [key, 0, 0], ..FoldEntry::default() };
        values.iter().for_each(|&(position, value)| entry.values[position] = value);
        entry
    }

    /// Ten regions of two constructs with teams of two, three of them only counted, one lock, four
    /// barriers and five tasks.
    fn recorded() -> Vec<FoldEntry> {
        vec![
            entry(
                FoldKind::Counts,
                0,
                &[
                    (counts::REGIONS_BEGUN, 10),
                    (counts::REGIONS_ENDED, 10),
                    (counts::MEMBERS_BEGUN, 14),
                    (counts::MEMBERS_ARRIVED, 14),
                    (counts::SIZES, 14),
                    (counts::ARRIVED, 14),
                    (counts::TASKS_CREATED, 5),
                    (counts::TASKS_ENDED, 5),
                    (counts::BARRIERS, 4),
                    (counts::ACQUIRED, 3),
                    (counts::RELEASED, 2),
                    (counts::WORKS, 6),
                ],
            ),
            entry(FoldKind::Region, 16, &[(region::CALLS, 4)]),
            entry(FoldKind::Region, 32, &[(region::CALLS, 3)]),
            entry(FoldKind::Instances, 16, &[(instances::TIMED, 4), (instances::COUNTED, 3)]),
            entry(FoldKind::Instances, 32, &[(instances::TIMED, 3)]),
            entry(FoldKind::Tasks, 48, &[(tasks::COUNT, 5)]),
            entry(FoldKind::Barrier, 64, &[(barrier::PASSES, 4)]),
            entry(FoldKind::Mutex, 80, &[(mutex::ACQUISITIONS, 3)]),
            entry(FoldKind::Work, 96, &[(0, 6)]),
            entry(FoldKind::Thread, 0, &[(thread::UNTIL, 1)]),
        ]
    }

    fn found(folded: Vec<FoldEntry>, info: &Info, pauses: bool) -> Vec<Disagreement> {
        let record =
            |kind: EventKind| Record { kind: kind as u8, sub: INITIAL, ..Record::default() };
        let mut records = vec![record(EventKind::ThreadBegin)];
        records.extend(pauses.then(|| record(EventKind::Pause)));
        disagreements(&[ThreadEvents { number: 0, records, folded }], info)
    }

    fn ended() -> Info {
        Info { end_tick: Some(1), whole_sums: true, ..Info::default() }
    }

    #[test]
    fn counts_of_an_orderly_recording_agree() {
        assert_eq!(found(recorded(), &ended(), false), [], "a lock may be held at the end");
        let before: Vec<_> = recorded().split_off(1);
        assert_eq!(found(before, &ended(), false), [], "recordings without counts say nothing");
    }

    #[test]
    fn each_count_that_is_wrong_is_told_with_both_numbers() {
        let kinds = [
            (1, region::CALLS, Counted::RegionsByPlace, (10, 17)),
            (3, instances::COUNTED, Counted::RegionsByPlace, (10, 17)),
            (4, instances::TIMED, Counted::Instances, (3, 10)),
            (5, tasks::COUNT, Counted::TasksByPlace, (5, 12)),
            (6, barrier::PASSES, Counted::BarriersByPlace, (4, 11)),
            (7, mutex::ACQUISITIONS, Counted::MutexesByPlace, (3, 10)),
            (8, 0, Counted::WorksByPlace, (6, 13)),
            (0, counts::REGIONS_BEGUN, Counted::Regions, (17, 10)),
            (0, counts::MEMBERS_BEGUN, Counted::ImplicitTasks, (21, 14)),
            (0, counts::SIZES, Counted::Teams, (21, 14)),
            (0, counts::TASKS_CREATED, Counted::Tasks, (12, 5)),
            (0, counts::RELEASED, Counted::Mutexes, (3, 9)),
        ];
        for (at, position, what, counts) in kinds {
            let mut folded = recorded();
            folded[at].values[position] += 7;
            let found = found(folded, &ended(), false);
            assert!(found.contains(&Disagreement { what, counts }), "{what:?}: {found:?}");
        }
    }

    #[test]
    fn tasks_that_a_cancellation_discards_do_not_end() {
        let mut folded = recorded();
        folded[0].values[counts::TASKS_CREATED] += 2;
        let what = Counted::Tasks;
        assert_eq!(found(folded.clone(), &ended(), false), [Disagreement { what, counts: (7, 5) }]);
        folded.push(entry(FoldKind::LeftOut, 0, &[(left_out::DISCARDED, 2)]));
        assert_eq!(found(folded.clone(), &ended(), false), []);
        folded.push(entry(FoldKind::LeftOut, 0, &[(left_out::DISCARDED, 1)]));
        assert_eq!(found(folded, &ended(), false), [Disagreement { what, counts: (7, 8) }]);
    }

    #[test]
    fn a_table_that_lost_a_key_is_noticed() {
        let mut folded = recorded();
        folded.remove(2);
        let what: Vec<Counted> = found(folded, &ended(), false).iter().map(|it| it.what).collect();
        assert_eq!(what, [Counted::RegionsByPlace, Counted::Instances]);
    }

    #[test]
    fn a_killed_process_may_have_been_in_the_middle() {
        let killed = Info { whole_sums: true, ..Info::default() };
        let mut folded = recorded();
        folded[0].values[counts::REGIONS_BEGUN] += NESTED;
        folded[0].values[counts::TASKS_CREATED] += 100_000;
        folded[0].values[counts::BARRIERS] += 1;
        assert_eq!(found(folded.clone(), &killed, false), []);
        folded[0].values[counts::REGIONS_BEGUN] += 1;
        let counts = (27, 10);
        let regions = Disagreement { what: Counted::Regions, counts };
        assert_eq!(found(folded.clone(), &killed, false), [regions], "a thread nests so deeply");
        folded[0].values[counts::BARRIERS] += 1;
        assert_eq!(found(folded, &killed, false).len(), 2);
    }

    #[test]
    fn what_began_before_a_pause_may_end_unseen() {
        let mut folded = recorded();
        folded[0].values[counts::REGIONS_BEGUN] += 1000;
        folded[0].values[counts::MEMBERS_BEGUN] += 1000;
        assert_eq!(found(folded.clone(), &ended(), true), []);
        folded[1].values[region::CALLS] += 1;
        assert_eq!(found(folded, &ended(), true).len(), 2, "its sums must agree all the same");
    }

    #[test]
    fn a_recording_that_stopped_is_not_judged() {
        let info = Info { stopped: Some((1, String::new())), ..ended() };
        let mut folded = recorded();
        folded[1].values[region::CALLS] += 1;
        assert_eq!(found(folded, &info, false), []);
    }
}
