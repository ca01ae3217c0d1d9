//! Regions that are longer than the part of a recording in which they ended.

use super::{FoldEntry, FoldKind};

/// Shortens the regions and the serial code of a stream to the `length` in ticks of the part of a
/// recording that the sums are of: of both the outermost follow each other, and one that has ended
/// in that part may have begun before it.
pub(crate) fn fit(sums: &mut [FoldEntry], length: u64) {
    for kind in [FoldKind::Region, FoldKind::Serial] {
        let outermost = |sum: &&mut FoldEntry| sum.is_of(kind) && sum.sub == 0;
        let lengths = sums.iter_mut().filter(outermost).map(|sum| sum.length());
        let all = lengths.fold(0_u64, u64::saturating_add);
        let longest = sums.iter_mut().filter(outermost).max_by_key(|sum| sum.length());
        if let Some(longest) = longest {
            longest.shorten(all.saturating_sub(length));
        }
    }
}
