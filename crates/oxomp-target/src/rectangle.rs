//! Rectangular copies (OpenMP 5.2 §18.8.6): a subvolume of one array to a subvolume of another.

use core::ffi::c_void;

use crate::copy::{Call, Copier, Memory, told};
use crate::offload::Offload;
use crate::plugin::DeviceError;

/// A subvolume: which part of an array, by dimensions, the outermost first.
#[derive(Clone, Debug)]
pub struct Subvolume {
    /// The index of the first element.
    pub offsets: Vec<usize>,
    /// The size of the array.
    pub dimensions: Vec<usize>,
}

impl Subvolume {
    /// Whether a subvolume of `volume` elements by dimension, of `element` bytes each, lies in the
    /// array, whose bytes an address can tell apart. The size of the outermost dimension does not
    /// matter to any address, and programs pass any number for it.
    fn has_room_for(&self, volume: &[usize], element: usize) -> bool {
        let mut bytes = element;
        let mut is_inside = true;
        for at in (0..volume.len()).rev() {
            let end = self.offsets[at].checked_add(volume[at]);
            is_inside &= end.is_some_and(|end| at == 0 || end <= self.dimensions[at]);
            let elements = if at == 0 { end } else { Some(self.dimensions[at]) };
            let Some(sum) = elements.and_then(|elements| bytes.checked_mul(elements)) else {
                return false;
            };
            bytes = sum;
        }
        is_inside && isize::try_from(bytes).is_ok()
    }

    /// The offset of the subvolume's element `index`, in elements; `index` has all dimensions but
    /// the innermost.
    fn offset(&self, index: &[usize]) -> usize {
        let inner = self.offsets.len() - 1;
        let outer = (0..inner).fold(0_usize, |sum, dimension| {
            let at = self.offsets[dimension].wrapping_add(index[dimension]);
            sum.wrapping_mul(self.dimensions[dimension]).wrapping_add(at)
        });
        outer.wrapping_mul(self.dimensions[inner]).wrapping_add(self.offsets[inner])
    }
}

/// Copies the subvolume of `volume` elements by dimension, of `element` bytes each.
///
/// # Safety
/// The subvolumes lie in arrays that are valid in the memories, and all have the same number of
/// dimensions, at least one.
pub unsafe fn copy(
    offload: &Offload,
    (to, target, to_part): (Memory, *mut c_void, &Subvolume),
    (from, source, from_part): (Memory, *const c_void, &Subvolume),
    (volume, element): (&[usize], usize),
    call: Call,
) -> Result<(), DeviceError> {
    let Some((&row, outer)) = volume.split_last() else { return Ok(()) };
    let bytes = row.saturating_mul(element);
    if volume.contains(&0) || bytes == 0 {
        return Ok(());
    }
    if !to_part.has_room_for(volume, element) || !from_part.has_room_for(volume, element) {
        return Err(DeviceError("the subvolume does not lie in the array".to_owned()));
    }
    let mut index = vec![0; outer.len()];
    let at = |part: &Subvolume, index: &[usize]| part.offset(index).wrapping_mul(element);
    let scope = to.routine(from, offload, call);
    let total = outer.iter().fold(bytes, |bytes, &count| bytes.wrapping_mul(count));
    let first = target.wrapping_byte_add(at(to_part, &index));
    let first_source = source.wrapping_byte_add(at(from_part, &index));
    let _operation = told(&scope, (to, first), (from, first_source), total);
    let mut copier = Copier::new(to, from)?;
    loop {
        let target = target.wrapping_byte_add(at(to_part, &index));
        let source = source.wrapping_byte_add(at(from_part, &index));
        // SAFETY: a row of the subvolumes (`# Safety`).
        unsafe { copier.copy(target, source, bytes)? };
        if !advance(&mut index, outer) {
            return copier.finish();
        }
    }
}

/// Advances to the next index, the innermost dimension first. Returns whether there is a next one.
fn advance(index: &mut [usize], limits: &[usize]) -> bool {
    for (at, &limit) in index.iter_mut().zip(limits).rev() {
        *at += 1;
        if *at < limit {
            return true;
        }
        *at = 0;
    }
    false
}

#[cfg(all(test, not(feature = "model")))]
mod tests {
    use super::{Subvolume, copy};
    use crate::copy::{Call, Memory};
    use crate::offload::Offload;
    use crate::tool::CallSite;

    #[test]
    fn a_block_of_a_matrix_goes_to_another_place_of_another() {
        let source: Vec<u32> = (0..24).collect();
        let mut target = [0_u32; 20];
        let from = Subvolume { offsets: vec![1, 2], dimensions: vec![4, 6] };
        let to = Subvolume { offsets: vec![2, 0], dimensions: vec![4, 5] };
        let offload = Offload::new(Vec::new());
        let call = Call { site: CallSite::NONE, is_async: false };
        // SAFETY: the subvolumes lie in the two arrays.
        let result = unsafe {
            copy(
                &offload,
                (Memory::Host, target.as_mut_ptr().cast(), &to),
                (Memory::Host, source.as_ptr().cast(), &from),
                (&[2, 3], 4),
                call,
            )
        };
        assert_eq!(result, Ok(()));
        assert_eq!(target[10..13], [8, 9, 10]);
        assert_eq!(target[15..18], [14, 15, 16]);
        assert_eq!(target.iter().filter(|&&value| value != 0).count(), 6);
    }

    #[test]
    fn a_subvolume_that_does_not_lie_in_its_array_is_none() {
        let part = Subvolume { offsets: vec![1, 2], dimensions: vec![4, 6] };
        assert!(part.has_room_for(&[3, 4], 4));
        assert!(!part.has_room_for(&[3, 5], 4), "a row that is too long");
        assert!(!part.has_room_for(&[3, 4], usize::MAX), "elements too large");
        assert!(!part.has_room_for(&[1 << 60, 4], 4), "too many rows for any memory");
        let far = Subvolume { offsets: vec![usize::MAX, 0], dimensions: vec![4, 6] };
        assert!(!far.has_room_for(&[1, 1], 1));
    }
}
