//! Explicit tasks: by construct, and as chains.

use super::site::SiteId;

/// The explicit tasks of one construct.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskConstruct {
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The region in which they ran.
    pub region: Option<SiteId>,
    /// Tasks that ended.
    pub count: u64,
    /// How many ended on each thread, by its number.
    pub by_thread: Vec<(u32, u64)>,
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
    /// Mean time between two tasks of a thread that had a task to execute, ns; `None` if no two
    /// followed each other.
    pub between_ns: Option<u64>,
    /// Mean time from the creation of a task to the same thread's next creation, ns: an upper bound
    /// of what creating a task takes, since it includes what the program does in between; `None` if
    /// no two creations followed each other.
    ///
    /// OMPT reports a creation as one event, not its begin and its end, so no recording has the
    /// time of a creation alone. Only two creations by the same construct without an event of a
    /// task between them are counted: if two constructs create tasks in turns, the time from one
    /// creation to the other bounds neither.
    pub creating_ns: Option<u64>,
    /// Σ over threads of the time in taskwait, or in barriers with no task ready, in which tasks of
    /// the construct ran, ns: where several ran, each has an equal part. Only instances whose
    /// events were recorded count: this is a part of
    /// [`Tasking::waits_ns`](super::Tasking::waits_ns).
    pub waits_ns: u64,
    /// Tasks with dependences.
    pub dependent: u64,
    /// Undeferred tasks, which the creating thread executes at once: tasks with `if(false)`, and
    /// tasks inside `final` tasks.
    pub undeferred: u64,
    /// Tasks whose code was over before their event (`detach`) was fulfilled.
    pub detached: u64,
    /// Upper bound of the times of each bin, ns, and how many tasks are in it; the last bin has no
    /// bound, which is [`u64::MAX`]. Empty bins are left out.
    pub times: Vec<(u64, u64)>,
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
        let total: u64 = self.times.iter().map(|(_, count)| count).sum();
        let mut below = 0;
        let median = self.times.iter().find(|(_, count)| {
            below += count;
            2 * below >= total
        });
        median.map(|(bound, _)| *bound)
    }
}

/// The tasks of all instances of a region as a graph: by creation, dependences and waiting for
/// children.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskChain {
    /// The region.
    pub region: Option<SiteId>,
    /// Instances in which tasks were created.
    pub regions: u64,
    /// Useful time of all the region's threads, ns.
    pub work_ns: u64,
    /// Σ over the instances of the longest chain, ns: no number of threads is faster.
    pub span_ns: u64,
    /// Σ over the instances of the time from fork to join, ns.
    pub wall_ns: u64,
}
