//! The values of a construct for a device, or a transfer, and the key they are added up by.

use oxomp_trace::fold::{Extremes, target};

/// The values of one key, by position.
pub(super) type Values = [u64; 12];
/// OMPT's kind, code address and device, or host address.
pub(super) type Key = (u8, u64, u64);

/// The values of no construct.
pub(super) fn no_construct() -> Values {
    let mut sums = [0; 12];
    // The least number of teams of nothing is no 0.
    sums[target::TEAMS] = Extremes::NONE.packed();
    sums
}
