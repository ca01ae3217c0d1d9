//! Sections that are not contiguous: the contiguous pieces of which they consist.

use std::ops::Range;

use oxomp_sys::offload::__tgt_target_non_contig as Dimension;

/// The pieces of a section, as ranges of bytes from its base, in ascending order of indices.
///
/// The innermost dimension is contiguous: `count` elements of `stride` bytes. A dimension that
/// covers all of what it consists of is one piece with the next outer one.
pub(super) fn pieces(dimensions: &[Dimension]) -> Vec<Range<usize>> {
    let (outer, run) = merge(dimensions);
    let mut pieces = vec![run];
    for dimension in outer.iter().rev() {
        let inner = std::mem::take(&mut pieces);
        for index in 0..dimension.count {
            let offset = (dimension.offset + index).wrapping_mul(dimension.stride) as usize;
            pieces.extend(
                inner.iter().map(|it| it.start.wrapping_add(offset)..it.end.wrapping_add(offset)),
            );
        }
    }
    pieces
}

/// The dimensions to enumerate, and the contiguous run at index 0 of each of them.
fn merge(dimensions: &[Dimension]) -> (&[Dimension], Range<usize>) {
    let Some((last, mut outer)) = dimensions.split_last() else { return (&[], 0..0) };
    let start = last.offset * last.stride;
    let mut run = start..start + last.count * last.stride;
    while let Some((dimension, rest)) = outer.split_last() {
        let is_whole = run.end - run.start == dimension.stride;
        if !is_whole {
            break;
        }
        let offset = dimension.offset * dimension.stride;
        run = run.start + offset..run.start + offset + dimension.count * dimension.stride;
        outer = rest;
    }
    (outer, run.start as usize..run.end as usize)
}

#[cfg(test)]
mod tests {
    use super::{Dimension, pieces};

    fn dimension(offset: u64, count: u64, stride: u64) -> Dimension {
        Dimension { offset, count, stride }
    }

    #[test]
    fn every_second_element_is_a_piece() {
        let section = [dimension(1, 3, 8), dimension(0, 1, 4)];
        assert_eq!(pieces(&section), [8..12, 16..20, 24..28]);
    }

    #[test]
    fn rows_of_a_matrix_are_one_piece_if_they_are_whole() {
        let whole = [dimension(2, 2, 40), dimension(0, 10, 4), dimension(0, 1, 4)];
        assert_eq!(pieces(&whole).as_slice(), std::slice::from_ref(&(80..160)));
        let parts = [dimension(2, 2, 40), dimension(1, 5, 4), dimension(0, 1, 4)];
        assert_eq!(pieces(&parts), [84..104, 124..144]);
    }

    #[test]
    fn three_dimensions_keep_their_order() {
        let section = [dimension(0, 2, 100), dimension(1, 2, 20), dimension(0, 1, 4)];
        assert_eq!(pieces(&section), [20..24, 40..44, 120..124, 140..144]);
    }
}
