//! Arrays of dependences, as gcc and gfortran write them.

use core::ffi::c_void;
use core::slice;

use oxomp_core::task::{DependenceKind, DependenceList};

use crate::argument::{GccDependObject, located};

/// `void **`: an array of dependences (rule A9), `{count, outs, addresses…}`, or since gcc 9
/// `{0, count, outs, mutexinoutsets, ins, addresses…, objects…}`.
///
/// It is followed where the flags of the call say that it was passed, and nowhere else.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Dependences(*const *const c_void);

/// The lengths of an array's parts, and where the first address lies.
struct Parts {
    outs: usize,
    exclusive: usize,
    ins: usize,
    count: usize,
    header: usize,
}

impl Dependences {
    /// The array, if one was passed: for a call that has no flag for it.
    pub(super) fn if_any(self) -> Option<Self> {
        (!self.0.is_null()).then_some(self)
    }

    fn parts(self) -> Parts {
        // SAFETY: A9: a word of the array's head, which depends on the first one.
        let word = |index: usize| unsafe { *self.0.add(index) }.addr();
        match word(0) {
            0 => {
                Parts { count: word(1), outs: word(2), exclusive: word(3), ins: word(4), header: 5 }
            }
            count => Parts { count, outs: word(1), exclusive: 0, ins: count - word(1), header: 2 },
        }
    }

    /// Reads the array.
    pub(super) fn read(self) -> DependenceList {
        let Parts { outs, exclusive, ins, count, header } = self.parts();
        // SAFETY: A9: `count` addresses follow the head.
        let elements = unsafe { slice::from_raw_parts(self.0.add(header), count) };
        let mut list = DependenceList::with_capacity(count);
        for (index, element) in elements.iter().enumerate() {
            let kind = if index < outs {
                DependenceKind::Inout
            } else if index < outs + exclusive {
                DependenceKind::Mutexinoutset
            } else if index < outs + exclusive + ins {
                DependenceKind::In
            } else {
                // SAFETY: A9: the address of an `omp_depend_t`.
                let object = unsafe { element.cast::<GccDependObject>().read() };
                list.extend(object.dependence());
                continue;
            };
            list.push(located(*element, kind));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::{DependenceKind, Dependences};
    use core::ffi::c_void;
    use core::ptr;

    fn read(words: &[usize]) -> Vec<(usize, DependenceKind)> {
        let words: Vec<_> = words.iter().map(|&word| ptr::with_exposed_provenance(word)).collect();
        let list = Dependences(words.as_ptr()).read();
        list.iter().map(|one| (one.location.addr(), one.kind)).collect()
    }

    #[test]
    fn the_old_form_has_outs_and_ins() {
        use DependenceKind::{In, Inout};
        assert_eq!(read(&[2, 1, 0x10, 0x20]), [(0x10, Inout), (0x20, In)]);
    }

    #[test]
    fn the_new_form_has_every_kind() {
        use DependenceKind::{AllMemory, In, Inout, Inoutset, Mutexinoutset};
        let object: (*const c_void, usize) = (ptr::without_provenance(0x50), 5);
        let object = ptr::from_ref(&object).expose_provenance();
        let words = [0, 5, 2, 1, 1, 0x10, 0, 0x30, 0x40, object];
        let expected =
            [(0x10, Inout), (0, AllMemory), (0x30, Mutexinoutset), (0x40, In), (0x50, Inoutset)];
        assert_eq!(read(&words), expected);
    }

    #[test]
    fn no_dependences_are_none() {
        assert_eq!(read(&[0, 0, 0, 0, 0]), []);
    }
}
