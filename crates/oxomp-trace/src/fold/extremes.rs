//! The smallest and the largest of some numbers, packed into one value.

/// The smallest and the largest of some numbers, which are one value of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extremes {
    /// The smallest.
    pub least: u32,
    /// The largest.
    pub most: u32,
}

impl Extremes {
    /// The extremes of no numbers.
    pub const NONE: Self = Self { least: u32::MAX, most: 0 };

    /// The extremes of one number.
    #[must_use]
    pub const fn of(number: u32) -> Self {
        Self { least: number, most: number }
    }

    /// The extremes of the numbers of both.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// As a value: the smallest in the upper half, the largest in the lower.
    #[must_use]
    pub fn packed(self) -> u64 {
        u64::from(self.least) << 32 | u64::from(self.most)
    }

    /// Adds the numbers to a value. The value 0 has no numbers yet: the extremes of any numbers are
    /// not packed to 0.
    pub fn add_to(self, value: &mut u64) {
        let all = if *value == 0 { self } else { self.joined(Self::unpacked(*value)) };
        *value = all.packed();
    }

    /// The extremes that [`Extremes::packed`] has packed.
    #[must_use]
    pub const fn unpacked(value: u64) -> Self {
        Self { least: (value >> 32) as u32, most: value as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::Extremes;

    #[test]
    fn extremes_are_the_least_and_the_largest_in_one_value() {
        let sizes = [4, 0, u32::MAX, 7].map(Extremes::of);
        let all = sizes.into_iter().fold(Extremes::NONE, Extremes::joined);
        assert_eq!(all, Extremes { least: 0, most: u32::MAX });
        assert_eq!(Extremes { least: 2, most: 5 }.packed(), 0x2_0000_0005);
        for one in [all, Extremes::NONE, Extremes { least: 2, most: 5 }] {
            assert_eq!(Extremes::unpacked(one.packed()), one);
        }
        let mut value = 0;
        for size in [4, 2, 7] {
            Extremes::of(size).add_to(&mut value);
        }
        assert_eq!(Extremes::unpacked(value), Extremes { least: 2, most: 7 });
    }
}
