//! Worksharing loops and sections, from sums that the threads formed.

pub mod costs;

pub(crate) mod chunks;
pub(crate) mod sampled;
