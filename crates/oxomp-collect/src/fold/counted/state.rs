//! The regions of a thread that are only counted.

use crate::beside::Outside;
use crate::team::{Counted, Team};

/// A region that the thread has begun and that is only counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedRegion {
    pub(crate) team: &'static Team,
    pub(crate) code: u64,
    pub(super) begin: u64,
    /// The ticks of all pauses of the recording before it.
    pub(super) paused: u64,
    /// What the thread is in around it.
    pub(crate) outside: Outside,
}

/// The regions of one team in which a worker was and that were only counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemberCounts {
    pub(super) team: Option<&'static Team>,
    /// The address of the regions' data word, and the key of their series.
    pub(super) word: usize,
    pub(super) series: u64,
    /// What the team had counted before them.
    pub(super) before: Counted,
    pub(super) regions: u64,
    /// Their ticks since the worker's last timed region, as far as they are known.
    pub(crate) ticks: u64,
}

impl MemberCounts {
    pub(crate) const NONE: Self = Self {
        team: None,
        word: 0,
        series: 0,
        before: Counted { regions: 0, ticks: 0 },
        regions: 0,
        ticks: 0,
    };
}
