//! The classes of threads' time, and the budget that they form.

use std::fmt;

/// Where the threads' time went. The classes partition it.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// Sum of the lifetimes of all threads OpenMP knows, ns.
    pub total_ns: u64,
    /// Nanoseconds per class, in [`Class::ALL`]'s order; classes without time are zero.
    pub by_class: [u64; Class::COUNT],
    /// Sum of the classes / [`Budget::total_ns`]: 1.0 when every nanosecond has its class.
    pub accounted: f64,
    /// Mean of the threads' work / recorded time:
    /// [`Budget::work_ns`] / ([`Header::threads`] · [`Header::recorded_ns`]).
    ///
    /// [`Header::threads`]: super::Header::threads
    /// [`Header::recorded_ns`]: super::Header::recorded_ns
    pub parallel_efficiency: f64,
    /// [`Budget::work_ns`] / recorded time: how many threads worked on average.
    pub average_concurrency: f64,
}

impl Budget {
    /// Nanoseconds of `class`.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        self.by_class[class as usize]
    }

    /// What threads worked: user code in regions, which is useful work, and outside of them, which
    /// is serial work, ns. Efficiency and concurrency are of this sum.
    #[must_use]
    pub fn work_ns(&self) -> u64 {
        self.class_ns(Class::Useful).saturating_add(self.class_ns(Class::Serial))
    }

    /// [`Budget::total_ns`] without pauses: shares of the threads' time are shares of this.
    #[must_use]
    pub fn recorded_ns(&self) -> u64 {
        self.total_ns.saturating_sub(self.class_ns(Class::Paused))
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
    /// An initial thread outside every region that neither computed nor lacked a processor: it
    /// waited for input, a child or another thread.
    SerialWait,
    /// User code inside a parallel region that neither computed nor lacked a processor: it waited
    /// in a system call (a lock that is not OpenMP's, input, a sleep), or for a page of memory.
    Blocked,
    /// Waiting at a barrier for threads that had not arrived yet.
    Imbalance,
    /// At a barrier that all threads had reached: its own cost.
    Barrier,
    /// Waiting for a lock, critical, ordered or atomic, or for another iteration of a doacross loop
    /// nest.
    Mutex,
    /// Waiting in taskwait or at the end of a taskgroup.
    Taskwait,
    /// At a barrier while tasks of the team were under way: none of them was ready for the thread.
    Starved,
    /// Handing out chunks of loops.
    Dispatch,
    /// User code without a processor, which the system's scheduler gave to another thread; and
    /// waiting at the end of regions for a thread that lost its processor in this way.
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
    pub const COUNT: usize = 15;

    /// Every class, in the order of [`Budget::by_class`].
    pub const ALL: [Class; Class::COUNT] = [
        Class::Useful,
        Class::Serial,
        Class::SerialWait,
        Class::Blocked,
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
            Class::SerialWait => "waiting in serial code",
            Class::Blocked => "blocked in regions",
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
