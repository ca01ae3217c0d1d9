//! Positions in the entries of worksharing constructs, and of the sinks of doacross loop nests.

#[cfg(doc)]
use super::{Extremes, FoldKind};

/// Positions in a [`FoldKind::Chunks`] entry.
pub mod chunks {
    /// How often the thread executed the construct, with at least one chunk.
    pub const EXECUTIONS: usize = 0;
    /// Iterations (sections) in the chunks.
    pub const ITERATIONS: usize = 1;
    /// Chunks handed to the thread.
    pub const CHUNKS: usize = 2;
    /// From the construct's begin to its end on the thread, in ticks.
    pub const TIME: usize = 3;
    /// The longest time of a chunk, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 4;
    /// [`Extremes`](super::Extremes) of the chunks' iterations; 0: none yet.
    pub const SIZES: usize = 5;
    /// Four positions: the time of the chunks in each quarter of the iterations, in ticks, with
    /// what it took to hand out the chunk after each.
    pub const PARTS: usize = 6;
    /// A bound of what handing out the chunks took, in ticks: for each chunk the time until the
    /// next one, but at most 200 ns.
    pub const DISPATCH: usize = 10;
    /// The largest number of iterations of the whole construct; readers take the largest over
    /// threads.
    pub const COUNT: usize = 11;
}

/// Positions in a [`FoldKind::Share`] entry.
pub mod share {
    /// Executions of the loop in which the thread had the part that the next three describe.
    pub const EXECUTIONS: usize = 0;
    /// The first iteration of the thread's first chunk.
    pub const START: usize = 1;
    /// Iterations of all its chunks in one execution.
    pub const ITERATIONS: usize = 2;
    /// Its chunks in one execution.
    pub const CHUNKS: usize = 3;
    /// Sum of the times of those executions, in ticks.
    pub const TIME: usize = 4;
    /// The shortest of them, in ticks; 0: none.
    pub const SHORTEST: usize = 5;
    /// The longest of them, in ticks.
    pub const LONGEST: usize = 6;
    /// Iterations of the whole loop.
    pub const COUNT: usize = 7;
    /// Executions in which the thread had another part.
    pub const OTHERS: usize = 8;
}

/// Positions in a [`FoldKind::Sinks`] entry, and the distances in its key.
pub mod sinks {
    /// How often a thread met a sink at this distance, whether it had to wait there or not.
    pub const COUNT: usize = 0;
    /// Nests of more loops have no distances.
    pub const LOOPS: usize = 4;

    /// The distance of an iteration from the one that waits for it, in each loop of a nest, as a
    /// key; `None` if it has no room there.
    #[must_use]
    #[inline]
    pub fn packed(steps: &[i64]) -> Option<u64> {
        let bits = bits_of(steps.len())?;
        let mut key = 0_u64;
        for &step in steps {
            let part = shortened(step, bits);
            if extended(part, bits) != step {
                return None;
            }
            key = key.checked_shl(bits).unwrap_or(0) | part;
        }
        Some(key)
    }

    /// The distance that [`packed`] has packed into a key, in a nest of so many loops.
    #[must_use]
    pub fn unpacked(key: u64, loops: usize) -> Option<Vec<i64>> {
        let bits = bits_of(loops)?;
        let parts = (0..loops).rev().map(|place| {
            let part = key >> (place as u32 * bits);
            extended(shortened(part.cast_signed(), bits), bits)
        });
        Some(parts.collect())
    }

    /// The bits of each of so many steps.
    #[inline]
    fn bits_of(loops: usize) -> Option<u32> {
        const BITS: [u32; LOOPS] = [64, 32, 21, 16];
        BITS.get(loops.checked_sub(1)?).copied()
    }

    /// The lowest bits of a number.
    #[inline]
    fn shortened(step: i64, bits: u32) -> u64 {
        step.cast_unsigned() & (u64::MAX >> (u64::BITS - bits))
    }

    /// The number whose lowest `bits` bits are `part`.
    #[inline]
    fn extended(part: u64, bits: u32) -> i64 {
        let above = u64::BITS - bits;
        (part << above).cast_signed() >> above
    }
}

#[cfg(test)]
mod tests {
    use super::sinks;

    #[test]
    fn distances_are_kept_in_a_key_as_far_as_they_have_room() {
        let short = i64::from(i16::MIN);
        for steps in [
            &[-1][..],
            &[i64::MIN],
            &[i64::MAX],
            &[-1, 0],
            &[0, -1],
            &[i64::from(i32::MIN), i64::from(i32::MAX)],
            &[-1, 1, 0],
            &[short, -1, 0, 32_767],
        ] {
            let key = sinks::packed(steps).expect("it has room");
            assert_eq!(sinks::unpacked(key, steps.len()).as_deref(), Some(steps));
        }
        for steps in [&[][..], &[0; 5], &[1 << 31, 0], &[0, -(1 << 31) - 1], &[short - 1, 0, 0, 0]]
        {
            assert_eq!(sinks::packed(steps), None, "{steps:?}");
        }
        assert_eq!(sinks::unpacked(0, 0), None);
        assert_eq!(sinks::unpacked(0, 5), None);
    }
}
