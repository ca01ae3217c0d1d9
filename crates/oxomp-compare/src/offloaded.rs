//! Kernels and transfers of target constructs, which are compared besides their time.

use oxomp_analysis::summary::TargetConstruct;

/// The kernels and transfers of a target construct in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offloaded {
    /// Kernels that it submitted.
    pub kernels: u64,
    /// Bytes that were copied to the device.
    pub to_bytes: u64,
    /// Bytes that were copied from the device.
    pub from_bytes: u64,
}

impl Offloaded {
    pub(crate) fn of(construct: &TargetConstruct) -> Self {
        let TargetConstruct { kernels, to_bytes, from_bytes, .. } = *construct;
        Self { kernels, to_bytes, from_bytes }
    }

    /// The sum of two rows of one construct, which may be for two devices.
    pub(crate) fn sum(self, other: Self) -> Self {
        Self {
            kernels: self.kernels.saturating_add(other.kernels),
            to_bytes: self.to_bytes.saturating_add(other.to_bytes),
            from_bytes: self.from_bytes.saturating_add(other.from_bytes),
        }
    }

    /// The medians of several runs; `None` if none of them has the construct.
    pub(crate) fn median(runs: &[Option<Self>]) -> Option<Self> {
        if runs.iter().all(Option::is_none) {
            return None;
        }
        let of = |part: fn(&Self) -> u64| {
            median_count(runs.iter().map(|run| run.as_ref().map_or(0, part)))
        };
        Some(Self {
            kernels: of(|one| one.kernels),
            to_bytes: of(|one| one.to_bytes),
            from_bytes: of(|one| one.from_bytes),
        })
    }
}

/// The median of numbers of things; of an even number, the larger of the two.
pub(crate) fn median_count(counts: impl Iterator<Item = u64>) -> u64 {
    let mut counts: Vec<u64> = counts.collect();
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or_default()
}
