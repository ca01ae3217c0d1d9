//! A profile's numbers: plain data, ready to be printed, in nanoseconds.
//!
//! [`crate::summarize`] forms them from the [model](crate::model); [`crate::report`] renders them,
//! and [`crate::symbols`] names addresses. A quantity that was not measured is `None` or absent,
//! never zero.

use std::fmt;

pub use oxomp_symbols::{Site, SiteModule};

/// Index of a [`Site`] in [`Summary::sites`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// A whole profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Facts about the run.
    pub header: Header,
    /// Where the threads' time went.
    pub budget: Budget,
    /// Every thread that OpenMP knew, by number.
    pub threads: Vec<Thread>,
    /// By potential gain, largest first.
    pub regions: Vec<Region>,
    /// Loops and sections by region and construct, as their chunks were handed out, by time,
    /// largest first.
    pub loops: Vec<Loop>,
    /// Explicit tasks by construct and region, by time, largest first.
    pub tasks: Vec<TaskConstruct>,
    /// Regions with explicit tasks: their work and their longest chains, by time, largest first.
    pub chains: Vec<TaskChain>,
    /// Explicit barriers and those that end worksharing constructs, by wait, largest first. The
    /// barriers that end regions are in [`Region::gain`].
    pub barriers: Vec<Barrier>,
    /// Locks, criticals, ordered and atomic by waiting site, by wait, largest first.
    pub mutexes: Vec<Mutex>,
    /// Code that initial threads executed outside every region, by time, largest first.
    pub serial: Vec<SerialStretch>,
    /// The sampled code; `None` without samples.
    pub sampled: Option<Sampled>,
    /// How far the numbers can be trusted.
    pub quality: Quality,
    /// Every site named above.
    pub sites: Vec<Site>,
}

/// Facts about the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The executable's path.
    pub executable: String,
    /// Process id.
    pub pid: u32,
    /// The runtime's name and version, in its own words.
    pub runtime: String,
    /// The path of the runtime's shared object, where it was found.
    pub runtime_path: Option<String>,
    /// `_OPENMP` as the runtime told the tool.
    pub omp_version: u32,
    /// Variables of the program's environment whose names begin with `OMP_`, `KMP_`, `GOMP_`,
    /// `OXOMP_`, in the environment's order.
    pub environment: Vec<(String, String)>,
    /// Name of the machine.
    pub hostname: String,
    /// Processors the process was allowed to use at its start.
    pub allowed_cpus: u32,
    /// Start of the process, nanoseconds since 1970.
    pub started_unix_ns: u64,
    /// From the start of the process to the end of the recording, ns.
    pub wall_ns: u64,
    /// CPU time of the process, all threads; `None` if the recording did not end with the process,
    /// for it is known only at the end.
    pub cpu_ns: Option<u64>,
    /// [`Header::wall_ns`] without the intervals in which the program had
    /// paused it, ns: shares of a run are shares of this time.
    pub recorded_ns: u64,
    /// The largest team seen; 1 if there was no region.
    pub max_team: u32,
    /// The most threads that OpenMP knew at the same time, and at least [`Header::max_team`].
    pub threads: u32,
    /// True if the process went away without ending the recording (killed, crashed, `_exit`);
    /// [`Header::wall_ns`] then ends at the last thing recorded.
    pub truncated: bool,
}

/// Where the threads' time went. The classes partition it.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// Sum of the lifetimes of all threads OpenMP knows, ns.
    pub total_ns: u64,
    /// Nanoseconds per class, in [`Class::ALL`]'s order; classes without time are zero.
    pub by_class: [u64; Class::COUNT],
    /// Sum of the classes / [`Budget::total_ns`]: 1.0 when every nanosecond has its class.
    pub accounted: f64,
    /// Mean of useful time over the threads / recorded time, serial work included:
    /// Σ useful / ([`Header::threads`] · [`Header::recorded_ns`]).
    pub parallel_efficiency: f64,
    /// Σ useful / recorded time: how many threads did useful work on average.
    pub average_concurrency: f64,
}

impl Budget {
    /// Nanoseconds of `class`.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        self.by_class[class as usize]
    }
}

/// The class of a thread's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// User code inside a parallel region, tasks included.
    Useful,
    /// User code of an initial thread outside every region.
    Serial,
    /// Waiting at a barrier for threads that had not arrived yet.
    Imbalance,
    /// At a barrier that all threads had reached: its own cost.
    Barrier,
    /// Waiting for a lock, critical, ordered or atomic.
    Mutex,
    /// Waiting in taskwait or at the end of a taskgroup.
    Taskwait,
    /// At a barrier while tasks of the team were under way: none of them was ready for the thread.
    Starved,
    /// Handing out chunks of loops.
    Dispatch,
    /// User code without a processor, which the system's scheduler gave to another thread, and
    /// waiting at the end of regions for a thread to which that happened.
    Scheduler,
    /// Starting and ending regions: fork until the thread's own start, join after the release.
    ForkJoin,
    /// A worker without work while no region ran at all.
    SerialIdle,
    /// A worker without work while a region ran to which it did not belong.
    SpareIdle,
    /// Recording was paused by the program.
    Paused,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 13;

    /// Every class, in the order of [`Budget::by_class`].
    pub const ALL: [Class; Class::COUNT] = [
        Class::Useful,
        Class::Serial,
        Class::Imbalance,
        Class::Barrier,
        Class::Mutex,
        Class::Taskwait,
        Class::Starved,
        Class::Dispatch,
        Class::Scheduler,
        Class::ForkJoin,
        Class::SerialIdle,
        Class::SpareIdle,
        Class::Paused,
    ];

    /// A short English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Class::Useful => "useful work",
            Class::Serial => "serial work",
            Class::Imbalance => "load imbalance",
            Class::Barrier => "barriers themselves",
            Class::Mutex => "locks & criticals",
            Class::Taskwait => "waiting for tasks",
            Class::Starved => "too few ready tasks",
            Class::Dispatch => "handing out chunks",
            Class::Scheduler => "without a processor",
            Class::ForkJoin => "fork/join",
            Class::SerialIdle => "idle in serial code",
            Class::SpareIdle => "idle beside a smaller team",
            Class::Paused => "not recorded (paused)",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One thread that OpenMP knew.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    /// Number in the order of appearance.
    pub number: u32,
    /// The system's thread id.
    pub tid: u32,
    /// True for an initial thread: the program's first, or a foreign one that met OpenMP.
    pub initial: bool,
    /// First event, relative to the start of the recording, ns.
    pub begin_ns: u64,
    /// End of the thread or of the recording, relative to its start, ns.
    pub end_ns: u64,
    /// Nanoseconds per class, in [`Class::ALL`]'s order; they sum to `end_ns - begin_ns`.
    pub by_class: [u64; Class::COUNT],
}

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
    /// Of the calls, those with a team of one thread.
    pub serialized: u64,
    /// Of the calls, those inside another region.
    pub nested: u64,
    /// Σ mean useful / Σ max useful over the instances: 1.0 is perfect. `None` if nothing useful
    /// was measured.
    pub load_balance: Option<f64>,
    /// Σ over threads of useful time, ns; a nested region counts as work of the outer one.
    pub useful_ns: u64,
    /// Upper bounds of what could be won, in wall time.
    pub gain: Gain,
    /// The worksharing constructs in it, as the runtime named them, by executions.
    pub worksharing: Vec<Worksharing>,
    /// The explicit tasks that its threads executed; `None` if there were none.
    pub tasking: Option<Tasking>,
}

/// The explicit tasks of a region, over all its instances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tasking {
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
}

/// Upper bounds of what could be won in wall time: per instance, the lost time of all its threads
/// divided by their number, ns. The parts and `useful / threads` sum to the wall time of a region
/// outside every other; a region inside another one counts as much less as the team of the outer
/// one has threads, and no region's gains are more than the time in which an instance of it ran.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gain {
    /// Waiting at barriers (those inside the region too) for the last to arrive, without what
    /// [`Gain::mutex_ns`] has of it.
    pub imbalance_ns: u64,
    /// Barriers that all had reached.
    pub barrier_ns: u64,
    /// By how much sooner the last thread would have arrived at the barriers if no thread had
    /// waited for locks, criticals, ordered and atomic.
    pub mutex_ns: u64,
    /// Waiting in taskwait or at the end of a taskgroup.
    pub taskwait_ns: u64,
    /// Waiting at barriers while tasks were under way, none of them ready.
    pub starved_ns: u64,
    /// Handing out chunks of loops.
    pub dispatch_ns: u64,
    /// User code without a processor, and waiting for such a thread.
    pub scheduler_ns: u64,
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
            + self.fork_join_ns
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
            ("fork/join", self.fork_join_ns),
        ]
        .into_iter()
        .max_by_key(|part| part.1)
        .filter(|part| part.1 > 0)
    }
}

/// A worksharing construct of a region.
#[derive(Debug, Clone, PartialEq)]
pub struct Worksharing {
    /// The kind of worksharing construct.
    pub kind: WorkKind,
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// Executions, summed over threads.
    pub executions: u64,
    /// Iterations (sections, …) of all executions of the construct, counted once per team as far
    /// as the runtime tells; 0 if it did not.
    pub iterations: u64,
    /// Chunks handed out; `None` where the runtime reports none.
    pub chunks: Option<u64>,
}

/// OMPT's work types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkKind {
    /// A worksharing loop whose schedule the runtime does not tell.
    Loop,
    /// `sections`.
    Sections,
    /// `single`, the executing thread and the others.
    Single,
    /// `workshare` of Fortran.
    Workshare,
    /// `distribute`: iterations over the teams of a league.
    Distribute,
    /// `taskloop`.
    Taskloop,
    /// `scope`.
    Scope,
    /// A loop of static schedule.
    LoopStatic,
    /// A loop of dynamic schedule.
    LoopDynamic,
    /// A loop of guided schedule.
    LoopGuided,
    /// A loop of a schedule that is none of the three.
    LoopOther,
    /// A number this version does not know.
    Other(u8),
}

impl WorkKind {
    /// Whether the construct is a worksharing loop.
    #[must_use]
    pub fn is_loop(self) -> bool {
        matches!(
            self,
            WorkKind::Loop
                | WorkKind::LoopStatic
                | WorkKind::LoopDynamic
                | WorkKind::LoopGuided
                | WorkKind::LoopOther
        )
    }

    /// As one would write the construct.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Loop => "for",
            WorkKind::Sections => "sections",
            WorkKind::Single => "single",
            WorkKind::Workshare => "workshare",
            WorkKind::Distribute => "distribute",
            WorkKind::Taskloop => "taskloop",
            WorkKind::Scope => "scope",
            WorkKind::LoopStatic => "for static",
            WorkKind::LoopDynamic => "for dynamic",
            WorkKind::LoopGuided => "for guided",
            WorkKind::LoopOther => "for (other schedule)",
            WorkKind::Other(_) => "worksharing",
        }
    }
}

/// A loop, or sections, of a region: its chunks over all executions.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The region it was met in.
    pub region: Option<SiteId>,
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The kind of construct, with its schedule where the runtime tells it.
    pub kind: WorkKind,
    /// Threads that were given chunks.
    pub threads: u32,
    /// Executions by a thread that was given at least one chunk.
    pub executions: u64,
    /// Iterations (sections) in the chunks.
    pub iterations: u64,
    /// The largest number of iterations of the whole construct; 0 if the runtime did not tell.
    pub count: u64,
    /// Chunks handed out.
    pub chunks: u64,
    /// Smallest and largest chunk, in iterations.
    pub sizes: (u64, u64),
    /// Σ over threads of the time in the construct, without the barrier at its end, ns.
    pub time_ns: u64,
    /// Bound of what handing out the chunks took of it, ns: for each chunk the time until the next
    /// one, but at most 200 ns, since a recording shows only the two together.
    pub dispatch_ns: u64,
    /// The longest chunk, ns.
    pub longest_ns: u64,
    /// The time of the chunks in each quarter of the iterations, ns; from a sample where chunks are
    /// short, all in the first where the runtime does not tell the iterations.
    pub parts_ns: [u64; 4],
}

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
    /// Tasks with dependences.
    pub dependent: u64,
    /// Upper bound of the times of each bin, ns, and how many tasks are in it; the last bin has no
    /// bound. Empty bins are left out.
    pub times: Vec<(u64, u64)>,
}

impl TaskConstruct {
    /// Mean time of a task, ns.
    #[must_use]
    pub fn mean_ns(&self) -> u64 {
        self.time_ns / self.count.max(1)
    }

    /// Upper bound of the bin in which the median lies, ns.
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

/// A barrier inside regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Barrier {
    /// The barrier; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// Why the barrier is there.
    pub kind: BarrierKind,
    /// The region it was met in.
    pub region: Option<SiteId>,
    /// Times a thread passed it.
    pub passes: u64,
    /// The worksharing construct that it ends, where the runtime tells.
    pub ends: Option<WorkKind>,
    /// Σ over threads of the wait, task execution in it subtracted, ns: imbalance + cost +
    /// starved.
    pub wait_ns: u64,
    /// Part of the wait until the last thread arrived, ns.
    pub imbalance_ns: u64,
    /// Part of the wait after the last thread arrived, ns.
    pub cost_ns: u64,
    /// Part of the wait during which tasks were under way, none of them ready, ns.
    pub starved_ns: u64,
}

/// Why a barrier is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarrierKind {
    /// The directive.
    Explicit,
    /// The end of a worksharing construct.
    Workshare,
    /// The end of a region.
    Parallel,
    /// The end of a teams region.
    Teams,
    /// One the runtime added.
    Implementation,
    /// The runtime did not say.
    Unspecified,
}

/// Waiting for locks at one site.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutex {
    /// The kind of mutual exclusion.
    pub kind: MutexKind,
    /// Where the waiting threads asked for it.
    pub site: Option<SiteId>,
    /// Distinct locks asked for at the site.
    pub locks: u64,
    /// Acquisitions at the site, over all threads.
    pub acquisitions: u64,
    /// Acquisitions during whose wait another thread held the lock.
    pub contended: u64,
    /// Σ over threads of (acquired − asked), ns: Σ holders + handoff + unattributed.
    pub wait_ns: u64,
    /// The longest wait, ns.
    pub max_wait_ns: u64,
    /// Σ over holds acquired at this site, ns.
    pub hold_ns: u64,
    /// The longest hold, ns.
    pub max_hold_ns: u64,
    /// The sites whose holds overlapped the waits, by time, largest first.
    pub holders: Vec<Holder>,
    /// Part of the wait in which no thread held the lock: the hand-off, and the call itself, ns.
    pub handoff_ns: u64,
    /// Part of the wait whose holder was no longer known, ns.
    pub unattributed_ns: u64,
    /// Upper bound of what could be won in wall time if no thread waited here, ns: the site's part
    /// of [`Gain::mutex_ns`] of the regions in which threads waited.
    pub gain_ns: u64,
}

/// The part of the waits at one site that the holds acquired at another site caused.
#[derive(Debug, Clone, PartialEq)]
pub struct Holder {
    /// Where the holder had acquired it.
    pub site: Option<SiteId>,
    /// Σ of the waits that fell into its holds, ns.
    pub blame_ns: u64,
}

/// OMPT's kinds of mutual exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutexKind {
    /// A lock of `omp_set_lock` and `omp_test_lock`.
    Lock,
    /// A nestable lock.
    NestLock,
    /// `critical`.
    Critical,
    /// `atomic`, where the runtime takes a lock for it.
    Atomic,
    /// `ordered`.
    Ordered,
    /// A number this version does not know.
    Other(u8),
}

impl MutexKind {
    /// As the specification calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MutexKind::Lock => "lock",
            MutexKind::NestLock => "nest lock",
            MutexKind::Critical => "critical",
            MutexKind::Atomic => "atomic",
            MutexKind::Ordered => "ordered",
            MutexKind::Other(_) => "mutex",
        }
    }
}

/// Code an initial thread ran outside every region, named by its surroundings.
#[derive(Debug, Clone, PartialEq)]
pub struct SerialStretch {
    /// The region that ended before it; `None`: the start of the thread.
    pub after: Option<SiteId>,
    /// The region that began after it; `None`: the end of the thread.
    pub before: Option<SiteId>,
    /// How often a thread went from the one region to the other.
    pub count: u64,
    /// Sum of these stretches, ns.
    pub total_ns: u64,
    /// The longest of them, ns.
    pub max_ns: u64,
    /// `total · (n − 1) / n` with n = [`Header::threads`]: the upper bound of what running it in
    /// parallel could win, ns.
    pub gain_ns: u64,
}

/// The code that threads executed when they were sampled.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Samples of the program's own code.
    pub taken: u64,
    /// Those among them whose call path could not be followed to the start of its thread.
    pub incomplete: u64,
    /// Samples that could not be taken.
    pub lost: u64,
    /// The processor time between two samples of a thread, ns.
    pub period_ns: u64,
    /// By function, most samples first.
    pub code: Vec<HotCode>,
    /// The code of serial stretches, most samples first.
    pub stretches: Vec<HotStretch>,
}

/// A function and its samples.
#[derive(Debug, Clone, PartialEq)]
pub struct HotCode {
    /// Its name, as in [`crate::calls::CallNode::function`].
    pub function: String,
    /// Short name of its module, where that is known.
    pub module: Option<String>,
    /// File and line with the most samples.
    pub line: Option<(String, u32)>,
    /// Samples in the function itself.
    pub samples: u64,
    /// Those among them that were taken outside every region.
    pub serial: u64,
}

/// The code of a [`SerialStretch`].
#[derive(Debug, Clone, PartialEq)]
pub struct HotStretch {
    /// [`SerialStretch::after`].
    pub after: Option<SiteId>,
    /// [`SerialStretch::before`].
    pub before: Option<SiteId>,
    /// Samples in all instances of the stretch.
    pub samples: u64,
    /// Those functions that have most of them; what the C library does counts for its caller.
    pub code: Vec<HotCode>,
}

/// How far the numbers can be trusted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quality {
    /// Why no call paths were sampled, unless they were, or the user did not want them.
    pub unsampled: Option<String>,
    /// Events read.
    pub events: u64,
    /// Region instances, barriers and lock operations that were summed up in the program instead
    /// of being recorded one by one; their numbers are exact all the same.
    pub folded: u64,
    /// Explicit tasks that were only summed up, likewise.
    pub folded_tasks: u64,
    /// CPU time of threads that OpenMP does not know, the collector's own included, ns; `None` if
    /// it was not measured.
    pub unseen_cpu_ns: Option<u64>,
    /// Events that could not be recorded; above zero the numbers are too small.
    pub lost_events: u64,
    /// Chunks that were still being written when the program went away.
    pub open_chunks: u64,
    /// Chunks that are lost, wholly or in part, because they are damaged.
    pub lost_chunks: u64,
    /// The damage of each of these chunks, and the missing parts of threads, in words.
    pub damaged: Vec<String>,
    /// Deviations of the runtime that were repaired: short name and how often.
    pub repaired: Vec<(&'static str, u64)>,
    /// Events that fitted nowhere: short name and how often.
    pub anomalies: Vec<(&'static str, u64)>,
    /// Why recording stopped early, in the collector's words.
    pub stopped: Option<String>,
}
