//! The variables of a target construct, as gcc and gfortran list them.

use core::ffi::{c_int, c_void};

use oxomp_core::target::{Item, Offload};
use oxomp_sys::gomp::gomp_map_kind;

use crate::argument::List;

/// The arrays of a target construct's variables (rule A19).
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapping<'a> {
    addresses: *mut *mut c_void,
    words: &'a [*mut c_void],
    sizes: &'a [usize],
    kinds: &'a [u16],
}

impl<'a> Mapping<'a> {
    /// # Safety
    /// A19: `count` is the length of the three arrays.
    pub(super) unsafe fn new(
        count: usize,
        words: List<'a, *mut c_void>,
        sizes: List<'a, usize>,
        kinds: List<'a, u16>,
    ) -> Self {
        // SAFETY: A19, as this function demands.
        unsafe {
            Mapping {
                addresses: words.as_ptr().cast_mut(),
                words: words.with(count),
                sizes: sizes.with(count),
                kinds: kinds.with(count),
            }
        }
    }

    /// The variables for the device of that number, which may execute the construct.
    pub(super) fn offload(self, device: c_int, arguments: &'a [usize]) -> Offload<'a> {
        let Self { addresses, sizes, kinds, .. } = self;
        Offload { device, addresses, sizes, kinds, arguments }
    }

    /// The variables, in their order. The address of a variable that does not exist, such as an
    /// absent optional argument, is null: the region then gets null, and no copy.
    pub(super) fn items(self) -> impl ExactSizeIterator<Item = Item> + Clone {
        self.words.iter().zip(self.sizes).zip(self.kinds).map(|((&word, &size), &kind)| {
            let is_firstprivate =
                kind & gomp_map_kind::MASK == gomp_map_kind::FIRSTPRIVATE && !word.is_null();
            let alignment = 1_usize << (kind >> gomp_map_kind::ALIGNMENT_SHIFT).min(31);
            Item { word, firstprivate: is_firstprivate.then_some((size, alignment)) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Mapping;
    use core::ffi::c_void;
    use core::ptr;

    fn mapping<'a>(words: &'a [*mut c_void], sizes: &'a [usize], kinds: &'a [u16]) -> Mapping<'a> {
        // SAFETY: the arrays have as many elements.
        unsafe { Mapping::new(words.len(), words.into(), sizes.into(), kinds.into()) }
    }

    #[test]
    fn firstprivate_variables_have_a_size_and_an_alignment() {
        let words = [ptr::dangling_mut(); 3];
        let mapping = mapping(&words, &[4, 40, 0], &[0x203, 0x60c, 0x10d]);
        let copied: Vec<_> = mapping.items().map(|item| item.firstprivate).collect();
        assert_eq!(copied, [None, Some((40, 64)), None]);
    }

    #[test]
    fn a_variable_that_is_not_there_is_not_copied() {
        let words = [ptr::null_mut(), ptr::dangling_mut()];
        // gfortran computes the size of an absent array from bounds that nobody has set.
        let mapping = mapping(&words, &[usize::MAX, 64], &[0x30c; 2]);
        let copied: Vec<_> = mapping.items().map(|item| item.firstprivate).collect();
        assert_eq!(copied, [None, Some((64, 8))]);
    }
}
