//! Regions that took longer than the collector was told, and requests of the program, so that a
//! reader that follows the recording learns of each.
//!
//! The chunk's payload has room for [`MOST_SLOW`] entries of [`SLOW_SIZE`] bytes: the number of the
//! region among the slow ones, from 1, its code address, and the ticks at which it began and ended.
//! The next one takes the place of the oldest. The thread that ended the region stores the number
//! last, and 0 there before it changes anything.

use crate::layout::{CHUNK_PAYLOAD, u64_at};

/// Bytes of an entry.
pub const SLOW_SIZE: usize = 32;
/// The most entries.
pub const MOST_SLOW: usize = CHUNK_PAYLOAD / SLOW_SIZE;

/// A region that took long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlowRegion {
    /// Its code address.
    pub code: u64,
    /// When it began, in ticks.
    pub begin: u64,
    /// When it ended, in ticks.
    pub end: u64,
}

/// In the place of a code address: no region has ended, but the program asks for the recording of
/// the last seconds to be written.
pub const REQUEST: u64 = u64::MAX;

impl SlowRegion {
    /// Whether the program asks for the recording of the last seconds to be written.
    #[must_use]
    pub fn is_request(&self) -> bool {
        self.code == REQUEST
    }
}

/// The regions in a chunk's payload whose numbers are above `told`, by number.
pub(crate) fn slow_regions(payload: &[u8], told: u64) -> Vec<(u64, SlowRegion)> {
    let entries = payload.chunks_exact(SLOW_SIZE);
    let entries = entries.map(|bytes| [0, 8, 16, 24].map(|at| u64_at(bytes, at)));
    let new = entries.filter(|entry| entry[0] > told && entry[2] <= entry[3]);
    let mut regions: Vec<_> =
        new.map(|[number, code, begin, end]| (number, SlowRegion { code, begin, end })).collect();
    regions.sort_by_key(|(number, _)| *number);
    regions
}

#[cfg(test)]
mod tests {
    use super::{SlowRegion, slow_regions};

    #[test]
    fn each_region_is_told_once_and_none_that_cannot_be() {
        let words = [[4_u64, 7, 10, 30], [2, 5, 1, 2], [3, 6, 9, 8], [0, 0, 0, 0]];
        let payload: Vec<u8> = words.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
        let first = SlowRegion { code: 5, begin: 1, end: 2 };
        let second = SlowRegion { code: 7, begin: 10, end: 30 };
        assert_eq!(slow_regions(&payload, 0), [(2, first), (4, second)]);
        assert_eq!(slow_regions(&payload, 2), [(4, second)]);
        assert_eq!(slow_regions(&payload, 4), []);
    }
}
