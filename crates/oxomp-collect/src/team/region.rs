//! What names a region, and what is around it.

/// A region with a team: number, code address, and the tick of parallel_begin.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Region {
    pub(crate) id: u64,
    pub(crate) code: u64,
    pub(crate) begin: u64,
}

/// The regions around a region.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around {
    /// For how many threads of the whole run the inner region is executed by one: the product of
    /// the sizes of their teams.
    pub(crate) threads: u64,
    /// The begin of the outermost one.
    pub(crate) outermost: u64,
}
