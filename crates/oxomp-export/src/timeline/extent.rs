//! The part of a run that is shown.

/// The part of a run that is shown, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Begin and end of the part, ns since the start of the process.
    pub window: (u64, u64),
    /// About how many bytes the output may have: shorter slices are folded until it fits.
    pub budget: u64,
}

impl Default for Extent {
    fn default() -> Self {
        Self { window: (0, u64::MAX), budget: 100_000_000 }
    }
}
