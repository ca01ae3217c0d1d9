//! Cost curves: the time of a loop's iterations over its iteration space.
//!
//! A thread has one for each loop whose chunks it is handed one after the other, and updates it in
//! place. Times are ticks, as measured: where chunks are short only a part of them is.

use crate::layout::{CHUNK_PAYLOAD, u32_at, u64_at};

/// Equal parts of the iteration space.
pub const BINS: usize = 256;
/// Bytes of an entry.
pub const COST_SIZE: usize = 64 + BINS * 16;
/// Entries of a chunk: the loops of which a thread keeps curves.
pub const COSTS: usize = CHUNK_PAYLOAD / COST_SIZE;

/// The curve of one loop on one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CostEntry {
    /// 1: in use.
    pub used: u32,
    /// OMPT's work type of the loop.
    pub sub: u32,
    /// Code addresses of the region and of the loop.
    pub key: [u64; 2],
    /// The iterations of the loop's last execution, of which a bin is an equal part.
    pub count: u64,
    /// How often the number of iterations differed from that of the execution before.
    pub changes: u64,
    /// Chunks that were timed.
    pub timed: u64,
    /// Zero.
    pub spare: [u64; 2],
    /// Ticks that the timed chunks took in each bin, with handing out the chunk after each, and
    /// their iterations there.
    pub bins: [[u64; 2]; BINS],
}

const _: () = assert!(size_of::<CostEntry>() == COST_SIZE);

impl CostEntry {
    /// The entries in use in a chunk's payload.
    pub(crate) fn read_all(payload: &[u8]) -> impl Iterator<Item = Self> + '_ {
        payload.chunks_exact(COST_SIZE).filter(|bytes| u32_at(bytes, 0) == 1).map(Self::decode)
    }

    /// The curve as bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let first = u64::from(self.used) | u64::from(self.sub) << 32;
        let head = [first, self.key[0], self.key[1], self.count, self.changes, self.timed];
        let words = head.into_iter().chain(self.spare).chain(self.bins.into_iter().flatten());
        words.flat_map(u64::to_le_bytes).collect()
    }

    fn decode(bytes: &[u8]) -> Self {
        let word = |index: usize| u64_at(bytes, index * 8);
        Self {
            used: u32_at(bytes, 0),
            sub: u32_at(bytes, 4),
            key: [word(1), word(2)],
            count: word(3),
            changes: word(4),
            timed: word(5),
            spare: [word(6), word(7)],
            bins: std::array::from_fn(|bin| [word(8 + 2 * bin), word(9 + 2 * bin)]),
        }
    }
}
