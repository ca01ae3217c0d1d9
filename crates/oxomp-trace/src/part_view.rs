//! The recording of a part of the run: a phase of the program, a window of time.
//!
//! A phase may be under way again and again. Its recording has the stretches of time in which it
//! was, one behind the other: moments outside of them are where the next one begins. A window is
//! one stretch. All sums are those of the part; of the samples those are left that were taken in
//! it.

use std::collections::BTreeMap;

use crate::calls::ThreadCalls;
use crate::estimate::estimate;
use crate::event::EventKind;
use crate::fold::{FoldEntry, FoldKind, fit, is_time, is_unchanged, keep_within, thread};
use crate::read::Profile;
use crate::slices::{Slice, together};
use crate::thread_events::{ThreadEvents, placed};

/// Where moments of the run are in the time of a part of it.
#[derive(Debug)]
struct PartTime {
    /// From tick to tick, rising.
    stretches: Vec<(u64, u64)>,
    /// When the recording began, in ticks.
    start: u64,
    /// For how long the part was under way, in ticks.
    length: u64,
    /// For how long it was before each of the stretches, in ticks.
    before: Vec<u64>,
}

impl PartTime {
    fn new(stretches: Vec<(u64, u64)>, start: u64, length: u64) -> Self {
        let mut sum = 0;
        let before = stretches.iter().map(|(begin, end)| {
            sum += end - begin;
            sum - (end - begin)
        });
        let before = before.collect();
        Self { stretches, start, length, before }
    }

    /// Whether the part was under way at `tick`, as far as that is known.
    fn has(&self, tick: u64) -> bool {
        let after = self.stretches.partition_point(|&(begin, _)| begin <= tick);
        after.checked_sub(1).is_some_and(|at| tick < self.stretches[at].1)
    }

    /// The tick of the part's recording at which a tick of the run is.
    fn place(&self, tick: u64) -> u64 {
        let after = self.stretches.partition_point(|&(begin, _)| begin < tick);
        let passed = after.checked_sub(1).map_or(0, |at| {
            let (begin, end) = self.stretches[at];
            self.before[at] + (end.min(tick) - begin)
        });
        let last = self.stretches.last().map_or(0, |last| last.1);
        // What no stretch tells of is behind the last one.
        let passed = if tick >= last { self.length } else { passed.min(self.length) };
        self.start.saturating_add(passed)
    }
}

impl Profile {
    /// The tick at which the recording ended, or up to which it tells something.
    #[must_use]
    pub fn last_tick(&self) -> u64 {
        self.info.end_tick.unwrap_or_else(|| {
            let records = self.threads.iter().filter_map(|thread| thread.records.last());
            let entries = self.threads.iter().flat_map(|thread| &thread.folded);
            let times = entries.filter(|entry| entry.kind == FoldKind::Thread as u32);
            let until = times.map(|entry| entry.values[thread::UNTIL]);
            until.chain(records.map(|last| last.tick)).max().unwrap_or(self.header.start_tick)
        })
    }

    /// The recording of the phase with this path, or of the time outside every phase
    /// ([`crate::phases::OUTSIDE`]), as if it had begun and ended with that; `None` if there is no
    /// such phase. It has no events, neither of OpenMP nor of MPI, no cost curves, counters or
    /// looks at blocked threads. Longest and shortest times are those of the phase.
    #[must_use]
    pub fn of_phase(&self, path: &str) -> Option<Self> {
        self.phase(path).map(|part| self.with_samples(part))
    }

    /// As [`Profile::of_phase`], without samples.
    #[must_use]
    pub fn sums_of_phase(&self, path: &str) -> Option<Self> {
        self.phase(path).map(|part| self.of_part(part).0)
    }

    /// The recording of the slices that are for the most part between two moments, ns since the
    /// start of the process, or of the one that has most of that time, as if it had begun and ended
    /// with these; `None` if there are no slices then. It lacks what [`Profile::of_phase`] lacks.
    /// Longest and shortest times are those of the run up to the window's end. Of regions those
    /// count that ended in the window, with their time in it.
    #[must_use]
    pub fn of_window(&self, window: (u64, u64)) -> Option<(Self, (u64, u64))> {
        let slices = self.slices_of(window);
        let clock = self.clock();
        let bounds = (clock.ns(slices.first()?.begin), clock.ns(slices.last()?.end));
        Some((self.with_samples(self.slices_together(slices)?), bounds))
    }

    /// The recording of these of its slices, as [`Profile::of_window`], without samples.
    #[must_use]
    pub fn sums_of_slices(&self, slices: &[Slice]) -> Option<Self> {
        self.slices_together(slices).map(|part| self.of_part(part).0)
    }

    fn slices_of(&self, (from, to): (u64, u64)) -> &[Slice] {
        let clock = self.clock();
        let shared = |slice: &Slice| {
            let (begin, end) = (clock.ns(slice.begin), clock.ns(slice.end));
            (end.min(to).saturating_sub(begin.max(from)), end - begin)
        };
        let is_inside = |slice: &Slice| {
            let (shared, length) = shared(slice);
            shared > length / 2
        };
        let first = self.slices.iter().position(is_inside);
        let last = self.slices.iter().rposition(is_inside);
        if let Some((first, last)) = first.zip(last) {
            return &self.slices[first..=last];
        }
        let most = (0..self.slices.len()).max_by_key(|at| shared(&self.slices[*at]).0);
        match most.filter(|at| shared(&self.slices[*at]).0 > 0) {
            Some(at) => &self.slices[at..=at],
            None => &[],
        }
    }

    fn slices_together(&self, slices: &[Slice]) -> Option<PartOfRun> {
        let stretch = (slices.first()?.begin, slices.last()?.end);
        let length = stretch.1 - stretch.0;
        let time = PartTime::new(vec![stretch], self.header.start_tick, length);
        let mut sums = together(slices.iter().flat_map(|slice| &slice.sums).copied());
        sums.values_mut().for_each(|sums| {
            fit(sums, length);
            // In a damaged file a thread may have any time.
            sums.iter_mut().filter(|sum| is_time(sum)).for_each(|time| keep_within(time, length));
        });
        Some(PartOfRun { time, sums, from_begin: true })
    }

    /// Whether the thread is the one with which the process has begun, in a recording of all of it.
    pub(crate) fn is_first(&self, thread: &ThreadEvents) -> bool {
        let first = thread.records.first();
        !self.info.attached && first.is_some_and(|first| first.value == u64::from(self.header.pid))
    }

    fn phase(&self, path: &str) -> Option<PartOfRun> {
        let phases = self.phases.as_ref()?;
        if !(0..=phases.phases.len()).any(|number| phases.is_in(number as u16, path)) {
            return None;
        }
        let run = (self.header.start_tick, self.last_tick());
        let (stretches, length) = (phases.stretches(path, run), phases.ticks_of(path, run));
        let time = PartTime::new(stretches, run.0, length);
        let own = self.phased.iter().filter(|sum| phases.is_in(sum.phase, path));
        let sums = together(own.map(|sum| (sum.thread, sum.entry)));
        Some(PartOfRun { time, sums, from_begin: false })
    }

    fn with_samples(&self, part: PartOfRun) -> Self {
        let (mut view, time) = self.of_part(part);
        view.calls.clone_from(&self.calls);
        view.calls.iter_mut().for_each(|calls| keep_samples(calls, &time));
        view.python.clone_from(&self.python);
        view
    }

    fn of_part(&self, part: PartOfRun) -> (Self, PartTime) {
        let PartOfRun { time, mut sums, from_begin } = part;
        let threads = self.threads.iter().map(|thread| {
            let mut folded = sums.remove(&thread.number).unwrap_or_default();
            for entry in folded.iter_mut().filter(|it| is_time(it)) {
                let until = &mut entry.values[thread::UNTIL];
                *until = time.place(*until);
            }
            // The time of slices is from the begin of the process on, that of phases from the first
            // event on.
            let first = thread.records.first().map(|first| first.tick);
            let first = first.filter(|_| from_begin && self.is_first(thread));
            let begin = self.header.start_tick;
            let moment = |tick| if Some(tick) == first { begin.min(tick) } else { tick };
            let records = placed(&thread.records, |tick| time.place(moment(tick)));
            ThreadEvents { number: thread.number, records, folded }
        });
        let mut threads: Vec<_> = threads.filter(has_part).collect();
        estimate(&mut threads);
        let mut info = self.info.clone();
        info.end_tick = Some(time.start.saturating_add(time.length));
        // As in a recording of a running process, threads may be in the middle of anything.
        info.attached = true;
        info.age_ns = 0;
        info.cpu_ns = None;
        info.thread_cpu.clear();
        info.unfinished.clear();
        info.costs.clear();
        info.mpi_elsewhere.clear();
        info.mpi_world = None;
        info.counters.clear();
        info.bandwidth = None;
        let damage = self.damage.clone();
        (Self { header: self.header, info, threads, damage, ..Self::default() }, time)
    }
}

/// A part of the run: its time, and the sums of its threads.
struct PartOfRun {
    time: PartTime,
    sums: BTreeMap<u32, Vec<FoldEntry>>,
    /// Whether the sums have the process's first thread from its begin on.
    from_begin: bool,
}

/// Whether the thread lived in the part.
fn has_part(thread: &ThreadEvents) -> bool {
    let ticks = [thread.records.first(), thread.records.last()].map(|end| end.map(|it| it.tick));
    let has_ended = thread
        .records
        .last()
        .is_some_and(|last| last.event() == Some(EventKind::ThreadEnd) && ticks[0] == ticks[1]);
    !has_ended || !thread.folded.iter().all(is_unchanged)
}

/// Leaves the samples that were taken in the part, and makes the counts of the nodes theirs.
fn keep_samples(calls: &mut ThreadCalls, time: &PartTime) {
    calls.samples.retain(|sample| time.has(sample.tick));
    calls.registers.retain(|sample| time.has(sample.tick));
    calls.nodes.iter_mut().for_each(|node| node.count = 0);
    for sample in calls.samples.iter_mut() {
        if !sample.fork
            && let Some(node) = calls.nodes.get_mut(sample.node as usize)
        {
            node.count = node.count.saturating_add(1);
        }
        sample.tick = time.place(sample.tick);
    }
    for sample in &mut calls.registers {
        sample.tick = time.place(sample.tick);
    }
}

#[cfg(test)]
mod tests {
    use super::PartTime;
    use crate::calls::{PathNode, Pseudo, Sample, ThreadCalls};
    use crate::event::{EventKind, Record};
    use crate::fold::{FoldEntry, FoldKind, region, thread};
    use crate::layout::FileHeader;
    use crate::phases::{OUTSIDE, Phase, Phases};
    use crate::read::Profile;
    use crate::slices::Slice;
    use crate::thread_events::{PhasedSum, ThreadEvents};

    #[test]
    fn the_stretches_of_a_phase_follow_each_other() {
        let time = PartTime::new(vec![(20, 30), (50, 55)], 10, 15);
        let places = [10, 20, 25, 30, 40, 50, 52, 55, 90].map(|tick| time.place(tick));
        assert_eq!(places, [10, 10, 15, 20, 20, 20, 22, 25, 25]);
        let inside = [19, 20, 29, 30, 49, 54, 55].map(|tick| time.has(tick));
        assert_eq!(inside, [false, true, true, false, false, true, false]);
    }

    /// A thread from tick 10 to 90, with 8 useful ticks in the phase and 60 outside of it.
    fn profile() -> Profile {
        let event = |kind, tick| Record { kind: kind as u8, tick, ..Record::default() };
        let useful = |ticks: u64, until: u64| {
            let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
            entry.values[thread::USEFUL] = ticks;
            entry.values[thread::UNTIL] = until;
            entry
        };
        let sample = |tick| Sample { tick, node: Pseudo::COUNT, ..Sample::default() };
        let node = PathNode { address: 1, caller: Pseudo::COMPLETE, count: 9 };
        let phase = Phase { path: "solve".to_owned(), count: 2, ticks: 15, longest: 10, since: 0 };
        let sum = |phase, entry| PhasedSum { thread: 3, phase, entry };
        let mut profile = Profile {
            header: FileHeader { start_tick: 10, ticks_per_second: 1, ..FileHeader::default() },
            threads: vec![ThreadEvents {
                number: 3,
                records: vec![event(EventKind::ThreadBegin, 10), event(EventKind::ThreadEnd, 90)],
                folded: vec![useful(68, 90)],
            }],
            calls: vec![ThreadCalls {
                nodes: vec![node; Pseudo::COUNT as usize + 1],
                samples: vec![sample(15), sample(22), sample(51), sample(60)],
                ..ThreadCalls::default()
            }],
            phases: Some(Phases {
                phases: vec![phase],
                changes: vec![(20, 1), (30, 0), (50, 1), (55, 0)],
                unlogged: 0,
            }),
            phased: vec![sum(0, useful(60, 90)), sum(1, useful(8, 54))],
            ..Profile::default()
        };
        profile.info.end_tick = Some(90);
        profile
    }

    #[test]
    fn a_phase_has_its_sums_and_its_samples() {
        let view = profile().of_phase("solve").expect("a phase");
        assert_eq!(view.info.end_tick, Some(25));
        let own = &view.threads[0];
        let ticks: Vec<u64> = own.records.iter().map(|record| record.tick).collect();
        assert_eq!(ticks, [10, 10, 25], "begin, sums, end");
        assert_eq!(own.folded[0].values[thread::USEFUL], 8);
        assert_eq!(own.folded[0].values[thread::UNTIL], 24);
        let calls = &view.calls[0];
        assert_eq!(calls.samples.iter().map(|sample| sample.tick).collect::<Vec<_>>(), [12, 21]);
        assert_eq!(calls.nodes[Pseudo::COUNT as usize].count, 2);

        let outside = profile().sums_of_phase(OUTSIDE).expect("time outside");
        assert_eq!(outside.info.end_tick, Some(10 + 80 - 15));
        assert_eq!(outside.threads[0].folded[0].values[thread::USEFUL], 60);
        assert!(profile().of_phase("sol").is_none());
    }

    #[test]
    fn a_window_has_the_slices_that_are_for_the_most_part_in_it() {
        let useful = |ticks: u64, until: u64| {
            let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
            entry.values[thread::USEFUL] = ticks;
            entry.values[thread::UNTIL] = until;
            (3, entry)
        };
        let region = |wall: u64| {
            let mut entry = FoldEntry { kind: FoldKind::Region as u32, ..FoldEntry::default() };
            (entry.values[region::CALLS], entry.values[region::WALL]) = (1, wall);
            (3, entry)
        };
        let slice =
            |begin, end, sums: &[(u32, FoldEntry)]| Slice { begin, end, sums: sums.to_vec() };
        let mut profile = Profile {
            slices: vec![
                slice(10, 30, &[useful(18, 30)]),
                slice(30, 50, &[useful(7, 50), region(25)]),
                slice(50, 90, &[useful(30, 90)]),
            ],
            phases: None,
            phased: Vec::new(),
            ..profile()
        };
        profile.header.ticks_per_second = 1_000_000_000;
        let (view, bounds) = profile.of_window((5, 41)).expect("slices");
        assert_eq!(bounds, (0, 40), "ns since the begin, at tick 10");
        assert_eq!(view.info.end_tick, Some(50));
        let useful = |view: &Profile| view.threads[0].folded[0].values[thread::USEFUL];
        assert_eq!(useful(&view), 25);
        assert_eq!(view.calls[0].samples.len(), 2, "those at ticks 15 and 22");

        let (view, bounds) = profile.of_window((25, 32)).expect("the slice around it");
        assert_eq!(bounds, (20, 40));
        assert_eq!(useful(&view), 7);
        assert_eq!(view.threads[0].folded[1].values[region::WALL], 20, "what is in the slice");
        assert!(profile.of_window((81, 99)).is_none());
        assert!(Profile { slices: Vec::new(), ..profile }.of_window((0, 99)).is_none());
    }
}
