//! The numbers of tracks.

/// The tracks of the process and of the counter; those of threads follow.
pub(super) const PROCESS: u64 = 1;
pub(super) const COUNTER: u64 = 2;
const FIRST_THREAD: u64 = 16;

/// The track of a thread.
pub(super) fn track_of(thread: usize) -> u64 {
    FIRST_THREAD + thread as u64
}
