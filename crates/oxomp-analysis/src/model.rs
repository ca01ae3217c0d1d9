//! The events as intervals: the normaliser's result, before any sum.
//!
//! All times are nanoseconds since the start of the recording. Indices are into [`Model`]'s
//! vectors.

use std::collections::BTreeMap;

use crate::summary::Class;

/// The whole run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// When the recording ended.
    pub end: u64,
    /// Every thread that recorded an event, in the order of the file.
    pub threads: Vec<Thread>,
    /// Every execution of a parallel construct, in the order in which the threads' streams name
    /// them.
    pub regions: Vec<Region>,
    /// Every implicit task of every region.
    pub members: Vec<Member>,
    /// Every stay in a barrier inside a region.
    pub barrier_waits: Vec<BarrierWait>,
    /// Every wait for a mutex.
    pub mutex_waits: Vec<MutexWait>,
    /// Every hold of a mutex.
    pub holds: Vec<Hold>,
    /// Every execution of a worksharing construct by a thread.
    pub works: Vec<Work>,
    /// Every stretch for which a thread executed an explicit task in a region, in the order of the
    /// threads' streams.
    pub tasks: Vec<Task>,
    /// Every construct for a device, in the order of the threads' streams.
    pub targets: Vec<Target>,
    /// Every operation of a device, in the order of the threads' streams.
    pub operations: Vec<DeviceOperation>,
    /// The initial threads' times between regions.
    pub serial: Vec<Serial>,
    /// Waits for which the recording has only a sum.
    pub inner: Vec<Inner>,
    /// Intervals in which the program had paused the recording, disjoint and in order.
    pub pauses: Vec<(u64, u64)>,
    /// Counts of repairs, of events that were left out, and of lost ones.
    pub tallies: Tallies,
}

/// One thread and its time, cut into segments without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    /// [`oxomp_trace::ThreadEvents::number`].
    pub number: u32,
    /// The system's thread id; 0 if the thread's begin was not recorded.
    pub tid: u32,
    /// True for an initial thread: the program's first, or a foreign one that met OpenMP.
    pub initial: bool,
    /// Time of its first event.
    pub begin: u64,
    /// The time of its end; the recording's end if no end was recorded.
    pub end: u64,
    /// The time from which on the thread, for the first time, recorded no events: only its sums go
    /// on.
    pub folded_from: Option<u64>,
    /// From `begin` to `end`, in order: each begins where the one before ended, or, if the thread
    /// recorded no events in between, later.
    pub segments: Vec<Segment>,
    /// The stretches between recorded events in which the thread recorded no events.
    pub gaps: Vec<Gap>,
}

/// A stretch in which a thread recorded no events, between others in which it did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gap {
    /// When its events ended.
    pub begin: u64,
    /// When they began again.
    pub end: u64,
    /// Its time by class in between, ns.
    pub by_class: [u64; Class::COUNT],
}

/// An interval in which a thread did one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// When it began.
    pub begin: u64,
    /// When it ended, exclusive.
    pub end: u64,
    /// The activity of the thread in it.
    pub doing: Doing,
}

/// The activity of a thread, as far as its own events tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// User code in the region of this member; `None`: a task outside every region.
    Useful(Option<u32>),
    /// User code of an explicit task inside a region: an index in [`Model::tasks`].
    Task(u32),
    /// User code of an initial thread outside every region.
    Serial,
    /// From parallel_begin to the primary thread's own start.
    Fork {
        /// Index in [`Model::regions`].
        region: u32,
    },
    /// In a barrier inside a region.
    Barrier {
        /// Index in [`Model::barrier_waits`].
        wait: u32,
    },
    /// Waiting in taskwait or at a taskgroup's end, in the region of this member.
    Taskwait(Option<u32>),
    /// Waiting for a mutex, in the region of this member.
    Mutex(Option<u32>),
    /// From the arrival at the barrier that ends the region: up to parallel_end for the primary
    /// thread, up to the next region (`next`) for the others. Only the other threads' events tell
    /// its parts.
    Tail {
        /// Index in [`Model::members`].
        member: u32,
        /// The event that ended the wait.
        next: Next,
    },
    /// A worker that has not been in a region yet.
    Idle {
        /// The event that ended the wait.
        next: Next,
    },
}

/// The event that ended a worker's wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The end of the thread or of the recording.
    Nothing,
    /// The begin of a region: an index in [`Model::regions`].
    Region(u32),
    /// A folded region that began at this time.
    At(u64),
}

/// One execution of a parallel construct, or the part of one that lies in a window of events.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Region {
    /// The construct's code address; 0 if unknown.
    pub code: u64,
    /// parallel_begin; `None` if it was not recorded, or came before the window.
    pub begin: Option<u64>,
    /// parallel_end; `None` if the region did not end.
    pub end: Option<u64>,
    /// Threads in the team, as the runtime said.
    pub size: u32,
    /// The initial teams of a teams construct rather than a team.
    pub league: bool,
    /// Inside another region.
    pub nested: bool,
    /// The region in which the thread that began this one was: an index in [`Model::regions`].
    pub outer: Option<u32>,
    /// The primary thread's member.
    pub primary: Option<u32>,
    /// Indices in [`Model::members`], in the order in which they were met.
    pub members: Vec<u32>,
    /// When a member's events last ended in it.
    pub cut: Option<u64>,
    /// Events show that it has ended, though its end was not recorded.
    pub is_over: bool,
    /// A part in a window, of a region that has begun before.
    pub is_part: bool,
    /// It had begun when the recording began, which counts as its begin.
    pub under_way: bool,
    /// Last arrival at each barrier inside, by the barrier's number in the region, from 0.
    pub last_arrivals: BTreeMap<u32, u64>,
}

/// A thread's part in a region: an implicit task.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Index in [`Model::regions`].
    pub region: u32,
    /// When the implicit task began.
    pub begin: u64,
    /// When the thread reached the barrier that ends the region; `None` if it never did.
    pub arrival: Option<u64>,
    /// The end of that barrier as reported to the thread itself, perhaps much too late.
    pub release: Option<u64>,
    /// Regions this thread began inside, from their begin to their end.
    pub nested: u64,
}

/// A thread's stay in a barrier inside a region.
#[derive(Debug, Clone, PartialEq)]
pub struct BarrierWait {
    /// OMPT's kind.
    pub kind: u8,
    /// The barrier's code address, or the region's if the runtime told no address for the barrier.
    pub code: u64,
    /// The implicit task that waited: an index in [`Model::members`].
    pub member: Option<u32>,
    /// Position of the barrier among those of the region, from 0.
    pub ordinal: u32,
    /// OMPT's work type of the worksharing construct at whose end the barrier stands, if the thread
    /// reported one in the region.
    pub ends: Option<u8>,
    /// That construct's code address.
    pub construct: Option<u64>,
    /// Whether the thread left the barrier before the recording ended.
    pub left: bool,
}

/// A stretch of an explicit task: from its begin, or from the point at which a thread resumes it,
/// until the thread leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The implicit task whose thread executed it: an index in [`Model::members`].
    pub member: u32,
    /// The task construct's code address; 0 if unknown.
    pub code: u64,
    /// When the thread began or resumed it.
    pub begin: u64,
    /// When the thread left it, or when its events ended. Waits inside it, and the tasks that the
    /// thread executed in these, lie in between.
    pub end: u64,
    /// Whether the task's code was over then; else it may go on in another stretch.
    pub is_over: bool,
}

/// Waiting for a mutex.
#[derive(Debug, Clone, PartialEq)]
pub struct MutexWait {
    /// OMPT's kind.
    pub kind: u8,
    /// OMPT's number of the mutex.
    pub wait_id: u64,
    /// The code address of the request.
    pub code: u64,
    /// When the thread asked for the mutex.
    pub begin: u64,
    /// When the wait ended.
    pub end: u64,
    /// False if the thread still waited when the recording ended.
    pub acquired: bool,
    /// The implicit task that waited: an index in [`Model::members`]; `None` outside every region.
    pub member: Option<u32>,
}

/// Holding a mutex.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    /// OMPT's kind.
    pub kind: u8,
    /// OMPT's number of the mutex.
    pub wait_id: u64,
    /// Where it was acquired.
    pub code: u64,
    /// When the thread acquired it.
    pub begin: u64,
    /// When the thread released it, as reported.
    pub end: u64,
}

/// A thread's execution of a worksharing construct.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// OMPT's work type.
    pub kind: u8,
    /// The construct's code address.
    pub code: u64,
    /// Position of the thread that began it in [`Model::threads`].
    pub thread: usize,
    /// When the thread began it.
    pub begin: u64,
    /// When the thread left it, before the barrier at its end; `None` if that was not recorded.
    pub end: Option<u64>,
    /// The implicit task that executed it: an index in [`Model::members`].
    pub member: Option<u32>,
    /// Iterations (sections, …) of the whole construct, as the runtime told; 0 if it did not.
    pub iterations: u64,
    /// Chunks handed to this thread; `None` if the runtime reported none.
    pub chunks: Option<u64>,
}

/// A construct for a device, as the thread experienced it that executed its host part: the one that
/// encountered it, or one of the runtime's for a deferred construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// OMPT's target kind.
    pub kind: u8,
    /// The device's number.
    pub device: u32,
    /// The construct's code address.
    pub code: u64,
    /// Position of the thread in [`Model::threads`].
    pub thread: usize,
    /// When it began.
    pub begin: u64,
    /// When it ended; the thread's end if that was not recorded.
    pub end: u64,
    /// False if it had not ended when the recording did.
    pub ended: bool,
}

/// An operation of a device, for which a thread waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceOperation {
    /// OMPT's kind of data operation; 0 for a kernel.
    pub kind: u8,
    /// The device's number.
    pub device: u32,
    /// The construct's code address.
    pub code: u64,
    /// Position of the thread in [`Model::threads`].
    pub thread: usize,
    /// Bytes, or the teams that a kernel was asked to have.
    pub value: u64,
    /// When it began.
    pub begin: u64,
    /// When it ended; the thread's end if that was not recorded.
    pub end: u64,
    /// False if it had not ended when the recording did.
    pub ended: bool,
}

/// An initial thread's time between two regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Serial {
    /// When the region before ended, or the thread began.
    pub begin: u64,
    /// When the region after began, or the thread ended.
    pub end: u64,
    /// Code address of the region before; `None` at the start of the thread.
    pub after: Option<u64>,
    /// Code address of the region after; `None` at the end of the thread.
    pub before: Option<u64>,
}

/// Waits that were added up while the events around them were recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Inner {
    /// Position in [`Model::threads`].
    pub thread: usize,
    /// The implicit task that they were in; `None`: outside every region.
    pub member: Option<u32>,
    /// The class of the waits.
    pub class: Class,
    /// Their sum.
    pub length: u64,
}

/// How often something had to be repaired or did not fit, by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tallies {
    /// Deviations of the runtime that were repaired: short name and how often.
    pub repaired: BTreeMap<&'static str, u64>,
    /// Events that fitted nowhere and were left out: short name and how often.
    pub anomalies: BTreeMap<&'static str, u64>,
    /// Events that the collector could not keep.
    pub lost: u64,
}

impl Region {
    /// Whether its begin and its end were recorded.
    pub(crate) fn is_whole(&self) -> bool {
        self.begin.is_some() && self.end.is_some()
    }
}

impl Tallies {
    pub(crate) fn repair(&mut self, what: &'static str) {
        *self.repaired.entry(what).or_default() += 1;
    }

    pub(crate) fn anomaly(&mut self, what: &'static str) {
        *self.anomalies.entry(what).or_default() += 1;
    }
}
