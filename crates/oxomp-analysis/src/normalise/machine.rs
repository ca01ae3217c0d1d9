//! A thread while its events are read: the stack of its activities, and its time in segments.

use std::collections::HashMap;

use oxomp_trace::{Clock, EventKind, ThreadEvents};

use super::ompt;
use crate::model::{Doing, Gap, Model, Next, Region, Segment, Serial, Thread};

/// An activity that a thread has begun and not ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame {
    /// A region it began (`primary`) or was given to; `member` once its implicit task began,
    /// `arrived` once it reached the barrier at the end.
    Region {
        region: u32,
        member: Option<u32>,
        primary: bool,
        arrived: bool,
        barriers: u32,
    },
    /// A wait of [`Model::barrier_waits`]. Outside every region there is no entry: a team of one
    /// thread does not wait.
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
pub(super) struct Held {
    pub(super) wait_id: u64,
    pub(super) kind: u8,
    pub(super) code: u64,
    pub(super) since: u64,
}

/// The model's regions by their numbers in the file.
pub(super) struct Known<'a> {
    /// Whole, or up to the first moment from which on their events were not recorded.
    pub(super) regions: &'a mut HashMap<u64, u32>,
    /// Their parts in later windows.
    pub(super) parts: &'a mut HashMap<(u64, u16), u32>,
}

/// A thread while its events are read: the stack of its activities, and what the model has of it.
pub(super) struct Machine<'a> {
    pub(super) model: &'a mut Model,
    pub(super) known: Known<'a>,
    pub(super) clock: &'a Clock,
    pub(super) thread: Thread,
    /// The thread's events are not recorded.
    pub(super) folding: bool,
    /// What the thread has done since its events ended.
    pub(super) gap: Gap,
    /// The region that has begun before the window: its number in the file, and its part there.
    pub(super) part: Option<(u64, u32)>,
    /// The time up to which the segments reach.
    pub(super) now: u64,
    pub(super) stack: Vec<Frame>,
    pub(super) held: Vec<Held>,
    /// The worksharing constructs that the thread is in, outermost first: indices in the model's.
    pub(super) works: Vec<usize>,
    /// The construct for a device that the thread is in, and the operation: positions in the
    /// model's.
    pub(super) target: Option<usize>,
    pub(super) operation: Option<usize>,
    /// A worker's last region.
    pub(super) last: Option<u32>,
    /// Where the serial stretch of an initial thread began, and after which region.
    pub(super) serial: (u64, Option<u64>),
    pub(super) pauses: Vec<(u64, bool)>,
    /// The thread was in a region when the recording began: there may be ends without begins.
    pub(super) was_in_region: bool,
    pub(super) ended: bool,
}

impl<'a> Machine<'a> {
    /// `None` for a thread without events.
    pub(super) fn start(
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
            was_in_region: false,
            ended: false,
        })
    }

    /// Closes the segment that ran until `time`.
    pub(super) fn advance(&mut self, time: u64) {
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
    pub(super) fn doing(&self) -> Doing {
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
    pub(super) fn region_frame(&self) -> Option<usize> {
        self.stack.iter().rposition(|frame| matches!(frame, Frame::Region { .. }))
    }

    /// The thread's part in the innermost region.
    pub(super) fn member(&self) -> Option<u32> {
        self.region_frame().and_then(|at| match self.stack[at] {
            Frame::Region { member, .. } => member,
            _ => None,
        })
    }

    /// The model's region for a number of the file.
    pub(super) fn region(&mut self, id: u64) -> u32 {
        let regions = &mut self.model.regions;
        *self.known.regions.entry(id).or_insert_with(|| add(regions, Region::default()))
    }

    /// Takes everything above position `keep` off the stack: activities whose ends never came.
    pub(super) fn close_above(&mut self, keep: usize) {
        while self.stack.len() > keep {
            self.leave_task(false);
            self.stack.pop();
            self.model.tallies.repair("ends that never came");
        }
    }

    /// Counts an end whose begin no event tells, unless that may have come before the recording.
    pub(super) fn unmatched_end(&mut self, what: &'static str) {
        if !self.was_in_region {
            self.model.tallies.anomaly(what);
        }
    }

    /// Ends the serial stretch of an initial thread before the region `before`.
    pub(super) fn end_serial(&mut self, time: u64, before: Option<u64>) {
        let (begin, after) = self.serial;
        if self.thread.initial && begin < time {
            self.model.serial.push(Serial { begin, end: time, after, before });
        }
    }

    /// The thread's wait, which has just been closed, ended with the begin of `region`. Other
    /// runtimes report the ends of the previous region in between, after the new one has begun.
    pub(super) fn lead_to(&mut self, region: Next) {
        if self.stack.is_empty()
            && let Some(last) = self.thread.segments.last_mut()
            && last.end == self.now
            && let Doing::Tail { next, .. } | Doing::Idle { next } = &mut last.doing
        {
            *next = region;
        }
    }
}

/// Appends `item` and returns its index.
pub(super) fn add<T>(items: &mut Vec<T>, item: T) -> u32 {
    let index = u32::try_from(items.len()).expect("a file of 32-byte records holds fewer");
    items.push(item);
    index
}
