//! Regions, and what could be won in them.

use super::site::SiteId;
use super::{Class, Worksharing};

/// All instances of one parallel construct.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// How many instances there were.
    pub calls: u64,
    /// Σ (parallel_end − parallel_begin), ns.
    pub wall_ns: u64,
    /// Smallest and largest team.
    pub team: (u32, u32),
    /// The calls with a team of one thread.
    pub serialized: u64,
    /// The calls inside another region.
    pub nested: u64,
    /// Over the instances, Σ of what their threads computed on average / Σ of what the busiest one
    /// computed: 1.0 is perfect. Time in which a thread was blocked or lacked a processor is not
    /// computed. `None` if nothing was.
    pub load_balance: Option<f64>,
    /// The standard error of the mean time of a call, as a part of it; `None` if the recording has
    /// the times of fewer than two calls.
    pub spread: Option<f64>,
    /// Σ over threads of useful time, ns; a nested region counts as work of the outer one.
    pub useful_ns: u64,
    /// What is lost, in wall time.
    pub gain: Gain,
    /// The worksharing constructs in it, as the runtime named them, by executions.
    pub worksharing: Vec<Worksharing>,
    /// When the explicit tasks ran in the instances whose events were recorded; `None` if these
    /// instances have no tasks.
    pub tasking: Option<Tasking>,
}

/// When the explicit tasks of a region ran: of those instances whose events were recorded. Sums
/// over all instances are in [`TaskConstruct`](super::TaskConstruct).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tasking {
    /// Instances with tasks whose events were recorded.
    pub instances: u64,
    /// The number of tasks; one that is suspended counts again when it is resumed.
    pub tasks: u64,
    /// Sum of their times, ns.
    pub work_ns: u64,
    /// Σ over the instances of the time from the first task's begin to the last one's end, ns.
    pub span_ns: u64,
    /// Σ over the instances of the longest task, ns.
    pub longest_ns: u64,
    /// The construct of the longest task; `None` if the recording does not tell.
    pub longest: Option<SiteId>,
    /// Time of implicit tasks in user code between the first task's begin and the last one's end,
    /// ns: of a thread that creates tasks, for instance.
    pub creating_ns: u64,
    /// Σ over threads of the time in taskwait, or in barriers with no task ready, ns.
    pub waits_ns: u64,
    /// How many tasks ran at a time, on average, in each tenth of [`Tasking::span_ns`].
    pub parallelism: [f64; 10],
}

/// What is lost in wall time: per instance, the lost time of all its threads divided by their
/// number, ns. The sum is an upper bound of what could be won without less work, if every thread
/// had a processor for all of the time ([`bounds_hold`](crate::report::bounds_hold)). For a region
/// outside every other one, the parts and `useful / threads` sum to the wall time. For a region
/// inside another one, the gains are divided by the number of threads in the outer team. No
/// region's gains exceed the time in which an instance of it ran.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gain {
    /// Waiting at barriers (those inside the region too) for the last to arrive, without what
    /// [`Gain::mutex_ns`] has of it.
    pub imbalance_ns: u64,
    /// Barriers that all had reached.
    pub barrier_ns: u64,
    /// By how much sooner the last thread would have arrived at the barriers if no thread had
    /// waited for locks, criticals, ordered and atomic; and what each thread waited on average for
    /// other iterations of a doacross loop nest.
    pub mutex_ns: u64,
    /// Waiting in taskwait or at the end of a taskgroup.
    pub taskwait_ns: u64,
    /// Waiting at barriers while tasks were under way, none of them ready.
    pub starved_ns: u64,
    /// Handing out chunks of loops.
    pub dispatch_ns: u64,
    /// User code without a processor, and waiting for such a thread.
    pub scheduler_ns: u64,
    /// User code that was blocked: [`Class::Blocked`].
    pub blocked_ns: u64,
    /// Fork until each thread's start, and join after the release.
    pub fork_join_ns: u64,
}

impl Gain {
    /// All parts together, ns.
    #[must_use]
    pub fn total_ns(&self) -> u64 {
        self.imbalance_ns
            + self.barrier_ns
            + self.mutex_ns
            + self.taskwait_ns
            + self.starved_ns
            + self.dispatch_ns
            + self.scheduler_ns
            + self.blocked_ns
            + self.fork_join_ns
    }

    /// The part that `class` has, ns; 0 for a class that does not count as a loss in regions.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        match class {
            Class::Imbalance => self.imbalance_ns,
            Class::Barrier => self.barrier_ns,
            Class::Mutex => self.mutex_ns,
            Class::Taskwait => self.taskwait_ns,
            Class::Starved => self.starved_ns,
            Class::Dispatch => self.dispatch_ns,
            Class::Scheduler => self.scheduler_ns,
            Class::Blocked => self.blocked_ns,
            Class::ForkJoin => self.fork_join_ns,
            Class::Useful
            | Class::Serial
            | Class::SerialWait
            | Class::SerialIdle
            | Class::SpareIdle
            | Class::Paused => 0,
        }
    }

    /// The largest part and its name; `None` if nothing is to be won.
    #[must_use]
    pub fn mostly(&self) -> Option<(&'static str, u64)> {
        [
            ("imbalance", self.imbalance_ns),
            ("barrier", self.barrier_ns),
            ("mutex", self.mutex_ns),
            ("taskwait", self.taskwait_ns),
            ("few tasks", self.starved_ns),
            ("dispatch", self.dispatch_ns),
            ("scheduler", self.scheduler_ns),
            ("blocked", self.blocked_ns),
            ("fork/join", self.fork_join_ns),
        ]
        .into_iter()
        .max_by_key(|part| part.1)
        .filter(|part| part.1 > 0)
    }
}

impl Region {
    /// What was unusual about every call: a team of one thread, being inside another region.
    #[must_use]
    pub fn peculiarities(&self) -> Vec<String> {
        let all = [("1 thread", self.serialized), ("nested", self.nested)];
        let of_every_call = all.into_iter().filter(|(_, calls)| *calls == self.calls);
        of_every_call.map(|(word, _)| word.to_owned()).collect()
    }

    /// The names of its worksharing constructs, each once, by executions.
    #[must_use]
    pub fn worksharing_names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for work in &self.worksharing {
            if !names.contains(&work.kind.name()) {
                names.push(work.kind.name());
            }
        }
        names
    }
}
