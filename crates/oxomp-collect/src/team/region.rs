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
    /// The number of threads of the whole run that one thread stands for when it executes the inner
    /// region: the product of the sizes of the teams around.
    pub(crate) threads: u64,
    /// The begin of the outermost one.
    pub(crate) outermost: u64,
}
