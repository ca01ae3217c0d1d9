//! The normaliser: turns the events of any runtime, in any order, into a [`Model`].
//!
//! A pure function. Each thread is a stack of its nested activities; every event first closes the
//! segment that ran until then, so that the segments partition the thread's life whatever events
//! come. This module repairs deviations of runtimes from the specification, or, where the repair
//! needs several threads, [`crate::resolve`] does; events that fit nowhere are counted and left
//! out.

mod mutexes;
mod offload;
mod waits;
mod windows;

use std::collections::HashMap;

use oxomp_trace::{Clock, EventKind, Record, ThreadEvents, fold};

use crate::model::{
    Doing, Gap, Inner, Member, Model, MutexWait, Next, Region, Segment, Serial, Thread, Work,
};
use crate::summary::Class;

/// OMPT's numbers that the normaliser distinguishes.
mod ompt {
    pub(super) const THREAD_INITIAL: u8 = 1;
    pub(super) const THREAD_WORKER: u8 = 2;
    pub(super) const SYNC_TASKWAIT: u8 = 5;
    pub(super) const SYNC_TASKGROUP: u8 = 6;
    pub(super) const SYNC_REDUCTION: u8 = 7;
    pub(super) const SYNC_BARRIER_WORKSHARE: u8 = 8;
    pub(super) const SYNC_BARRIER_IMPLICIT_PARALLEL: u8 = 9;
    pub(super) const SYNC_BARRIER_TEAMS: u8 = 10;
    pub(super) const MUTEX_TEST_LOCK: u8 = 2;
    pub(super) const MUTEX_TEST_NEST_LOCK: u8 = 4;
    pub(super) const TASK_COMPLETE: u8 = 1;
    pub(super) const TASK_YIELD: u8 = 2;
    pub(super) const TASK_CANCEL: u8 = 3;
    pub(super) const TASK_DETACH: u8 = 4;
    pub(super) const TASK_SWITCH: u8 = 7;
}

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

/// An activity that a thread has begun and not ended.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// A region it began (`primary`) or was given to; `member` once its implicit task began,
    /// `arrived` once it reached the barrier at the end.
    Region {
        region: u32,
        member: Option<u32>,
        primary: bool,
        arrived: bool,
        barriers: u32,
    },
    /// A wait of [`Model::barrier_waits`], unless it is outside every region: a team of one waits
    /// for nobody.
    Barrier {
        wait: Option<u32>,
    },
    Taskwait,
    /// An explicit task; an index in [`Model::tasks`] if it is in a region.
    Task {
        task: Option<u32>,
    },
    Mutex {
        wait_id: u64,
        kind: u8,
        code: u64,
        since: u64,
    },
}

/// A mutex the thread holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    wait_id: u64,
    kind: u8,
    code: u64,
    since: u64,
}

/// The model's regions by their numbers in the file.
struct Known<'a> {
    /// Whole, or up to the first moment from which on their events were not recorded.
    regions: &'a mut HashMap<u64, u32>,
    /// Their parts in later windows.
    parts: &'a mut HashMap<(u64, u16), u32>,
}

struct Machine<'a> {
    model: &'a mut Model,
    known: Known<'a>,
    clock: &'a Clock,
    thread: Thread,
    /// The thread's events are not recorded.
    folding: bool,
    /// What the thread has done since its events ended.
    gap: Gap,
    /// The region that has begun before the window: its number in the file, and its part there.
    part: Option<(u64, u32)>,
    /// The time up to which the segments reach.
    now: u64,
    stack: Vec<Frame>,
    held: Vec<Held>,
    /// The worksharing constructs that the thread is in, outermost first: indices in the model's.
    works: Vec<usize>,
    /// The construct for a device that the thread is in, and the operation: positions in the
    /// model's.
    target: Option<usize>,
    operation: Option<usize>,
    /// A worker's last region.
    last: Option<u32>,
    /// Where the serial stretch of an initial thread began, and after which region.
    serial: (u64, Option<u64>),
    pauses: Vec<(u64, bool)>,
    ended: bool,
}

impl<'a> Machine<'a> {
    /// `None` for a thread without events.
    fn start(
        model: &'a mut Model,
        known: Known<'a>,
        clock: &'a Clock,
        events: &ThreadEvents,
        main: Option<u64>,
    ) -> Option<Self> {
        let first = events.records.first()?;
        let initial = if first.event() == Some(EventKind::ThreadBegin) {
            first.sub == ompt::THREAD_INITIAL || first.sub > ompt::THREAD_WORKER
        } else {
            model.tallies.anomaly("thread without its begin");
            first.event() == Some(EventKind::ParallelBegin)
        };
        let is_main = first.event() == Some(EventKind::ThreadBegin) && main == Some(first.value);
        let begin = if initial && is_main { 0 } else { clock.ns(first.tick) };
        Some(Self {
            model,
            known,
            clock,
            thread: Thread {
                number: events.number,
                tid: 0,
                initial,
                begin,
                end: begin,
                folded_from: None,
                segments: Vec::new(),
                gaps: Vec::new(),
            },
            folding: false,
            gap: Gap::default(),
            part: None,
            now: begin,
            stack: Vec::new(),
            held: Vec::new(),
            works: Vec::new(),
            target: None,
            operation: None,
            last: None,
            serial: (begin, None),
            pauses: Vec::new(),
            ended: false,
        })
    }

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

    /// Closes the segment that ran until `time`.
    fn advance(&mut self, time: u64) {
        if time == self.now {
            return;
        }
        if self.folding {
            self.now = time;
            return;
        }
        let doing = self.doing();
        match self.thread.segments.last_mut() {
            Some(last) if last.doing == doing && last.end == self.now => last.end = time,
            _ => self.thread.segments.push(Segment { begin: self.now, end: time, doing }),
        }
        self.now = time;
    }

    /// The activity that the top of the stack means.
    fn doing(&self) -> Doing {
        match self.stack.last() {
            None if self.thread.initial => Doing::Serial,
            None => match self.last {
                Some(member) => Doing::Tail { member, next: Next::Nothing },
                None => Doing::Idle { next: Next::Nothing },
            },
            Some(&Frame::Region { region, member: None, .. }) => Doing::Fork { region },
            Some(&Frame::Region { member: Some(member), arrived: true, .. }) => {
                Doing::Tail { member, next: Next::Nothing }
            }
            Some(&Frame::Region { member, .. }) => Doing::Useful(member),
            Some(&Frame::Barrier { wait: Some(wait) }) => Doing::Barrier { wait },
            Some(Frame::Taskwait) => Doing::Taskwait(self.member()),
            Some(&Frame::Task { task: Some(task) }) => Doing::Task(task),
            Some(Frame::Task { task: None } | Frame::Barrier { wait: None }) => {
                if self.thread.initial { Doing::Serial } else { Doing::Useful(None) }
            }
            Some(Frame::Mutex { .. }) => Doing::Mutex(self.member()),
        }
    }

    /// Position of the innermost region on the stack.
    fn region_frame(&self) -> Option<usize> {
        self.stack.iter().rposition(|frame| matches!(frame, Frame::Region { .. }))
    }

    /// The thread's part in the innermost region.
    fn member(&self) -> Option<u32> {
        self.region_frame().and_then(|at| match self.stack[at] {
            Frame::Region { member, .. } => member,
            _ => None,
        })
    }

    /// The model's region for a number of the file.
    fn region(&mut self, id: u64) -> u32 {
        let regions = &mut self.model.regions;
        *self.known.regions.entry(id).or_insert_with(|| add(regions, Region::default()))
    }

    /// Takes everything above position `keep` off the stack: activities whose ends never came.
    fn close_above(&mut self, keep: usize) {
        while self.stack.len() > keep {
            self.stack.pop();
            self.model.tallies.repair("ends that never came");
        }
    }

    fn thread_begin(&mut self, record: &Record) {
        if self.thread.tid == 0 && self.thread.segments.is_empty() && self.stack.is_empty() {
            self.thread.tid = u32::try_from(record.value).unwrap_or(0);
        } else {
            self.model.tallies.anomaly("thread began twice");
        }
    }

    fn parallel_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        let mut region = self.region(record.value);
        if self.model.regions[region as usize].begin.is_some() {
            self.model.tallies.anomaly("region began twice");
            region = add(&mut self.model.regions, Region::default());
            self.known.regions.insert(record.value, region);
        }
        let outer = self.region_frame().and_then(|position| match self.stack[position] {
            Frame::Region { region, .. } => Some(region),
            _ => None,
        });
        let nested = outer.is_some();
        let facts = &mut self.model.regions[region as usize];
        facts.begin = Some(time);
        facts.code = record.code;
        facts.league = record.sub == 1;
        facts.nested = nested;
        facts.outer = outer;
        if !nested {
            self.end_serial(time, Some(record.code));
        }
        self.stack.push(Frame::Region {
            region,
            member: None,
            primary: true,
            arrived: false,
            barriers: 0,
        });
    }

    /// Ends the serial stretch of an initial thread before the region `before`.
    fn end_serial(&mut self, time: u64, before: Option<u64>) {
        let (begin, after) = self.serial;
        if self.thread.initial && begin < time {
            self.model.serial.push(Serial { begin, end: time, after, before });
        }
    }

    fn parallel_end(&mut self, time: u64, record: &Record) {
        let wanted = match self.part {
            Some((id, part)) if id == record.value => {
                if let Some(&whole) = self.known.regions.get(&id) {
                    self.model.regions[whole as usize].is_over = true;
                }
                Some(part)
            }
            _ => self.known.regions.get(&record.value).copied(),
        };
        // A runtime that passes no parallel data at the end means the innermost region.
        let position = self.stack.iter().rposition(|frame| match frame {
            Frame::Region { region, primary: true, .. } => {
                record.value == 0 || Some(*region) == wanted
            }
            _ => false,
        });
        self.advance(time);
        let Some(position) = position else {
            self.model.tallies.anomaly("end of a region this thread did not begin");
            return;
        };
        self.close_above(position + 1);
        let Some(Frame::Region { region, member, .. }) = self.stack.pop() else { return };
        let facts = &mut self.model.regions[region as usize];
        facts.end = Some(time);
        let wall = time - facts.begin.unwrap_or(time);
        let code = facts.code;
        if let Some(member) = member {
            self.model.members[member as usize].arrival.get_or_insert(time);
            self.model.members[member as usize].release.get_or_insert(time);
        }
        match self.member() {
            Some(outer) => self.model.members[outer as usize].nested += wall,
            None if self.region_frame().is_none() => self.serial = (time, Some(code)),
            None => {}
        }
    }

    fn implicit_begin(&mut self, time: u64, record: &Record) {
        let region = self.region(record.value);
        let depth = self.stack.len();
        self.close_arrived();
        if self.stack.len() < depth {
            self.model.tallies.repair("ends that never came");
        }
        self.advance(time);
        self.lead_to(Next::Region(region));
        let member = add(
            &mut self.model.members,
            Member { region, begin: time, arrival: None, release: None, nested: 0 },
        );
        let facts = &mut self.model.regions[region as usize];
        facts.size = facts.size.max(record.aux);
        facts.members.push(member);
        match self.stack.last_mut() {
            Some(Frame::Region { region: begun, member: mine @ None, .. }) if *begun == region => {
                *mine = Some(member);
                facts.primary = Some(member);
            }
            _ => {
                if !self.stack.is_empty() {
                    self.model.tallies.anomaly("implicit task inside another");
                }
                self.stack.push(Frame::Region {
                    region,
                    member: Some(member),
                    primary: false,
                    arrived: false,
                    barriers: 0,
                });
            }
        }
    }

    /// The thread's wait, which has just been closed, ended with the begin of `region`. Other
    /// runtimes report the ends of the previous region in between, after the new one has begun.
    fn lead_to(&mut self, region: Next) {
        if self.stack.is_empty()
            && let Some(last) = self.thread.segments.last_mut()
            && last.end == self.now
            && let Doing::Tail { next, .. } | Doing::Idle { next } = &mut last.doing
        {
            *next = region;
        }
    }

    fn implicit_end(&mut self, time: u64) {
        self.advance(time);
        let position = self.region_frame();
        let Some((position, Frame::Region { member: Some(member), primary, arrived, .. })) =
            position.map(|position| (position, &mut self.stack[position]))
        else {
            self.model.tallies.anomaly("end of an implicit task that had not begun");
            return;
        };
        *arrived = true;
        let (member, primary) = (*member, *primary);
        self.close_above(position + 1);
        self.model.members[member as usize].arrival.get_or_insert(time);
        self.model.members[member as usize].release.get_or_insert(time);
        if !primary {
            self.stack.pop();
            self.last = Some(member);
        }
    }

    fn work(&mut self, kind: EventKind, time: u64, record: &Record) {
        let member = self.member();
        if kind == EventKind::WorkBegin {
            self.works.push(self.model.works.len());
            self.model.works.push(Work {
                kind: record.sub,
                code: record.code,
                thread: self.model.threads.len(),
                begin: time,
                end: None,
                member,
                iterations: record.value,
                chunks: None,
            });
            return;
        }
        let model = &mut *self.model;
        let open = self.works.iter().rposition(|&work| {
            model.works[work].member == member && model.works[work].kind == record.sub
        });
        // Those inside it have ended too.
        match open.and_then(|open| self.works.drain(open..).next()) {
            Some(work) => {
                let work = &mut model.works[work];
                work.end = Some(time);
                work.chunks = Some(record.value).filter(|&chunks| chunks != u64::MAX);
            }
            None => model.tallies.anomaly("end of worksharing that had not begun"),
        }
    }

    /// Closes what is open at the end of the recording.
    fn finish(mut self) -> Thread {
        if !self.ended {
            self.advance(self.model.end.max(self.now));
        }
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
        // A thread that has told its own end has left the construct, of which the runtime has told
        // the end later.
        self.close_target(end, self.ended);
        if self.region_frame().is_none() && !self.folding {
            self.end_serial(end, None);
        }
        // The end of the recording may come at any moment; only a thread that has told its own end
        // cannot have left anything open, unless its events were not recorded any more. A worker
        // that waits at the end of its last region is no deviation: runtimes need not report that
        // end.
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

/// Appends `item` and returns its index.
fn add<T>(items: &mut Vec<T>, item: T) -> u32 {
    let index = u32::try_from(items.len()).expect("a file of 32-byte records holds fewer");
    items.push(item);
    index
}
