//! A value that shares its cache line with no other.

/// A value alone on a pair of cache lines: its own, and the adjacent one that the prefetcher
/// fetches along.
#[repr(align(128))]
#[derive(Debug)]
pub struct Line<T>(pub T);
