//! The tests of a lock that a thread has made.

/// The tests of a lock that a thread has made in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tested {
    /// 0: the last one has not failed.
    pub(super) id: u64,
    pub(super) code: u64,
    pub(super) kind: u8,
    /// The code address of the region.
    pub(super) region: u64,
    /// When the first test came, or the first one after another event; 0: this test is to come.
    pub(super) since: u64,
    pub(super) failed: u64,
    pub(super) ticks: u64,
}

impl Tested {
    pub(crate) const NOTHING: Self =
        Self { id: 0, code: 0, kind: 0, region: 0, since: 0, failed: 0, ticks: 0 };

    /// The thread has another event.
    #[inline]
    pub(crate) fn interrupt(&mut self) {
        self.since = 0;
    }
}
