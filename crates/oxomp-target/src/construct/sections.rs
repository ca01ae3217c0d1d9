//! Sections that are not contiguous: the contiguous pieces of which they consist.

use std::ops::Range;

use oxomp_sys::offload::__tgt_target_non_contig;

/// A dimension of a section, in bytes and elements; the offset may be negative.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    offset: i64,
    count: i64,
    stride: i64,
}

/// The pieces of a section, in ascending order of indices.
///
/// The innermost dimension is contiguous: `count` elements of `stride` bytes. A dimension that
/// fills the whole stride of the next outer dimension is one piece with it.
#[derive(Debug)]
pub(super) struct Pieces {
    /// The dimensions to enumerate.
    outer: Vec<Dimension>,
    /// The piece at index 0 of each of these dimensions.
    run: Range<usize>,
    next: i64,
    count: i64,
}

impl Pieces {
    /// The pieces of the section of the array at `base`. `None` if it is not in the address space:
    /// a length is negative, or the section reaches beyond the first or the last address.
    pub(super) fn new(base: usize, dimensions: &[__tgt_target_non_contig]) -> Option<Self> {
        let signed = |it: &__tgt_target_non_contig| Dimension {
            offset: it.offset as i64,
            count: it.count as i64,
            stride: it.stride as i64,
        };
        let mut outer: Vec<Dimension> = dimensions.iter().map(signed).collect();
        if outer.iter().any(|it| it.count < 0 || it.stride < 0) {
            return None;
        }
        let mut start = 0_i64;
        for it in &outer {
            start = start.checked_add(it.offset.checked_mul(it.stride)?)?;
        }
        let innermost = outer.pop()?;
        let mut bytes = innermost.count.checked_mul(innermost.stride)?;
        while let Some(whole) = outer.pop_if(|it| it.stride == bytes) {
            bytes = whole.count.checked_mul(whole.stride)?;
        }
        let (mut behind, mut count) = (0_i64, 1_i64);
        for it in &outer {
            behind = behind.checked_add((it.count - 1).max(0).checked_mul(it.stride)?)?;
            count = count.checked_mul(it.count)?;
        }
        let first = base.checked_add_signed(start as isize)?;
        let end = first.checked_add(bytes as usize)?;
        end.checked_add(behind as usize)?;
        Some(Self { outer, run: first..end, next: 0, count })
    }
}

impl Iterator for Pieces {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.next == self.count {
            return None;
        }
        let mut index = self.next;
        self.next += 1;
        let mut offset = 0;
        for it in self.outer.iter().rev() {
            offset += (index % it.count) * it.stride;
            index /= it.count;
        }
        // `new` has seen that the last piece is in the address space.
        let offset = offset as usize;
        Some(self.run.start + offset..self.run.end + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::{__tgt_target_non_contig as Dimension, Pieces};

    fn dimension(offset: u64, count: u64, stride: u64) -> Dimension {
        Dimension { offset, count, stride }
    }

    fn pieces(dimensions: &[Dimension]) -> Vec<std::ops::Range<usize>> {
        Pieces::new(1000, dimensions).expect("it is in the address space").collect()
    }

    #[test]
    fn every_second_element_is_a_piece() {
        let section = [dimension(1, 3, 8), dimension(0, 1, 4)];
        assert_eq!(pieces(&section), [1008..1012, 1016..1020, 1024..1028]);
    }

    #[test]
    fn rows_of_a_matrix_are_one_piece_if_they_are_whole() {
        let whole = [dimension(2, 2, 40), dimension(0, 10, 4), dimension(0, 1, 4)];
        assert_eq!(pieces(&whole).as_slice(), std::slice::from_ref(&(1080..1160)));
        let parts = [dimension(2, 2, 40), dimension(1, 5, 4), dimension(0, 1, 4)];
        assert_eq!(pieces(&parts), [1084..1104, 1124..1144]);
    }

    #[test]
    fn three_dimensions_keep_their_order() {
        let section = [dimension(0, 2, 100), dimension(1, 2, 20), dimension(0, 1, 4)];
        assert_eq!(pieces(&section), [1020..1024, 1040..1044, 1120..1124, 1140..1144]);
    }

    #[test]
    fn a_section_may_begin_before_its_base_and_be_empty() {
        let before = [dimension(-2_i64 as u64, 2, 8), dimension(0, 1, 4)];
        assert_eq!(pieces(&before), [984..988, 992..996]);
        assert!(pieces(&[dimension(0, 0, 8), dimension(0, 1, 4)]).is_empty());
        assert!(pieces(&[dimension(0, 4, 8), dimension(0, 0, 4)]).iter().all(|it| it.is_empty()));
    }

    #[test]
    fn what_is_not_in_the_address_space_has_no_pieces() {
        let refused = |outer| Pieces::new(1000, &[outer, dimension(0, 1, 4)]).is_none();
        assert!(refused(dimension(0, -1_i64 as u64, 8)));
        assert!(refused(dimension(0, 2, -8_i64 as u64)));
        assert!(refused(dimension(-200_i64 as u64, 2, 8)));
        assert!(refused(dimension(0, 1 << 62, 8)));
        assert!(refused(dimension(1 << 62, 2, 8)));
        let last = [dimension(0, 2, 8), dimension(0, 1, 4)];
        assert!(Pieces::new(usize::MAX - 8, &last).is_none());
        assert!(Pieces::new(usize::MAX - 12, &last).is_some());
        assert!(!refused(dimension(0, 1 << 58, 8)));
    }
}
