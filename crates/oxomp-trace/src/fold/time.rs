//! Positions in the entries of threads' time.

#[cfg(doc)]
use super::FoldKind;

/// Positions in a [`FoldKind::Thread`] entry.
pub mod thread {
    /// User code inside regions, tasks included.
    pub const USEFUL: usize = 0;
    /// User code of an initial thread outside every region.
    pub const SERIAL: usize = 1;
    /// Waiting at a barrier for threads that had not arrived.
    pub const IMBALANCE: usize = 2;
    /// At a barrier after the last arrival: the barrier's own cost.
    pub const BARRIER: usize = 3;
    /// Waiting for locks, criticals, ordered and atomic.
    pub const MUTEX: usize = 4;
    /// Waiting in taskwait or at the end of a taskgroup.
    pub const TASKWAIT: usize = 5;
    /// From a fork to the thread's own start, and from the release to the region's end.
    pub const FORK_JOIN: usize = 6;
    /// A worker without work while no region ran.
    pub const SERIAL_IDLE: usize = 7;
    /// A worker without work while a region ran to which it did not belong.
    pub const SPARE_IDLE: usize = 8;
    /// Not a time: the tick up to which the time is in the sums.
    pub const UNTIL: usize = 9;
    /// Not a time: events that no sum shows (regions inside folded ones).
    pub const HIDDEN: usize = 10;
    /// Waiting at a barrier while tasks of the team were under way, none of them ready.
    pub const STARVED: usize = 11;
}

/// Positions in a [`FoldKind::Short`] entry, whose `key[0]` is that of [`FoldKind::Thread`]. The
/// positions from [`thread::USEFUL`] to [`thread::FORK_JOIN`], and [`thread::STARVED`], hold the
/// time in the timed instances of short regions that have other instances which were only counted.
pub mod short {
    /// Time in regions that were only counted.
    pub const COUNTED: usize = 7;
}

/// Positions in a [`FoldKind::Serial`] entry.
pub mod serial {
    /// How often a thread went from the one region to the other.
    pub const COUNT: usize = 0;
    /// Sum of these stretches, in ticks.
    pub const TIME: usize = 1;
    /// The longest of them, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 2;
    /// The part of their time in which the thread was in constructs for devices, in ticks.
    pub const OFFLOADED: usize = 3;
}

/// Positions in a [`FoldKind::Scheduler`] entry.
pub mod scheduler {
    /// Time in user code in which the thread was ready but had no processor, in ticks.
    pub const TAKEN: usize = 0;
    /// Stretches of user code of which the scheduler took something.
    pub const STRETCHES: usize = 1;
    /// At the end of regions to which the thread came last: by how much the waits of all threads
    /// for the last one would have been shorter without that, in ticks.
    pub const WAITS: usize = 2;
    /// At the end of regions to which the thread came last: by how much the waits of all threads
    /// for the last one would have been longer without that, in ticks.
    pub const HIDDEN_WAITS: usize = 3;
    /// Time in user code in which the thread was not ready, in ticks: it waited in a system call,
    /// or for a page.
    pub const BLOCKED: usize = 4;
    /// Stretches of which the system did not tell the two times apart: they are a guess by the
    /// numbers of context switches.
    pub const GUESSED: usize = 5;
}
