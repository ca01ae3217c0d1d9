//! Samples with the registers of their threads, which tell the addresses of the memory that the
//! sampled code used.

use crate::layout::{u32_at, u64_at};

/// Registers of a sample: the general ones, by the numbers that instructions have for them
/// (`oxomp_arch::read::samples`, which says of which processor recordings have such samples).
pub const REGISTERS: usize = 16;
/// Bytes of a sample with its registers.
pub const REGISTER_SAMPLE_SIZE: usize = OF_REGISTERS + 8 * REGISTERS;

/// Where the weight is, and where the registers begin.
const OF_WEIGHT: usize = 40;
const OF_REGISTERS: usize = 48;

/// The bit of a sample's node that marks code which one thread after the other executes.
const ALONE: u32 = 1 << 31;

/// A sample that was taken in a region, with its thread's registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegisterSample {
    /// When it was taken.
    pub tick: u64,
    /// The number of the innermost region in which the thread was.
    pub region: u64,
    /// The code address of that region; 0 if it was only counted.
    pub code: u64,
    /// The address of the instruction that came next.
    pub address: u64,
    /// The innermost node, in the tree of the same stream.
    pub node: u32,
    /// The system's id of the thread.
    pub tid: u32,
    /// For how many samples in regions this one stands.
    pub weight: u32,
    /// How many of the region's barriers were behind the thread; 0 if it was only counted.
    pub phase: u32,
    /// Whether one thread after the other executes the code, as far as the runtime reported it: the
    /// thread held a mutex, or executed a single region or a task with dependences.
    pub alone: bool,
    /// The registers before that instruction.
    pub registers: [u64; REGISTERS],
}

impl RegisterSample {
    /// The sample as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; REGISTER_SAMPLE_SIZE] {
        let mut bytes = [0; REGISTER_SAMPLE_SIZE];
        bytes[..8].copy_from_slice(&self.tick.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.region.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.code.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.address.to_le_bytes());
        let node = self.node | if self.alone { ALONE } else { 0 };
        bytes[32..36].copy_from_slice(&node.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.tid.to_le_bytes());
        bytes[OF_WEIGHT..44].copy_from_slice(&self.weight.to_le_bytes());
        bytes[44..OF_REGISTERS].copy_from_slice(&self.phase.to_le_bytes());
        for (place, register) in bytes[OF_REGISTERS..].chunks_exact_mut(8).zip(self.registers) {
            place.copy_from_slice(&register.to_le_bytes());
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Self {
        let mut registers = [0; REGISTERS];
        for (number, register) in registers.iter_mut().enumerate() {
            *register = u64_at(bytes, OF_REGISTERS + 8 * number);
        }
        let node = u32_at(bytes, 32);
        Self {
            tick: u64_at(bytes, 0),
            region: u64_at(bytes, 8),
            code: u64_at(bytes, 16),
            address: u64_at(bytes, 24),
            node: node & !ALONE,
            tid: u32_at(bytes, 36),
            weight: u32_at(bytes, OF_WEIGHT),
            phase: u32_at(bytes, 44),
            alone: node & ALONE != 0,
            registers,
        }
    }
}

/// Drops every second one of the encoded `samples`: each that is left stands for the one that
/// followed it, too. Returns the length of what is left, which lies at the beginning; all bytes
/// behind it are zero.
#[must_use]
pub fn thin(samples: &mut [u8]) -> usize {
    let all = samples.len() / REGISTER_SAMPLE_SIZE * REGISTER_SAMPLE_SIZE;
    let mut left = 0;
    for from in (0..all).step_by(2 * REGISTER_SAMPLE_SIZE) {
        let next = from + REGISTER_SAMPLE_SIZE;
        let dropped = if next < all { u32_at(samples, next + OF_WEIGHT) } else { 0 };
        let weight = u32_at(samples, from + OF_WEIGHT).saturating_add(dropped);
        samples.copy_within(from..next, left);
        samples[left + OF_WEIGHT..][..4].copy_from_slice(&weight.to_le_bytes());
        left += REGISTER_SAMPLE_SIZE;
    }
    samples[left..].fill(0);
    left
}

impl RegisterSample {
    /// The samples in a chunk's payload.
    pub(crate) fn read_all(payload: &[u8]) -> impl Iterator<Item = Self> + '_ {
        payload.chunks_exact(REGISTER_SAMPLE_SIZE).map(Self::decode)
    }
}

#[cfg(test)]
mod tests {
    use super::{REGISTER_SAMPLE_SIZE, RegisterSample, thin};

    fn sample(tick: u64, weight: u32) -> RegisterSample {
        RegisterSample {
            tick,
            region: 1 << 40,
            code: 0x40_0800,
            address: 0x40_1000,
            node: 9,
            tid: 77,
            weight,
            phase: 3,
            alone: tick == 1,
            registers: std::array::from_fn(|number| u64::MAX - number as u64),
        }
    }

    #[test]
    fn thinned_samples_stand_for_those_that_were_dropped() {
        for (weights, left) in [
            (&[][..], vec![]),
            (&[5], vec![5]),
            (&[1, 2, 4, 8], vec![3, 12]),
            (&[1; 3], vec![2, 1]),
        ] {
            let samples = weights.iter().zip(0..).map(|(&weight, tick)| sample(tick, weight));
            let mut bytes: Vec<u8> = samples.flat_map(|one| one.encode()).collect();
            let length = thin(&mut bytes);
            assert!(bytes[length..].iter().all(|&byte| byte == 0), "as readers demand");
            let read: Vec<_> = RegisterSample::read_all(&bytes[..length]).collect();
            let expected = left.iter().zip((0..).step_by(2));
            let expected: Vec<_> = expected.map(|(&weight, tick)| sample(tick, weight)).collect();
            assert_eq!(read, expected);
        }
    }

    #[test]
    fn samples_come_back_as_they_were_written() {
        let (first, second) = (sample(1, 4), sample(2, 4));
        let bytes = [first.encode(), second.encode()].concat();
        // The last one is not whole.
        let bytes = [&bytes, &first.encode()[..REGISTER_SAMPLE_SIZE - 1]].concat();
        assert_eq!(RegisterSample::read_all(&bytes).collect::<Vec<_>>(), [first, second]);
    }
}
