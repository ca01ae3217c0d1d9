//! The classes of waits inside a region.

use oxomp_trace::fold::thread;

/// Positions in the sums of waits inside a region.
pub(crate) const MUTEX: usize = 0;
pub(crate) const TASKWAIT: usize = 1;
pub(crate) const IMBALANCE: usize = 2;
pub(crate) const BARRIER: usize = 3;
pub(crate) const STARVED: usize = 4;
/// How many there are.
pub(crate) const WAIT_CLASSES: usize = 5;

/// The classes of [`thread`] that belong to the positions above.
pub(crate) const INNER_CLASSES: [usize; WAIT_CLASSES] =
    [thread::MUTEX, thread::TASKWAIT, thread::IMBALANCE, thread::BARRIER, thread::STARVED];
