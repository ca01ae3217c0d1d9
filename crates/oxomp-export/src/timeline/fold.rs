//! Fewer slices: those that are too short to be seen become one.

use super::slice::{Kind, Slice};

/// A folded slice ends when it is this many times as wide as the ones that it may contain.
const WIDEST: u64 = 64;

/// What became one slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Folded {
    /// Number of slices, those inside others included.
    pub(crate) slices: u64,
    /// The time that they cover, ns: less than the folded slice is wide, where there were gaps.
    pub(crate) covered: u64,
}

/// The slices of a thread with those below `width` folded: neighbours in the same slice are one
/// slice of [`Kind::Folded`], and what is inside them goes with them.
pub(crate) fn fold(slices: &[Slice], width: u64) -> (Vec<Slice>, Vec<Folded>) {
    let mut kept: Vec<Slice> = Vec::with_capacity(if width == 0 { slices.len() } else { 0 });
    let mut folded: Vec<Folded> = Vec::new();
    // The last kept slice if it is a folded one, and the depth from which on slices lie in it.
    let mut into: Option<(usize, u32)> = None;
    for slice in slices {
        let narrow = slice.end - slice.begin < width;
        if let Some((position, depth)) = into {
            let last = folded.len() - 1;
            let open = &mut kept[position];
            if slice.depth > depth && slice.begin < open.end {
                folded[last].slices += 1;
                continue;
            }
            let fits = slice.end - open.begin < width.saturating_mul(WIDEST);
            if narrow && slice.depth == depth && fits {
                open.end = slice.end;
                folded[last].slices += 1;
                folded[last].covered += slice.end - slice.begin;
                continue;
            }
        }
        if narrow {
            let kind = Kind::Folded(u32::try_from(folded.len()).unwrap_or(u32::MAX));
            folded.push(Folded { slices: 1, covered: slice.end - slice.begin });
            into = Some((kept.len(), slice.depth));
            kept.push(Slice { kind, ..*slice });
        } else {
            into = None;
            kept.push(*slice);
        }
    }
    (kept, folded)
}

#[cfg(test)]
mod tests {
    use super::{Folded, fold};
    use crate::timeline::{Kind, Slice};

    fn slice(begin: u64, end: u64, depth: u32) -> Slice {
        Slice { begin, end, depth, kind: Kind::Task(begin as u32) }
    }

    #[test]
    fn nothing_is_folded_below_no_width() {
        let slices = [slice(0, 9, 0), slice(0, 1, 1), slice(9, 10, 0)];
        assert_eq!(fold(&slices, 0), (slices.to_vec(), vec![]));
    }

    #[test]
    fn short_neighbours_are_one_slice_inside_the_same_one() {
        let slices = [
            slice(0, 100, 0),
            slice(10, 12, 1),
            slice(10, 11, 2),
            slice(14, 15, 1),
            slice(20, 80, 1),
            slice(100, 103, 0),
            slice(101, 102, 1),
        ];
        let (kept, folded) = fold(&slices, 10);
        let shape: Vec<_> = kept.iter().map(|it| (it.begin, it.end, it.depth)).collect();
        assert_eq!(shape, [(0, 100, 0), (10, 15, 1), (20, 80, 1), (100, 103, 0)]);
        assert_eq!(kept[1].kind, Kind::Folded(0));
        let counts = [Folded { slices: 3, covered: 3 }, Folded { slices: 2, covered: 3 }];
        assert_eq!(folded, counts);
    }

    #[test]
    fn a_folded_slice_does_not_grow_for_ever() {
        let slices: Vec<_> = (0..1000).map(|at| slice(at * 2, at * 2 + 1, 0)).collect();
        let (kept, folded) = fold(&slices, 2);
        assert!(kept.len() > 10 && kept.iter().all(|it| it.end - it.begin <= 128), "{kept:?}");
        assert_eq!(folded.iter().map(|it| it.slices).sum::<u64>(), 1000);
    }
}
