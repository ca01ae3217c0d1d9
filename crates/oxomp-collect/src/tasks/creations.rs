//! The tasks that a thread has created last.

/// The creations of tasks at one place, one directly after the other, that a thread has not added
/// to its sums yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Creations {
    pub(super) code: u64,
    /// The last creation; 0: another event of a task came after it.
    pub(super) at: u64,
    pub(super) ticks: u64,
    pub(super) count: u64,
}

impl Creations {
    pub(crate) const NONE: Self = Self { code: 0, at: 0, ticks: 0, count: 0 };
}
