//! Explicit tasks in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// The explicit tasks of one construct in one region.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TaskConstruct {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The construct; null if the runtime did not tell.
    place: Option<Place>,
    /// The region in which the tasks ran; null if unknown.
    region: Option<Place>,
    /// Tasks that ended.
    count: u64,
    /// Sum of their times, without those in which they waited for others, ns.
    time_ns: u64,
    /// The longest time, ns.
    longest_ns: u64,
    /// Sum of the times from creation to begin, ns.
    queued_ns: u64,
    /// Tasks that began on another thread than the one that created them.
    stolen: u64,
    /// The deepest task: children of implicit tasks have depth 1.
    depth: u64,
    /// Mean time between two tasks of a thread that had a task to execute, ns; null if no two
    /// followed each other.
    between_ns: Option<u64>,
    /// Mean time from the creation of a task to that of the next one by the same thread, ns: a
    /// bound of what creating a task takes, for what the program does in between is in it; null if
    /// no two followed each other.
    creating_ns: Option<u64>,
    /// Sum over threads of the time in taskwait, or in barriers with no task ready, in which tasks
    /// of the construct ran, ns: where several ran, each has an equal part. Only of recorded
    /// events.
    waits_ns: u64,
    /// Tasks with dependences.
    dependent: u64,
    /// Undeferred tasks, which the thread that creates one executes at once: those of `if(false)`,
    /// and inside `final` ones. A number.
    undeferred: u64,
    /// Tasks whose code was over before their event (`detach`) was fulfilled: a number.
    detached: u64,
    /// How many ended on each thread.
    by_thread: Vec<ByThread>,
    /// Histogram of the times, shortest first; empty bins are left out.
    histogram: Vec<Bin>,
}

/// Tasks that ended on one thread.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ByThread {
    /// `number` of the thread.
    thread: u32,
    /// Tasks that ended on it.
    count: u64,
}

/// Tasks by time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Bin {
    /// Upper bound of the times in the bin, ns; null for the last bin, which has none.
    below_ns: Option<u64>,
    /// Tasks in the bin.
    count: u64,
}

impl TaskConstruct {
    pub(super) fn new(tasks: &summary::TaskConstruct, places: &mut Places<'_>) -> Self {
        let (region, site) = (places.id_of(tasks.region), places.id_of(tasks.site));
        let by_thread = tasks.by_thread.iter();
        let bin = |&(bound, count)| Bin { below_ns: Some(bound).filter(|b| *b < u64::MAX), count };
        Self {
            id: places.id(&["task", &region, &site]),
            place: places.place(tasks.site),
            region: places.place(tasks.region),
            count: tasks.count,
            time_ns: tasks.time_ns,
            longest_ns: tasks.longest_ns,
            queued_ns: tasks.queued_ns,
            stolen: tasks.stolen,
            depth: tasks.depth,
            between_ns: tasks.between_ns,
            creating_ns: tasks.creating_ns,
            waits_ns: tasks.waits_ns,
            dependent: tasks.dependent,
            undeferred: tasks.undeferred,
            detached: tasks.detached,
            by_thread: by_thread.map(|&(thread, count)| ByThread { thread, count }).collect(),
            histogram: tasks.times.iter().map(bin).collect(),
        }
    }
}

/// The tasks of all instances of a region as a graph: by creation, dependences and waiting for
/// children.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TaskChain {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The region; null if unknown.
    region: Option<Place>,
    /// Instances of the region in which tasks were created.
    regions: u64,
    /// Useful time of all the region's threads, ns.
    work_ns: u64,
    /// Sum over the instances of the longest chain, ns: no number of threads is faster.
    span_ns: u64,
    /// Sum over the instances of the time from fork to join, ns.
    wall_ns: u64,
}

impl TaskChain {
    pub(super) fn new(chain: &summary::TaskChain, places: &mut Places<'_>) -> Self {
        Self {
            id: places.id(&["chain", &places.id_of(chain.region)]),
            region: places.place(chain.region),
            regions: chain.regions,
            work_ns: chain.work_ns,
            span_ns: chain.span_ns,
            wall_ns: chain.wall_ns,
        }
    }
}
