//! The parts of the address space in which a thread has met a region.
//!
//! The collector looks at the loaded modules now and then; a module may be loaded, used and closed
//! in between. So a thread that meets a region in a part of the address space which is new to it
//! has the modules looked at.

/// Bits of an address within a part.
const PART_BITS: u32 = 16;
/// Bits of a part's number in the table; two parts with the same bits are taken for one.
const INDEX_BITS: u32 = 12;
/// Spreads the numbers of parts: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set of parts. All zeros are the empty one.
#[derive(Debug)]
pub(crate) struct Seen {
    words: [u64; (1 << INDEX_BITS) / 64],
}

impl Seen {
    /// No parts.
    pub(crate) const fn new() -> Self {
        Self { words: [0; (1 << INDEX_BITS) / 64] }
    }

    /// Adds the part that holds `address`; true if it is new.
    #[inline]
    pub(crate) fn add(&mut self, address: u64) -> bool {
        let index = ((address >> PART_BITS).wrapping_mul(SPREAD) >> (64 - INDEX_BITS)) as usize;
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    #[test]
    fn a_part_is_new_once() {
        let mut seen = Seen::new();
        assert!(seen.add(0x7f12_3456_0010));
        assert!(!seen.add(0x7f12_3456_fff0), "the same part");
        assert!(seen.add(0x7f12_3457_0000));
        assert!(!seen.add(0x7f12_3456_0000));
    }
}
