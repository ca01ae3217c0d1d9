//! The normaliser: turns the events of any runtime, in any order, into a [`Model`].
//!
//! A pure function. Each thread is a stack of its nested activities; every event first closes the
//! segment that ran until then, so that the segments partition the thread's life whatever events
//! come. This module repairs deviations of runtimes from the specification, or, where the repair
//! needs several threads, [`crate::resolve`] does; events that fit nowhere are counted and left
//! out.

mod machine;
mod mutexes;
mod offload;
mod ompt;
mod regions;
mod under_way;
mod waits;
mod windows;
mod works;

use std::collections::HashMap;

use oxomp_trace::{Clock, EventKind, Record, ThreadEvents, fold};

use crate::model::{Inner, Model, MutexWait, Thread};
use crate::summary::Class;
use machine::{Frame, Known, Machine};

/// The model of what the threads recorded; `recorded_end` is the tick at which the recording
/// ended, `None` if the process went away. The thread with the id `main` of the system, an initial
/// one, has existed since time 0.
#[must_use]
pub fn normalise(
    threads: &[ThreadEvents],
    clock: &Clock,
    recorded_end: Option<u64>,
    main: Option<u64>,
) -> Model {
    let last = threads.iter().flat_map(|thread| &thread.records).map(|record| record.tick).max();
    let end = last.max(recorded_end).map_or(0, |tick| clock.ns(tick));
    let mut model = Model { end, ..Model::default() };
    let mut regions = HashMap::new();
    let mut parts = HashMap::new();
    let mut pauses = Vec::new();
    for events in threads {
        let known = Known { regions: &mut regions, parts: &mut parts };
        let machine = Machine::start(&mut model, known, clock, events, main);
        let Some(mut machine) = machine else { continue };
        for record in &events.records {
            machine.event(record);
        }
        pauses.append(&mut machine.pauses);
        let thread = machine.finish();
        model.threads.push(thread);
    }
    model.pauses = pause_intervals(pauses, end);
    model
}

/// Disjoint intervals from the calls of pause (true) and resume (false).
fn pause_intervals(mut calls: Vec<(u64, bool)>, end: u64) -> Vec<(u64, u64)> {
    calls.sort_unstable();
    let mut intervals = Vec::new();
    let mut since = None;
    for (time, pause) in calls {
        if pause {
            since.get_or_insert(time);
        } else if let Some(begin) = since.take() {
            intervals.push((begin, time));
        }
    }
    intervals.extend(since.map(|begin| (begin, end)));
    intervals
}

impl Machine<'_> {
    fn event(&mut self, record: &Record) {
        let Some(kind) = record.event() else {
            self.model.tallies.anomaly("event of a kind this version does not know");
            return;
        };
        if kind == EventKind::Lost {
            self.model.tallies.lost = self.model.tallies.lost.saturating_add(record.value);
            return;
        }
        if self.ended {
            self.model.tallies.anomaly("event after the thread's end");
            return;
        }
        let time = self.clock.ns(record.tick);
        if time < self.now {
            self.model.tallies.anomaly("time ran backwards within a thread");
        }
        let time = time.max(self.now);
        self.give_up_mutex(kind, record.value);
        match kind {
            EventKind::ThreadBegin => self.thread_begin(record),
            EventKind::ThreadEnd => {
                self.advance(time);
                self.ended = true;
            }
            EventKind::ParallelBegin => self.parallel_begin(time, record),
            EventKind::ParallelEnd => self.parallel_end(time, record),
            EventKind::ImplicitBegin => self.implicit_begin(time, record),
            EventKind::ImplicitEnd => self.implicit_end(time),
            EventKind::ParallelUnderWay => self.parallel_under_way(time, record),
            EventKind::ImplicitUnderWay => self.implicit_under_way(time, record),
            EventKind::WaitBegin => self.wait_begin(time, record),
            EventKind::WaitEnd => self.wait_end(time, record),
            EventKind::WorkBegin | EventKind::WorkEnd => self.work(kind, time, record),
            EventKind::MutexAcquire => self.mutex_acquire(time, record),
            EventKind::MutexAcquired => self.mutex_acquired(time, record),
            EventKind::MutexReleased => self.mutex_released(time, record),
            EventKind::TaskSwitch => self.task_switch(time, record),
            EventKind::Pause => self.pauses.push((time, true)),
            EventKind::Resume => self.pauses.push((time, false)),
            EventKind::FoldBegin => self.fold_begin(time, record),
            EventKind::FoldEnd => self.fold_end(time, record),
            EventKind::TimeSum => self.time_sum(record),
            EventKind::Inner => self.inner(record),
            EventKind::TargetBegin => self.target_begin(time, record),
            EventKind::TargetEnd => self.target_end(time),
            EventKind::DeviceBegin => self.operation_begin(time, record),
            EventKind::DeviceEnd => self.operation_end(time),
            EventKind::Lost => {}
        }
    }

    /// The sum of folded waits in the region that the thread is in.
    fn inner(&mut self, record: &Record) {
        let class = match usize::from(record.sub) {
            fold::thread::MUTEX => Class::Mutex,
            fold::thread::TASKWAIT => Class::Taskwait,
            fold::thread::IMBALANCE => Class::Imbalance,
            fold::thread::BARRIER => Class::Barrier,
            _ => {
                self.model.tallies.anomaly("folded waits of an unknown class");
                return;
            }
        };
        let length = self.clock.span(record.value);
        let (thread, member) = (self.model.threads.len(), self.member());
        self.model.inner.push(Inner { thread, member, class, length });
    }

    fn thread_begin(&mut self, record: &Record) {
        if self.thread.tid == 0 && self.thread.segments.is_empty() && self.stack.is_empty() {
            self.thread.tid = u32::try_from(record.value).unwrap_or(0);
        } else {
            self.model.tallies.anomaly("thread began twice");
        }
    }

    /// Closes what is open at the end of the recording.
    fn finish(mut self) -> Thread {
        if !self.ended {
            self.advance(self.model.end.max(self.now));
        }
        self.cut_tasks();
        let end = self.now;
        if let Some(&Frame::Mutex { wait_id, kind, code, since }) = self.stack.last()
            && kind != ompt::MUTEX_TEST_LOCK
            && kind != ompt::MUTEX_TEST_NEST_LOCK
        {
            let member = self.member();
            let wait =
                MutexWait { kind, wait_id, code, begin: since, end, acquired: false, member };
            self.model.mutex_waits.push(wait);
        }
        while let Some(held) = self.held.pop() {
            self.hold(held, end);
        }
        // A thread that has told its own end has left the construct; the runtime has told the
        // construct's end later.
        self.close_target(end, self.ended);
        if self.region_frame().is_none() && !self.folding {
            self.end_serial(end, None);
        }
        // The end of the recording may come at any moment; only a thread that has told its own end
        // cannot have left anything open, unless its events were not recorded any more. A worker
        // that waits at the end of its last region does not count as a deviation: runtimes need not
        // report that end.
        let is_complete = self.ended && self.thread.folded_from.is_none();
        for frame in self.stack.iter().filter(|_| is_complete) {
            if !matches!(frame, Frame::Region { primary: false, arrived: true, .. }) {
                self.model.tallies.repair("ends that never came");
            }
        }
        self.thread.end = end;
        self.thread
    }
}
