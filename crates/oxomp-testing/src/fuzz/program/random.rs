//! Reproducible random numbers.

/// A generator of random numbers: one seed, one sequence (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        let count = u64::from(high - low) + 1;
        low + u32::try_from(self.next() % count).unwrap_or(0)
    }

    /// True `percent` times of a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of `items`, each as likely as the others.
    pub fn one<T: Copy>(&mut self, items: &[T]) -> T {
        let last = u32::try_from(items.len() - 1).unwrap_or(0);
        items[self.between(0, last) as usize]
    }
}
