//! The affinity that a thread has displayed last.

use crate::places::PlaceNum;

/// The affinity that a thread has displayed last: the part that may change from region to region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Displayed {
    pub(super) level: u32,
    pub(super) size: u32,
    pub(super) place: PlaceNum,
}
