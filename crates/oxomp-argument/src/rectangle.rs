//! Rectangular parts of arrays of any number of dimensions (OpenMP 5.2 §18.8.6): what
//! `omp_target_memcpy_rect` copies, and in which order.

use core::ffi::c_int;

use crate::list::List;

/// The arrays that describe a copy to `omp_target_memcpy_rect`. Each has an element for each
/// dimension, the outermost first.
#[derive(Clone, Copy, Debug)]
pub struct RectangleLists<'a> {
    /// The number of elements to copy.
    pub volume: List<'a, usize>,
    /// The index of the first element in the destination.
    pub destination_offsets: List<'a, usize>,
    /// The index of the first element in the source.
    pub source_offsets: List<'a, usize>,
    /// The number of elements of the destination.
    pub destination_dimensions: List<'a, usize>,
    /// The number of elements of the source.
    pub source_dimensions: List<'a, usize>,
}

/// The part of an array that is read or written.
#[derive(Clone, Copy)]
struct Part<'a> {
    offsets: &'a [usize],
    dimensions: &'a [usize],
}

/// A copy of a rectangular part of one array to a part of another. The dimensions but for the
/// innermost are a list of their own, so that both are plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The bytes of the destination before the first that is written.
    pub destination_offset: usize,
    /// The bytes of the source before the first that is read.
    pub source_offset: usize,
    /// The consecutive bytes of each row, the innermost dimension.
    pub row: usize,
    /// The bytes of all rows.
    pub bytes: usize,
}

/// A dimension that is not the innermost: how many elements of it are copied, and the bytes from
/// one to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    count: usize,
    destination_step: usize,
    source_step: usize,
}

/// A row of a rectangle: the bytes from the first byte of the rectangle to that of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The bytes in the destination.
    pub destination: usize,
    /// The bytes in the source.
    pub source: usize,
}

impl<'a> RectangleLists<'a> {
    /// The copy of elements of `element` bytes, and its dimensions but for the innermost, the
    /// outermost first. `None` if the arguments make no sense: an array is missing, an element has
    /// no bytes, or a part does not lie in its array.
    ///
    /// # Safety
    /// `count` is the number of dimensions, so that rule A3 holds for it and each of the arrays.
    #[must_use]
    pub unsafe fn with(
        self,
        count: c_int,
        element: usize,
    ) -> Option<(Rectangle, Box<[Dimension]>)> {
        // SAFETY: A3, as this function demands.
        let with = |list: List<'a, usize>| unsafe { list.with(count) };
        let (offsets, dimensions) =
            (with(self.destination_offsets), with(self.destination_dimensions));
        let destination = Part { offsets, dimensions };
        let (offsets, dimensions) = (with(self.source_offsets), with(self.source_dimensions));
        Rectangle::new(with(self.volume), element, destination, Part { offsets, dimensions })
    }
}

impl Part<'_> {
    /// The bytes before the part, and those from one element to the next in each dimension. `None`
    /// if the part of `volume` elements, of `element` bytes each, does not lie in the array, or if
    /// the array is larger than memory. The number of elements in the outermost dimension has no
    /// effect on any address, and programs pass any number for it.
    fn place(self, volume: &[usize], element: usize) -> Option<(usize, Vec<usize>)> {
        let mut steps = vec![element; volume.len()];
        let (mut before, mut bytes) = (0, element);
        for at in (0..volume.len()).rev() {
            steps[at] = bytes;
            let end = self.offsets[at].checked_add(volume[at])?;
            let elements = if at == 0 { end } else { self.dimensions[at] };
            if end > elements {
                return None;
            }
            bytes = bytes.checked_mul(elements)?;
            // Less than `bytes`, since the offset is at most `elements`.
            before += self.offsets[at] * steps[at];
        }
        isize::try_from(bytes).is_ok().then_some((before, steps))
    }
}

impl Rectangle {
    /// The copy of consecutive bytes. It has no dimension but the innermost.
    #[must_use]
    pub fn of_bytes(bytes: usize) -> Self {
        Rectangle { destination_offset: 0, source_offset: 0, row: bytes, bytes }
    }

    fn new(
        volume: &[usize],
        element: usize,
        destination: Part<'_>,
        source: Part<'_>,
    ) -> Option<(Self, Box<[Dimension]>)> {
        let (&innermost, others) = volume.split_last()?;
        let of_parts =
            [destination.offsets, destination.dimensions, source.offsets, source.dimensions];
        if element == 0 || of_parts.iter().any(|array| array.len() != volume.len()) {
            return None;
        }
        if volume.contains(&0) {
            return Some((Self::of_bytes(0), Box::new([])));
        }
        let (destination_offset, destination_steps) = destination.place(volume, element)?;
        let (source_offset, source_steps) = source.place(volume, element)?;
        let steps = destination_steps.into_iter().zip(source_steps);
        let outer = others.iter().zip(steps).map(|(&count, (destination_step, source_step))| {
            Dimension { count, destination_step, source_step }
        });
        // No product is larger than the arrays, which contain the parts.
        let row = innermost * element;
        let bytes = others.iter().product::<usize>() * row;
        Some((Rectangle { destination_offset, source_offset, row, bytes }, outer.collect()))
    }

    /// The rows of the rectangle, whose other dimensions are `outer`, in the order of their
    /// addresses. A rectangle without bytes has none.
    #[must_use]
    pub fn rows(self, outer: &[Dimension]) -> Rows<'_> {
        let next = (self.bytes != 0).then_some(Row { destination: 0, source: 0 });
        Rows { outer, index: vec![0; outer.len()], next }
    }
}

/// The iterator over the rows of a rectangle.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    outer: &'a [Dimension],
    /// The index of the next row in each of the dimensions.
    index: Vec<usize>,
    next: Option<Row>,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let row = self.next.take()?;
        let mut next = row;
        for (index, dimension) in self.index.iter_mut().zip(self.outer).rev() {
            *index += 1;
            if *index < dimension.count {
                next.destination += dimension.destination_step;
                next.source += dimension.source_step;
                self.next = Some(next);
                break;
            }
            *index = 0;
            next.destination -= (dimension.count - 1) * dimension.destination_step;
            next.source -= (dimension.count - 1) * dimension.source_step;
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rectangle, Row};
    use crate::list::List;
    use crate::rectangle::{Dimension, RectangleLists};

    /// The rectangle of so many elements at these places: offsets and dimensions of each array.
    fn rectangle<const N: usize>(
        volume: [usize; N],
        element: usize,
        [destination_offsets, destination_dimensions]: [[usize; N]; 2],
        [source_offsets, source_dimensions]: [[usize; N]; 2],
    ) -> Option<(Rectangle, Box<[Dimension]>)> {
        let lists = RectangleLists {
            volume: List::from(&volume[..]),
            destination_offsets: List::from(&destination_offsets[..]),
            source_offsets: List::from(&source_offsets[..]),
            destination_dimensions: List::from(&destination_dimensions[..]),
            source_dimensions: List::from(&source_dimensions[..]),
        };
        let count = N.try_into().expect("few dimensions");
        // SAFETY: each array has so many elements.
        unsafe { lists.with(count, element) }
    }

    #[test]
    fn a_block_of_a_matrix_goes_to_its_place_in_another() {
        let copy = rectangle([3, 2], 2, [[1, 0], [4, 3]], [[2, 4], [5, 7]]);
        let (copy, outer) = copy.expect("the parts lie in the arrays");
        let (destination_offset, source_offset) = (2 * 3, 2 * (2 * 7 + 4));
        assert_eq!(copy, Rectangle { destination_offset, source_offset, row: 4, bytes: 12 });
        let row = |index: usize| Row { destination: index * 6, source: index * 14 };
        assert!(copy.rows(&outer).eq([row(0), row(1), row(2)]));
    }

    #[test]
    fn rows_are_in_the_order_of_their_addresses() {
        let copy = rectangle([2, 1, 3, 2], 1, [[0; 4], [2, 3, 4, 5]], [[1; 4], [3, 2, 4, 3]]);
        let (copy, outer) = copy.expect("the parts lie in the arrays");
        let rows: Vec<Row> = copy.rows(&outer).collect();
        let destinations: Vec<usize> = rows.iter().map(|row| row.destination).collect();
        assert_eq!(destinations, [0, 5, 10, 60, 65, 70]);
        let sources: Vec<usize> = rows.iter().map(|row| row.source).collect();
        assert_eq!(sources, [0, 3, 6, 24, 27, 30]);
        assert_eq!(copy.bytes, rows.len() * copy.row);
    }

    #[test]
    fn consecutive_bytes_are_one_row() {
        assert!(Rectangle::of_bytes(7).rows(&[]).eq([Row { destination: 0, source: 0 }]));
        let (copy, outer) =
            rectangle([7], 1, [[3], [0]], [[0], [0]]).expect("any outermost dimension");
        assert_eq!((copy.destination_offset, copy.row, copy.bytes), (3, 7, 7));
        assert_eq!(copy.rows(&outer).count(), 1);
    }

    #[test]
    fn a_rectangle_without_bytes_has_no_row_wherever_it_lies() {
        let far = [[usize::MAX, 0], [4, 6]];
        let (copy, outer) = rectangle([0, 9], 4, far, far).expect("nothing is copied");
        assert_eq!((copy.bytes, copy.rows(&outer).count()), (0, 0));
        assert_eq!(Rectangle::of_bytes(0).rows(&[]).count(), 0);
    }

    #[test]
    fn a_part_that_does_not_lie_in_its_array_is_refused() {
        let part = [[1, 2], [4, 6]];
        assert!(rectangle([3, 4], 4, part, part).is_some());
        assert!(rectangle([3, 5], 4, part, part).is_none(), "a row that is too long");
        assert!(rectangle([3, 4], usize::MAX, part, part).is_none(), "elements too large");
        assert!(rectangle([1 << 60, 4], 4, part, part).is_none(), "too many rows for any memory");
        let far = [[usize::MAX, 0], [4, 6]];
        assert!(rectangle([1, 1], 1, far, part).is_none());
        assert!(rectangle([1, 1], 1, part, far).is_none());
        let huge = [[0, 0], [2, usize::MAX]];
        assert!(rectangle([1, 1], 4, huge, huge).is_none(), "an array larger than memory");
    }

    #[test]
    fn arguments_that_make_no_sense_are_refused() {
        assert!(rectangle([], 4, [[], []], [[], []]).is_none(), "no dimension");
        assert!(rectangle([1], 0, [[0], [1]], [[0], [1]]).is_none(), "no bytes");
        let ones = List::from(&[1, 1][..]);
        let all = RectangleLists {
            volume: ones,
            destination_offsets: ones,
            source_offsets: ones,
            destination_dimensions: List::from(&[2, 2][..]),
            source_dimensions: List::from(&[2, 2][..]),
        };
        let none = List::default();
        let missing = [
            RectangleLists { volume: none, ..all },
            RectangleLists { destination_offsets: none, ..all },
            RectangleLists { source_offsets: none, ..all },
            RectangleLists { destination_dimensions: none, ..all },
            RectangleLists { source_dimensions: none, ..all },
        ];
        // SAFETY: each array has two elements, or is missing.
        unsafe {
            assert!(all.with(2, 1).is_some());
            assert!(all.with(-1, 1).is_none());
            assert!(missing.iter().all(|lists| lists.with(2, 1).is_none()));
        }
    }
}
