//! Copies of rectangular parts of arrays of any number of dimensions (OpenMP 5.2 §18.8.6).

use core::ffi::c_void;
use core::ptr;

use oxomp_sys::ompt::ompt_target_data_op_t as Op;

use super::operation::{Description, Operation};

/// The elements of one dimension that are copied, and the bytes from one to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    count: usize,
    destination_step: usize,
    source_step: usize,
}

/// A copy of a rectangular part of an array. Its list are the dimensions but for the innermost, the
/// outermost first.
#[derive(Clone, Copy, Debug)]
pub struct Rectangle {
    destination: *mut c_void,
    source: *const c_void,
    /// The consecutive bytes of each row, the innermost dimension.
    row: usize,
    /// The bytes of all rows.
    bytes: usize,
}

/// The part of an array that is read or written, with an element for each dimension, the outermost
/// first.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The index of the first element.
    pub offsets: &'a [usize],
    /// The number of elements of the array.
    pub dimensions: &'a [usize],
}

impl Part<'_> {
    /// The bytes from one element to the next in each dimension, and the bytes before the part.
    fn steps(self, element: usize) -> Option<(Vec<usize>, usize)> {
        let mut steps = vec![element; self.dimensions.len()];
        for index in (1..steps.len()).rev() {
            steps[index - 1] = steps[index].checked_mul(self.dimensions[index])?;
        }
        let places = self.offsets.iter().zip(&steps);
        let before = places.map(|(offset, step)| offset.checked_mul(*step));
        let before = before.sum::<Option<usize>>()?;
        Some((steps, before))
    }
}

impl Rectangle {
    /// The copy of `volume` elements of `element` bytes in each dimension. `None` without a
    /// dimension, or if the arrays would be larger than memory.
    #[must_use]
    pub fn new(
        (destination, to): (*mut c_void, Part<'_>),
        (source, from): (*const c_void, Part<'_>),
        element: usize,
        volume: &[usize],
    ) -> Option<(Self, Box<[Dimension]>)> {
        let (&innermost, others) = volume.split_last()?;
        let row = innermost.checked_mul(element)?;
        let (to_steps, to_before) = to.steps(element)?;
        let (from_steps, from_before) = from.steps(element)?;
        let steps = to_steps.into_iter().zip(from_steps);
        let outer = others.iter().zip(steps).map(|(&count, (destination_step, source_step))| {
            Dimension { count, destination_step, source_step }
        });
        let bytes = others.iter().try_fold(row, |bytes, &count| bytes.checked_mul(count))?;
        let rectangle = Rectangle {
            destination: destination.wrapping_byte_add(to_before),
            source: source.wrapping_byte_add(from_before),
            row,
            bytes,
        };
        Some((rectangle, outer.collect()))
    }
}

impl Operation for Rectangle {
    type Item = Dimension;

    fn description(&self) -> Description {
        Description {
            kind: Op::TRANSFER_TO_DEVICE.0,
            kind_later: Op::TRANSFER_TO_DEVICE_ASYNC.0,
            source: self.source,
            destination: self.destination,
            bytes: self.bytes,
        }
    }

    unsafe fn perform(&self, outer: &[Dimension]) {
        if self.bytes == 0 {
            return;
        }
        // SAFETY: the part lies in both arrays, which the caller of `perform` may access.
        unsafe { copy_rows(self.destination.cast(), self.source.cast(), self.row, outer) };
    }
}

/// # Safety
/// The rows that the dimensions describe are readable at `source` and writable at `destination`.
unsafe fn copy_rows(destination: *mut u8, source: *const u8, row: usize, outer: &[Dimension]) {
    let Some((dimension, inner)) = outer.split_first() else {
        // SAFETY: a row (`# Safety`); the rows of the two arrays may overlap.
        return unsafe { ptr::copy(source, destination, row) };
    };
    for index in 0..dimension.count {
        let to = destination.wrapping_add(index * dimension.destination_step);
        let from = source.wrapping_add(index * dimension.source_step);
        // SAFETY: a part of the rows (`# Safety`).
        unsafe { copy_rows(to, from, row, inner) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Operation, Part, Rectangle};

    #[test]
    fn a_block_of_a_matrix_is_copied_to_its_place_in_another() {
        let source: Vec<u16> = (0..5 * 7).collect();
        let mut destination = [0_u16; 4 * 3];
        let to = Part { offsets: &[1, 0], dimensions: &[4, 3] };
        let from = Part { offsets: &[2, 4], dimensions: &[5, 7] };
        let (there, here) = (destination.as_mut_ptr().cast(), source.as_ptr().cast());
        let copy = Rectangle::new((there, to), (here, from), 2, &[3, 2]);
        let (copy, outer) = copy.expect("it is small");
        // SAFETY: the parts lie in the arrays.
        unsafe { copy.perform(&outer) };
        assert_eq!(destination, [0, 0, 0, 18, 19, 0, 25, 26, 0, 32, 33, 0]);
    }

    #[test]
    fn arrays_larger_than_memory_are_refused() {
        let huge = Part { offsets: &[0, 0], dimensions: &[2, usize::MAX] };
        let (there, here) = (core::ptr::null_mut(), core::ptr::null());
        assert!(Rectangle::new((there, huge), (here, huge), 4, &[1, 1]).is_none());
        let none = Part { offsets: &[], dimensions: &[] };
        assert!(Rectangle::new((there, none), (here, none), 4, &[]).is_none());
    }
}
