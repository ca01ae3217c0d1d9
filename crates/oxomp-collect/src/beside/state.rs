//! What a thread is in around a region.

use crate::tasks::Node;

/// What a thread is in when it begins a region, or its part in one. Nothing of this orders the
/// threads of the region.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside {
    /// Depths of the thread's stacks: of waits and tasks, worksharing constructs, and mutexes that
    /// it holds.
    pub(crate) waits: u16,
    pub(super) works: u16,
    pub(super) held: u16,
    pub(super) counted_holds: u16,
    /// The task that the thread executes.
    pub(super) task: Option<&'static Node>,
}

impl Outside {
    /// The state of a thread outside every wait, task, construct and mutex.
    pub(super) const NONE: Self =
        Self { waits: 0, works: 0, held: 0, counted_holds: 0, task: None };
}
