//! Positions in the entries of what other sums must agree with, and of what they lack.

#[cfg(doc)]
use super::FoldKind;

/// Positions in a [`FoldKind::Counts`] entry.
pub mod counts {
    /// Regions that began, those that are only counted included.
    pub const REGIONS_BEGUN: usize = 0;
    /// Regions that ended.
    pub const REGIONS_ENDED: usize = 1;
    /// Implicit tasks that began in regions that are timed.
    pub const MEMBERS_BEGUN: usize = 2;
    /// Of those, how many arrived at the end of their region.
    pub const MEMBERS_ARRIVED: usize = 3;
    /// The sizes of the teams of timed regions that ended on the thread, as far as the begin of its
    /// own implicit task told them.
    pub const SIZES: usize = 4;
    /// Explicit tasks that were created, without those of [`super::left_out::TASKS`].
    pub const TASKS_CREATED: usize = 5;
    /// Explicit tasks that ended.
    pub const TASKS_ENDED: usize = 6;
    /// Barriers inside regions that the thread passed.
    pub const BARRIERS: usize = 7;
    /// Mutexes that were acquired.
    pub const ACQUIRED: usize = 8;
    /// Mutexes that were released, by the thread that had acquired them.
    pub const RELEASED: usize = 9;
    /// Worksharing constructs that ended: executions of [`super::FoldKind::Work`].
    pub const WORKS: usize = 10;
    /// The implicit tasks that had arrived in the regions of [`SIZES`], at their ends.
    pub const ARRIVED: usize = 11;
}

/// Positions in a [`FoldKind::LeftOut`] entry.
pub mod left_out {
    /// Mutexes that a thread held besides sixteen others, or of whose release it told so late that
    /// the mutex's next owners are forgotten: the sums have their acquisitions, but not how long
    /// they were held.
    pub const HOLDS: usize = 0;
    /// Acquisitions of mutexes whose holders are not followed, since many others are.
    pub const UNFOLLOWED: usize = 1;
    /// Waits inside too many others: their time counts as that of user code.
    pub const WAITS: usize = 2;
    /// Explicit tasks of which nothing is known, since the creating thread had too many that had
    /// not ended.
    pub const TASKS: usize = 3;
    /// Dependences of tasks that are missing in the longest chains.
    pub const DEPENDENCES: usize = 4;
    /// Executions of loops for whose iterations no costs are kept.
    pub const CURVES: usize = 5;
    /// Worksharing constructs inside too many others, whose iterations are in no sum.
    pub const WORKS: usize = 6;
    /// Explicit tasks that a cancellation discarded: they were created, and never begin.
    pub const DISCARDED: usize = 7;
}
