//! Trapezoidal schedules (LLVM's extension of OMP_SCHEDULE): the size of the chunks decreases by
//! the same amount each time.

/// The division of a loop: chunk number *i* has `first - i * less` iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trapezoid {
    iterations: u64,
    first: u64,
    less: u64,
    count: u64,
}

impl Trapezoid {
    /// The first chunk is half of a thread's share, the last has about `least` iterations.
    pub(super) fn new(iterations: u64, threads: u32, least: u64) -> Self {
        let first = (iterations / (2 * u64::from(threads))).max(1);
        let last = least.clamp(1, first);
        // The number of chunks of the mean size that cover the loop.
        let mean_twice = u128::from(first) + u128::from(last);
        let count = (2 * u128::from(iterations)).div_ceil(mean_twice) as u64;
        let less = if count > 1 { (first - last) / (count - 1) } else { 0 };
        Trapezoid { iterations, first, less, count }
    }

    /// The number of chunks.
    pub(super) fn count(self) -> u64 {
        self.count
    }

    /// The first iteration of chunk `index`; the number of iterations if there is no such chunk.
    pub(super) fn start(self, index: u64) -> u64 {
        if index >= self.count {
            return self.iterations;
        }
        let (index, first) = (u128::from(index), u128::from(self.first));
        let shrunk = u128::from(self.less) * (index * index.saturating_sub(1) / 2);
        u64::try_from(index * first - shrunk).map_or(self.iterations, |it| it.min(self.iterations))
    }
}

#[cfg(test)]
mod tests {
    use super::Trapezoid;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, prop_oneof, proptest};

    #[test]
    fn pieces_shrink_evenly() {
        let pieces = Trapezoid::new(1000, 4, 5);
        let sizes: Vec<u64> =
            (0..pieces.count()).map(|it| pieces.start(it + 1) - pieces.start(it)).collect();
        assert_eq!(sizes[..4], [125, 117, 109, 101]);
        assert_eq!(sizes.iter().sum::<u64>(), 1000);
    }

    proptest! {
        #[test]
        fn every_loop_is_covered(
            iterations in prop_oneof![0..2000_u64, any::<u64>()],
            threads in 1..100_u32,
            least in prop_oneof![1..50_u64, any::<u64>()],
        ) {
            let pieces = Trapezoid::new(iterations, threads, least);
            prop_assert_eq!(pieces.start(0), 0);
            prop_assert_eq!(pieces.start(pieces.count()), iterations);
            for index in (0..pieces.count()).take(1000) {
                prop_assert!(pieces.start(index) <= pieces.start(index + 1));
            }
        }
    }
}
