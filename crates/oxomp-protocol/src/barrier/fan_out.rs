//! The tree by which the workers of a team are released at the begin of a region.

use core::ops::Range;

/// The most workers that a thread releases before it starts its own share. In a team of up to eight
/// threads thread 0 releases all workers: a release costs 20 ns where the dock's line is in another
/// core's cache (`parallel`).
const FAN_OUT: u32 = 7;

/// The largest team of which thread 0 releases all workers.
pub const FLAT: u32 = FAN_OUT + 1;

/// The numbers of the workers that thread `from` releases in a team of `size` threads. Each worker
/// is released by one thread, whose number is less than its own.
#[inline(always)]
pub fn released_by(from: u32, size: u32) -> Range<u32> {
    let first = from * FAN_OUT + 1;
    first..(first + FAN_OUT).min(size)
}
