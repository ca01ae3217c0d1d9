//! What happened, as intervals: the normaliser's result, before any sum.
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
    pub threads: Vec<Thread>,
    pub regions: Vec<Region>,
    pub members: Vec<Member>,
    pub barrier_waits: Vec<BarrierWait>,
    pub mutex_waits: Vec<MutexWait>,
    pub holds: Vec<Hold>,
    pub works: Vec<Work>,
    pub serial: Vec<Serial>,
    pub inner: Vec<Inner>,
    /// Intervals in which the program had paused the recording, disjoint and in order.
    pub pauses: Vec<(u64, u64)>,
    pub tallies: Tallies,
}

/// One thread and its time, cut into segments without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub number: u32,
    pub tid: u32,
    pub initial: bool,
    pub begin: u64,
    pub end: u64,
    /// From when on the thread added up instead of recording.
    pub folded_from: Option<u64>,
    /// From `begin` to `end`, or to `folded_from`, each beginning where the one before ended.
    pub segments: Vec<Segment>,
}

/// An interval in which a thread did one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    pub begin: u64,
    pub end: u64,
    pub doing: Doing,
}

/// What a thread did, as far as its own events tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// User code in the region of this member; `None`: a task outside every region.
    Useful(Option<u32>),
    /// User code of an initial thread outside every region.
    Serial,
    /// From parallel_begin to the primary thread's own start.
    Fork {
        region: u32,
    },
    /// In a barrier inside a region.
    Barrier {
        wait: u32,
    },
    Taskwait(Option<u32>),
    Mutex(Option<u32>),
    /// From the arrival at the barrier that ends the region: up to parallel_end for the primary
    /// thread, up to the next region (`next`) for the others. Only the other threads' events tell
    /// what it is made of.
    Tail {
        member: u32,
        next: Next,
    },
    /// A worker that has not been in a region yet.
    Idle {
        next: Next,
    },
}

/// What a worker's wait ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Nothing,
    Region(u32),
    /// A folded region that began at this time.
    At(u64),
}

/// One execution of a parallel construct.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Region {
    /// The construct's code address; 0 if unknown.
    pub code: u64,
    /// parallel_begin; `None` if it was not recorded.
    pub begin: Option<u64>,
    /// parallel_end; `None` if the region did not end.
    pub end: Option<u64>,
    /// Threads in the team, as the runtime said.
    pub size: u32,
    /// Inside another region.
    pub nested: bool,
    /// The primary thread's member.
    pub primary: Option<u32>,
    pub members: Vec<u32>,
    /// Last arrival at each barrier inside, by order of the barriers.
    pub last_arrivals: Vec<u64>,
}

/// A thread's part in a region: an implicit task.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub region: u32,
    pub begin: u64,
    /// At the barrier that ends the region.
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
    /// The barrier's code address, or the region's if the runtime gave none.
    pub code: u64,
    pub member: Option<u32>,
    /// Which of the region's barriers it is.
    pub ordinal: u32,
}

/// Waiting for a mutex.
#[derive(Debug, Clone, PartialEq)]
pub struct MutexWait {
    /// OMPT's kind.
    pub kind: u8,
    pub wait_id: u64,
    pub code: u64,
    pub begin: u64,
    pub end: u64,
    /// False if the thread still waited when the recording ended.
    pub acquired: bool,
}

/// Holding a mutex.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    /// OMPT's kind.
    pub kind: u8,
    pub wait_id: u64,
    /// Where it was acquired.
    pub code: u64,
    pub begin: u64,
    pub end: u64,
}

/// A thread's execution of a worksharing construct.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// OMPT's work type.
    pub kind: u8,
    pub code: u64,
    pub member: Option<u32>,
    pub iterations: u64,
    pub chunks: Option<u64>,
}

/// An initial thread's time between two regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Serial {
    pub begin: u64,
    pub end: u64,
    /// Code of the region before and after; `None` at the ends of the thread.
    pub after: Option<u64>,
    pub before: Option<u64>,
}

/// Waits that were added up while the events around them were recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Inner {
    /// Position in [`Model::threads`].
    pub thread: usize,
    /// The region they were in; `None`: outside.
    pub member: Option<u32>,
    pub class: Class,
    pub length: u64,
}

/// How often something had to be repaired or did not fit, by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tallies {
    pub repaired: BTreeMap<&'static str, u64>,
    pub anomalies: BTreeMap<&'static str, u64>,
    pub lost: u64,
}

impl Tallies {
    pub(crate) fn repair(&mut self, what: &'static str) {
        *self.repaired.entry(what).or_default() += 1;
    }

    pub(crate) fn anomaly(&mut self, what: &'static str) {
        *self.anomalies.entry(what).or_default() += 1;
    }
}
