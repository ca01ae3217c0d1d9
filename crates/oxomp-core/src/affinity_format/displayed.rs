//! What a thread has displayed of its affinity.

use crate::places::PlaceNum;

/// What a thread has displayed of itself, as far as it changes from region to region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Displayed {
    pub(super) level: u32,
    pub(super) size: u32,
    pub(super) place: PlaceNum,
}
