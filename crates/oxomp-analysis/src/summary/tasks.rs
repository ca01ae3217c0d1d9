//! Explicit tasks: by construct, and as chains.

use serde::Serialize;

use super::site::SiteId;
use super::written::as_list;

/// The explicit tasks of one construct in one region.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskConstruct {
    /// The construct; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// The region in which the tasks ran; null if unknown.
    pub region: Option<SiteId>,
    /// Tasks that ended.
    pub count: u64,
    /// Sum of their times, without those in which they waited for others, ns.
    pub time_ns: u64,
    /// The longest time, ns.
    pub longest_ns: u64,
    /// Sum of the times from creation to begin, ns.
    pub queued_ns: u64,
    /// Tasks that began on another thread than the one that created them.
    pub stolen: u64,
    /// The deepest task: children of implicit tasks have depth 1.
    pub depth: u64,
    /// Mean time between two tasks of a thread that had a task to execute, ns; null if no two
    /// followed each other.
    pub between_ns: Option<u64>,
    /// Mean time from the creation of a task to that of the next one by the same thread, ns: a
    /// bound of what creating a task takes, for what the program does in between is in it; null if
    /// no two followed each other.
    // OMPT reports a creation as one event, not its begin and its end, so no recording has the time
    // of a creation alone. Only two creations by the same construct without an event of a task
    // between them are counted: if two constructs create tasks in turns, the time from one creation
    // to the other bounds neither.
    pub creating_ns: Option<u64>,
    /// Sum over threads of the time in taskwait, or in barriers with no task ready, in which tasks
    /// of the construct ran, ns: where several ran, each has an equal part. Only of recorded
    /// events.
    // It is a part of `Tasking::waits_ns`.
    pub waits_ns: u64,
    /// Tasks with dependences.
    pub dependent: u64,
    /// Undeferred tasks, which the thread that creates one executes at once: those of `if(false)`,
    /// and inside `final` ones. A number.
    pub undeferred: u64,
    /// Tasks whose code was over before their event (`detach`) was fulfilled: a number.
    pub detached: u64,
    /// How many ended on each thread.
    // By the threads' numbers.
    #[serde(serialize_with = "as_list::<ByThread, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ByThread>"))]
    pub by_thread: Vec<(u32, u64)>,
    /// Histogram of the times, shortest first; empty bins are left out.
    // The upper bound of each bin, ns, which is `u64::MAX` of the last one, and the tasks in it.
    #[serde(rename = "histogram", serialize_with = "as_list::<Bin, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Bin>"))]
    pub times: Vec<(u64, u64)>,
}

/// Tasks that ended on one thread.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ByThread {
    /// `number` of the thread.
    thread: u32,
    /// Tasks that ended on it.
    count: u64,
}

impl From<&(u32, u64)> for ByThread {
    fn from(&(thread, count): &(u32, u64)) -> Self {
        Self { thread, count }
    }
}

/// Tasks by time.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Bin {
    /// Upper bound of the times in the bin, ns; null for the last bin, which has none.
    below_ns: Option<u64>,
    /// Tasks in the bin.
    count: u64,
}

impl From<&(u64, u64)> for Bin {
    fn from(&(bound, count): &(u64, u64)) -> Self {
        Self { below_ns: Some(bound).filter(|bound| *bound < u64::MAX), count }
    }
}

impl TaskConstruct {
    /// Mean time of a task, ns.
    #[must_use]
    pub fn mean_ns(&self) -> u64 {
        self.time_ns / self.count.max(1)
    }

    /// Upper bound of the bin in which the median lies, ns; [`u64::MAX`] for the last one.
    #[must_use]
    pub fn median_ns(&self) -> Option<u64> {
        let total = self.times.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        let mut below = 0;
        let median = self.times.iter().find(|(_, count)| {
            below = count.saturating_add(below);
            below >= total.div_ceil(2)
        });
        median.map(|(bound, _)| *bound)
    }
}

/// The tasks of all instances of a region as a graph: by creation, dependences and waiting for
/// children.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskChain {
    /// The region; null if unknown.
    pub region: Option<SiteId>,
    /// Instances of the region in which tasks were created.
    pub regions: u64,
    /// Useful time of all the region's threads, ns.
    pub work_ns: u64,
    /// Sum over the instances of the longest chain, ns: no number of threads is faster.
    pub span_ns: u64,
    /// Sum over the instances of the time from fork to join, ns.
    pub wall_ns: u64,
}
