//! Numbers that are as good as random, and the same in every process.

use std::hash::{BuildHasherDefault, Hasher};

/// A number that depends on all bits of both.
pub(crate) const fn mix(sum: u64, number: u64) -> u64 {
    // The finisher of SplitMix64 over a sum with an odd multiple, so that (a, b) is not (b, a).
    let mut it = sum.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
    it = it.wrapping_add(0x9e37_79b9_7f4a_7c15);
    it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ (it >> 31)
}

/// For maps whose keys were mixed already, or are handles.
pub(crate) type Mixed = BuildHasherDefault<AsItIs>;

/// The hash of a mixed number is the number.
#[derive(Debug, Default)]
pub(crate) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, byte.into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    /// Handles are not mixed yet.
    fn write_usize(&mut self, number: usize) {
        self.0 = mix(0, number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::mix;

    #[test]
    fn low_bits_are_as_good_as_others() {
        let zero_bits = (0..4096).filter(|&n| mix(77, n) & 15 == 0).count();
        assert!((200..320).contains(&zero_bits), "{zero_bits} of 256 expected");
        assert_ne!(mix(1, 2), mix(2, 1));
    }
}
