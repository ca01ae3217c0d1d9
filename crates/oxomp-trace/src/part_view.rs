//! The recording of one phase of the program.
//!
//! A phase may be under way again and again. Its recording has the stretches of time in which it
//! was, one behind the other: moments outside of them are where the next one begins. All sums are
//! those of the phase; of the samples those are left that were taken in it.

use std::collections::BTreeMap;

use crate::calls::ThreadCalls;
use crate::estimate::estimate;
use crate::event::EventKind;
use crate::fold::{FoldEntry, FoldKind, is_unchanged, joined, thread};
use crate::read::Profile;
use crate::thread_events::{ThreadEvents, placed};

/// Where moments of the run are in the time of a phase.
#[derive(Debug)]
struct PhaseTime {
    /// From tick to tick, rising.
    stretches: Vec<(u64, u64)>,
    /// When the recording began, in ticks.
    start: u64,
    /// For how long the phase was under way, in ticks.
    length: u64,
    /// For how long it was before each of the stretches, in ticks.
    before: Vec<u64>,
}

impl PhaseTime {
    fn new(stretches: Vec<(u64, u64)>, start: u64, length: u64) -> Self {
        let mut sum = 0;
        let before = stretches.iter().map(|(begin, end)| {
            sum += end - begin;
            sum - (end - begin)
        });
        let before = before.collect();
        Self { stretches, start, length, before }
    }

    /// Whether the phase was under way at `tick`, as far as that is known.
    fn has(&self, tick: u64) -> bool {
        let after = self.stretches.partition_point(|&(begin, _)| begin <= tick);
        after.checked_sub(1).is_some_and(|at| tick < self.stretches[at].1)
    }

    /// The tick of the phase's recording at which a tick of the run is.
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
        let (mut view, time) = self.phase_view(path)?;
        view.calls.clone_from(&self.calls);
        view.calls.iter_mut().for_each(|calls| keep_samples(calls, &time));
        view.python.clone_from(&self.python);
        Some(view)
    }

    /// As [`Profile::of_phase`], without samples.
    #[must_use]
    pub fn sums_of_phase(&self, path: &str) -> Option<Self> {
        self.phase_view(path).map(|(view, _)| view)
    }

    fn phase_view(&self, path: &str) -> Option<(Self, PhaseTime)> {
        let phases = self.phases.as_ref()?;
        if !(0..=phases.phases.len()).any(|number| phases.is_in(number as u16, path)) {
            return None;
        }
        let run = (self.header.start_tick, self.last_tick());
        let (stretches, length) = (phases.stretches(path, run), phases.ticks_of(path, run));
        let time = PhaseTime::new(stretches, run.0, length);
        let mut sums = BTreeMap::<u32, Vec<FoldEntry>>::new();
        for sum in self.phased.iter().filter(|sum| phases.is_in(sum.phase, path)) {
            sums.entry(sum.thread).or_default().push(sum.entry);
        }
        let threads = self.threads.iter().map(|thread| {
            let mut folded = joined(sums.remove(&thread.number).unwrap_or_default());
            for entry in folded.iter_mut().filter(|it| it.kind == FoldKind::Thread as u32) {
                let until = &mut entry.values[thread::UNTIL];
                *until = time.place(*until);
            }
            let records = placed(&thread.records, |tick| time.place(tick));
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
        Some((Self { header: self.header, info, threads, damage, ..Self::default() }, time))
    }
}

/// Whether the thread lived in the phase.
fn has_part(thread: &ThreadEvents) -> bool {
    let ticks = [thread.records.first(), thread.records.last()].map(|end| end.map(|it| it.tick));
    let has_ended = thread
        .records
        .last()
        .is_some_and(|last| last.event() == Some(EventKind::ThreadEnd) && ticks[0] == ticks[1]);
    !has_ended || !thread.folded.iter().all(is_unchanged)
}

/// Leaves the samples that were taken in the phase, and makes the counts of the nodes theirs.
fn keep_samples(calls: &mut ThreadCalls, time: &PhaseTime) {
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
    use super::PhaseTime;
    use crate::calls::{PathNode, Pseudo, Sample, ThreadCalls};
    use crate::event::{EventKind, Record};
    use crate::fold::{FoldEntry, FoldKind, thread};
    use crate::layout::FileHeader;
    use crate::phases::{OUTSIDE, Phase, Phases};
    use crate::read::Profile;
    use crate::thread_events::{PhasedSum, ThreadEvents};

    #[test]
    fn the_stretches_of_a_phase_follow_each_other() {
        let time = PhaseTime::new(vec![(20, 30), (50, 55)], 10, 15);
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
}
