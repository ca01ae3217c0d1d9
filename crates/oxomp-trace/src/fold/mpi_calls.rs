//! Positions in the entries of MPI's calls.

#[cfg(doc)]
use super::FoldKind;

/// Positions in a [`FoldKind::Mpi`] entry. Times are nanoseconds, unlike those of other kinds.
pub mod mpi {
    /// Calls that returned.
    pub const CALLS: usize = 0;
    /// Sum of their times, ns.
    pub const TIME_NS: usize = 1;
    /// The longest time, ns; readers take the largest over threads.
    pub const LONGEST_NS: usize = 2;
    /// Bytes that the process contributed.
    pub const BYTES: usize = 3;
}
