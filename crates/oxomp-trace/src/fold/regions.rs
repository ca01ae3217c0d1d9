//! Positions in the entries of regions and barriers.

#[cfg(doc)]
use super::{Extremes, FoldKind};

/// Positions in a [`FoldKind::Region`] entry. The gains are per instance divided by the team, and
/// by the teams around it.
pub mod region {
    /// How many instances ended.
    pub const CALLS: usize = 0;
    /// Sum of the instances' times from fork to join, in ticks.
    pub const WALL: usize = 1;
    /// [`Extremes`](super::Extremes) of the teams; 0: none yet.
    pub const TEAM: usize = 2;
    /// Instances with a team of one thread.
    pub const SERIALIZED: usize = 3;
    /// Useful time, summed over threads and instances, in ticks.
    pub const USEFUL: usize = 4;
    /// What the threads of an instance computed, divided by the team's size: their useful time
    /// without the time in which they were blocked or lacked a processor; summed over instances, in
    /// ticks. Before version 1.6 that was not taken off, here and in [`MAX_COMPUTED`].
    pub const MEAN_COMPUTED: usize = 5;
    /// What the thread that computed most in an instance has computed, summed over instances, in
    /// ticks.
    pub const MAX_COMPUTED: usize = 6;
    /// Gain: waiting at barriers for threads that had not arrived, without what [`MUTEX`] has of
    /// it.
    pub const IMBALANCE: usize = 7;
    /// Gain: barriers after the last arrival.
    pub const BARRIER: usize = 8;
    /// Gain: by how much sooner the last thread would have arrived at the barriers without waits
    /// for locks, criticals, ordered and atomic.
    pub const MUTEX: usize = 9;
    /// Gain: waiting in taskwait or at the end of a taskgroup.
    pub const TASKWAIT: usize = 10;
    /// Gain: from the fork to each thread's start, and from the release to the join.
    pub const FORK_JOIN: usize = 11;
}

/// Positions in a [`FoldKind::Starved`] entry.
pub mod starved {
    /// Gain of the region: as those of [`super::region`].
    pub const GAIN: usize = 0;
}

/// Positions in a [`FoldKind::Instances`] entry.
pub mod instances {
    /// Instances whose events were recorded and that are in no other sum, before version 1.4.
    pub const RECORDED: usize = 0;
    /// Sum of their times from fork to join, in ticks.
    pub const RECORDED_WALL: usize = 1;
    /// Instances that were timed.
    pub const TIMED: usize = 2;
    /// Sum of their times from fork to join, in ticks.
    pub const TIMED_WALL: usize = 3;
    /// Instances of which only the begin and the end were looked at, by the primary thread.
    pub const COUNTED: usize = 4;
    /// Sum of their times from fork to join, in ticks.
    pub const COUNTED_WALL: usize = 5;
    /// 1: regions began inside of an instance, so that no instance is only counted any more.
    pub const NESTS: usize = 6;
}

/// Positions in a [`FoldKind::Barrier`] entry.
pub mod barrier {
    /// How often the thread passed the barrier.
    pub const PASSES: usize = 0;
    /// Waiting for threads that had not arrived, in ticks.
    pub const IMBALANCE: usize = 1;
    /// From the last arrival to the thread's release, in ticks.
    pub const COST: usize = 2;
    /// Waiting while tasks of the team were under way, none of them ready, in ticks.
    pub const STARVED: usize = 3;
}
