//! A cache line of one's own.

/// A value on a line of its own, and the neighbour that the prefetcher takes along.
#[repr(align(128))]
#[derive(Debug)]
pub struct Line<T>(pub T);
