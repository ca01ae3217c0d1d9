//! Positions in the entries of explicit tasks.

#[cfg(doc)]
use super::FoldKind;

/// Positions in a [`FoldKind::Tasks`] entry.
pub mod tasks {
    /// Tasks that ended on the thread.
    pub const COUNT: usize = 0;
    /// Sum of their times, without those in which they waited, in ticks.
    pub const TIME: usize = 1;
    /// The longest time, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 2;
    /// Sum over the tasks that began on the thread of the times from creation to begin, in ticks.
    pub const QUEUED: usize = 3;
    /// Tasks that began on another thread than the one that created them.
    pub const STOLEN: usize = 4;
    /// The deepest task: children of implicit tasks have depth 1. Readers take the largest.
    pub const DEPTH: usize = 5;
    /// Sum of the short times between the end of a task and the begin of the next one on the same
    /// thread, in ticks: what scheduling a task takes; longer ones are waits for tasks.
    pub const BETWEEN: usize = 6;
    /// How many such times there were.
    pub const GAPS: usize = 7;
    /// Tasks with dependences.
    pub const DEPENDENT: usize = 8;
    /// Sum of the short times from the creation of a task to that of the next one by the same
    /// thread, with no other event of a task in between, in ticks.
    pub const CREATING: usize = 9;
    /// How many such times there were.
    pub const CREATIONS: usize = 10;
    /// Tasks among [`COUNT`] that were only counted: the times are those of the others.
    pub const UNTIMED: usize = 11;

    /// Bins of a [`super::FoldKind::TaskTimes`] entry, each four times as long as the one before;
    /// shorter and longer tasks are in the first and the last.
    pub const BINS: usize = 12;
    /// Binary logarithm of the ticks at which the second bin begins.
    pub const FIRST: u32 = 8;

    /// The bin of a task that took so many ticks.
    #[must_use]
    pub const fn bin(ticks: u64) -> usize {
        let bin = match ticks.checked_ilog2() {
            Some(exponent) if exponent >= FIRST => (exponent - FIRST) as usize / 2 + 1,
            _ => 0,
        };
        if bin < BINS { bin } else { BINS - 1 }
    }
}

/// Positions in a [`FoldKind::TaskForms`] entry.
pub mod forms {
    /// Tasks that are undeferred: the thread that creates one executes it at once.
    pub const UNDEFERRED: usize = 0;
    /// Tasks whose code was over before their event was fulfilled.
    pub const DETACHED: usize = 1;
}

/// Positions in a [`FoldKind::Span`] entry.
pub mod span {
    /// Regions in which tasks were created.
    pub const REGIONS: usize = 0;
    /// Sum over them of the longest chain: of tasks by creation, dependence and waiting for
    /// children, without the time in which they waited, in ticks.
    pub const SPAN: usize = 1;
    /// Sum of their times from fork to join, in ticks.
    pub const WALL: usize = 2;
}
