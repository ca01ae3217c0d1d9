//! Parts of a region's time, by samples.

use super::units::{percent, share};
use crate::summary::Region;

/// Share of a region's samples at one place that is worth a word.
const WORTH_A_WORD: f64 = 0.1;
/// Samples below which shares of a region say nothing.
const ENOUGH: u64 = 20;
/// By how much the time of contended updates differs between runs, as a part of it: it depends on
/// how the threads meet. The plants of `cargo xtask plants` differ by up to a fifth, and on LLVM's
/// runtimes take less time when they are recorded.
pub(super) const MEETING: f64 = 0.2;

/// Whether `samples` of the `of` samples of a region are worth a word.
pub(crate) fn are_many(samples: u64, of: u64) -> bool {
    of >= ENOUGH && share(samples, of) >= WORTH_A_WORD
}

/// `12 % of the samples`.
pub(super) fn part(samples: u64, of: u64) -> String {
    format!("{} of the samples", percent(share(samples, of)))
}

/// The wall time of `region` in which a thread is at a place with `samples` of the region's `of`
/// samples, ns.
pub(super) fn time_of(region: &Region, samples: u64, of: u64) -> u64 {
    let useful = region.useful_ns as f64 / f64::from(region.team.1.max(1));
    (useful * share(samples, of).min(1.0)).min(region.wall_ns as f64) as u64
}

/// The standard error of a time that was estimated from `samples` samples, ns.
pub(super) fn error_of(time_ns: u64, samples: u64) -> u64 {
    (time_ns as f64 / (samples.max(1) as f64).sqrt()) as u64
}

#[cfg(test)]
mod tests {
    use super::{are_many, error_of};

    #[test]
    fn few_samples_say_nothing() {
        assert!(!are_many(19, 19) && are_many(2, 20) && !are_many(1, 20));
        assert_eq!((error_of(1000, 100), error_of(1000, 0)), (100, 1000));
    }
}
