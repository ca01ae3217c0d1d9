//! Explicit tasks: their sums by construct, when they ran, and for which of them threads waited.

pub(crate) mod course;
pub(crate) mod sums;
pub(crate) mod waits;
