//! A thread's samples with its registers, in the recording's file.
//!
//! The thread itself writes, in its signal handler, as it does its tree. How much it keeps grows
//! with the logarithm of its samples: an analysis needs some hundreds of each region, early and
//! late, and a run may last for days. These samples may take a part of the file: half of it is for
//! the further chunks of streams, the rest for their first ones, so that each thread of a large
//! team has one. A stream that gets no further chunk thins what it has in its last one.

use std::slice;

use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};
use oxomp_trace::registers::{REGISTER_SAMPLE_SIZE, RegisterSample, thin};

use crate::store::{Chunk, Store};

/// The part of the file that these samples may take.
const PART: u32 = 16;
/// A stream keeps the first 2 to this power.
const ALL_BELOW: u32 = 12;
/// The largest weight is 2 to this power.
const MOST_SHIFT: u32 = 20;

/// Zeros are the registers of a thread without samples, once [`Registers::prepare`] was called for
/// them.
#[derive(Debug)]
pub(crate) struct Registers {
    number: u32,
    sequence: u32,
    chunk: Option<Chunk>,
    used: usize,
    /// Samples that there were to keep.
    seen: u64,
    /// The exponent of 2 by which fewer samples are kept, since little of the file's part is left.
    scarce: u32,
}

impl Registers {
    /// Makes zeros the registers of a thread without samples.
    ///
    /// # Safety
    /// `registers` points to zeros of their size and alignment that only the caller uses.
    pub(super) unsafe fn prepare(registers: *mut Self) {
        // SAFETY: as the caller promises; the other fields are numbers.
        unsafe { (&raw mut (*registers).chunk).write(None) };
    }

    /// The samples are those of the stream `number` from now on.
    pub(super) fn begin(&mut self, number: u32) {
        self.number = number;
    }

    /// Counts a sample. If it is to be kept, returns for how many samples it stands.
    pub(super) fn is_due(&mut self) -> Option<u32> {
        let weight = 1 << shift(self.seen).max(self.scarce);
        let is_due = self.seen.is_multiple_of(weight);
        self.seen += 1;
        is_due.then_some(weight as u32)
    }

    /// Keeps a sample, while there is room.
    pub(super) fn keep(&mut self, store: &Store, sample: &RegisterSample) {
        if self.used + REGISTER_SAMPLE_SIZE > CHUNK_PAYLOAD || self.chunk.is_none() {
            match self.next(store) {
                Some(chunk) => {
                    self.close(store);
                    (self.chunk, self.used) = (Some(chunk), 0);
                }
                None => self.thin(),
            }
        }
        let Some(chunk) = self.chunk else { return };
        let bytes = sample.encode();
        // SAFETY: `used` and the sample's size together are at most the payload's, and this thread
        // is the chunk's writer.
        unsafe { chunk.payload().add(self.used).cast::<[u8; REGISTER_SAMPLE_SIZE]>().write(bytes) };
        self.used += REGISTER_SAMPLE_SIZE;
        chunk.commit(self.used);
    }

    /// Releases the chunk.
    pub(super) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }

    /// A chunk of the file's part: the stream's first one while any is left, a further one while
    /// less than half of the part is used.
    fn next(&mut self, store: &Store) -> Option<Chunk> {
        let most = store.capacity() / PART;
        let limit = if self.chunk.is_some() { most / 2 } else { most };
        let taken = store.in_use_by(ChunkKind::Registers);
        if taken >= limit {
            return None;
        }
        let chunk = store.take(ChunkKind::Registers, self.number, self.sequence).ok()?;
        self.sequence += 1;
        // Half as many samples, each time that half of the rest is used.
        let scarce = (most / (most - taken)).ilog2();
        if store.recycles() {
            // What was kept before is past, or soon will be.
            (self.seen, self.scarce) = (0, scarce);
        } else {
            self.scarce = self.scarce.max(scarce);
        }
        Some(chunk)
    }

    /// Drops every second sample of the chunk; each of the others stands for the next one, too.
    #[cold]
    fn thin(&mut self) {
        let Some(chunk) = self.chunk else { return };
        // SAFETY: the used part of the payload, of which this thread is the writer, and to which
        // there is no other reference.
        let samples = unsafe { slice::from_raw_parts_mut(chunk.payload(), self.used) };
        self.used = thin(samples);
        chunk.commit(self.used);
        self.scarce = (self.scarce.max(shift(self.seen)) + 1).min(MOST_SHIFT);
    }
}

/// Of 2 to this power samples one is kept after `seen`.
fn shift(seen: u64) -> u32 {
    seen.checked_ilog2().map_or(0, |power| (power + 1).saturating_sub(ALL_BELOW)).min(MOST_SHIFT)
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};
    use oxomp_trace::registers::{REGISTER_SAMPLE_SIZE, RegisterSample};
    use oxomp_trace::{FileHeader, Profile};

    use super::{Registers, shift};
    use crate::store::Store;

    const PER_CHUNK: usize = CHUNK_PAYLOAD / REGISTER_SAMPLE_SIZE;

    fn of_stream(number: u32) -> Registers {
        Registers { number, sequence: 0, chunk: None, used: 0, seen: 0, scarce: 0 }
    }

    #[test]
    fn what_is_kept_grows_with_the_logarithm() {
        assert_eq!([0, 1, 4095].map(shift), [0; 3]);
        assert_eq!([4096, 8191].map(shift), [1; 2]);
        assert_eq!([8192, 16383].map(shift), [2; 2]);
        assert_eq!(shift(u64::MAX), 20);
        let mut registers = of_stream(0);
        let mut kept = |samples: u32| -> (u32, u32) {
            let due: Vec<u32> = (0..samples).filter_map(|_| registers.is_due()).collect();
            (due.len() as u32, due.iter().sum())
        };
        assert_eq!(kept(4096), (4096, 4096));
        assert_eq!(kept(4096), (2048, 4096), "what is kept stands for all");
        assert_eq!(kept(8192), (2048, 8192));
        assert_eq!(kept(1 << 20).0, 2048 * 6 + 32, "two hours later");
    }

    #[test]
    fn little_room_keeps_fewer() {
        let mut registers = Registers { scarce: 3, ..of_stream(0) };
        let due: Vec<u32> = (0..16).filter_map(|_| registers.is_due()).collect();
        assert_eq!(due, [8, 8]);
    }

    #[test]
    fn threads_together_take_a_sixteenth_of_the_file() {
        let path = env::temp_dir().join(format!("oxomp-registers-{}.oxp", process::id()));
        let store = |size: u64| Store::create(&path, size, &FileHeader::default()).unwrap();
        let sample = RegisterSample::default();
        // A file of 15 chunks has no chunk for these samples.
        let small = store(1 << 20);
        for number in 0..200 {
            of_stream(number).keep(&small, &sample);
        }
        assert_eq!(small.taken(), 0);
        fs::remove_file(&path).unwrap();
        // One of 255 has 15, of which 7 are for further chunks of streams.
        let large = store(16 << 20);
        let mut threads: Vec<Registers> = (0..3).map(of_stream).collect();
        let each = 6 * PER_CHUNK as u64 + 100;
        for tick in 0..each {
            for registers in &mut threads {
                registers.keep(&large, &RegisterSample { tick, weight: 1, ..sample });
            }
        }
        let taken = || (large.taken(), large.in_use_by(ChunkKind::Registers));
        assert_eq!(taken(), (7, 7));
        let scarce: Vec<u32> = threads.iter().map(|one| one.scarce).collect();
        assert!(scarce.iter().all(|&scarce| scarce > 0), "{scarce:?}");
        // The rest is for the first chunks of streams.
        for number in 3..20 {
            threads.push(of_stream(number));
            threads[number as usize].keep(&large, &sample);
        }
        assert_eq!(taken(), (15, 15));
        for registers in &mut threads {
            registers.close(&large);
        }
        large.seal();
        let profile = Profile::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(profile.damage, []);
        for calls in &profile.calls[..3] {
            let weights = calls.registers.iter().map(|one| u64::from(one.weight));
            assert_eq!(weights.sum::<u64>(), each, "they stand for all");
        }
    }
}
