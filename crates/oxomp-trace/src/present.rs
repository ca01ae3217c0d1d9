//! What threads do while the recording is written: the collector's helper says so several times a
//! second, if a reader follows the recording.
//!
//! The sums of a thread's time reach up to its last event. What it has done since then, this tells:
//! a thread may compute, or wait, for minutes without an event.
//!
//! The chunk's payload is the tick at which the helper looked, the number of entries, and the
//! entries. The helper stores the tick last, and 0 there before it changes anything.

use crate::layout::{CHUNK_PAYLOAD, u32_at, u64_at};

/// Bytes before the first entry.
pub const PRESENT_HEADER: usize = 16;
/// Bytes of an entry.
pub const PRESENT_SIZE: usize = 40;
/// The most threads that the collector tells about.
pub const MOST_PRESENT: usize = (CHUNK_PAYLOAD - PRESENT_HEADER) / PRESENT_SIZE;

/// What one thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Present {
    /// Since when the thread does it, in ticks.
    pub since: u64,
    /// The code address of the region in which it is; 0 outside every region.
    pub code: u64,
    /// The system's id of the thread.
    pub tid: u32,
    /// What it does.
    pub doing: Doing,
    /// Of user code: for how long it was ready without a processor, in ticks.
    pub taken: u64,
    /// Of user code: for how long it was blocked, in ticks.
    pub blocked: u64,
}

/// What a thread does. One that does neither is an idle worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Doing {
    /// It executes user code.
    Computes = 1,
    /// It waits in a region, at a barrier or for tasks.
    Waits = 2,
}

/// What the threads did when the helper last looked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PresentThreads {
    /// When it looked, in ticks.
    pub(crate) tick: u64,
    pub(crate) threads: Vec<Present>,
}

impl Present {
    /// The entry as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; PRESENT_SIZE] {
        let mut bytes = [0; PRESENT_SIZE];
        bytes[..8].copy_from_slice(&self.since.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.code.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.tid.to_le_bytes());
        bytes[20..24].copy_from_slice(&(self.doing as u32).to_le_bytes());
        bytes[24..32].copy_from_slice(&self.taken.to_le_bytes());
        bytes[32..].copy_from_slice(&self.blocked.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let doing = match u32_at(bytes, 20) {
            1 => Doing::Computes,
            2 => Doing::Waits,
            _ => return None,
        };
        Some(Self {
            since: u64_at(bytes, 0),
            code: u64_at(bytes, 8),
            tid: u32_at(bytes, 16),
            doing,
            taken: u64_at(bytes, 24),
            blocked: u64_at(bytes, 32),
        })
    }
}

impl PresentThreads {
    /// What a chunk's payload tells; `None` while the helper writes it. An entry that cannot be is
    /// left out.
    pub(crate) fn read(payload: &[u8]) -> Option<Self> {
        if payload.len() < PRESENT_HEADER {
            return None;
        }
        let (tick, count) = (u64_at(payload, 0), u64_at(payload, 8));
        let entries = payload[PRESENT_HEADER..].chunks_exact(PRESENT_SIZE);
        let threads = entries.take(count as usize).filter_map(Present::decode);
        let threads = threads.filter(|thread| thread.since <= tick).collect();
        (tick != 0).then_some(Self { tick, threads })
    }
}

#[cfg(test)]
mod tests {
    use super::{Doing, Present, PresentThreads};

    #[test]
    fn entries_survive_their_bytes_unless_they_are_impossible() {
        let doing = Doing::Waits;
        let waits = Present { since: 4, code: u64::MAX, tid: 7, doing, taken: 2, blocked: 3 };
        let computes = Present { doing: Doing::Computes, ..waits };
        let later = Present { since: 10, ..waits };
        let payload = |tick: u64| {
            let mut payload: Vec<u8> =
                [tick, 3].iter().flat_map(|word| word.to_le_bytes()).collect();
            payload.extend([waits, later, computes, computes].iter().flat_map(Present::encode));
            payload
        };
        let threads = vec![waits, computes];
        assert_eq!(PresentThreads::read(&payload(9)), Some(PresentThreads { tick: 9, threads }));
        assert_eq!(PresentThreads::read(&payload(0)), None, "it is being written");
        assert_eq!(PresentThreads::read(&[0; 8]), None);
    }
}
