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
}

impl PhaseTime {
    /// Whether the phase was under way at `tick`, as far as that is known.
    fn has(&self, tick: u64) -> bool {
        let after = self.stretches.partition_point(|&(begin, _)| begin <= tick);
        after.checked_sub(1).is_some_and(|at| tick < self.stretches[at].1)
    }

    /// The tick of the phase's recording at which a tick of the run is.
    fn place(&self, tick: u64) -> u64 {
        let before = self.stretches.iter().take_while(|(begin, _)| *begin < tick);
        let passed: u64 = before.map(|&(begin, end)| end.min(tick) - begin).sum();
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
    /// such phase. It has no events, and neither cost curves nor looks at blocked threads. Longest
    /// and shortest times are those of the phase.
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
        let time = PhaseTime {
            stretches: phases.stretches(path, run),
            start: run.0,
            length: phases.ticks_of(path, run),
        };
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
