//! Depend objects (`omp_depend_t`) of clang and flang.

use core::slice;

use oxomp_sys::kmpc::kmp_depend_info_t;

/// `omp_depend_t` of clang and flang (rule A23): the address of the first of the described
/// dependences, before which lies one that holds their number; null if the object was destroyed.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct KmpDependObject(*const kmp_depend_info_t);

impl KmpDependObject {
    /// The dependences that the object represents.
    pub fn elements(&self) -> &[kmp_depend_info_t] {
        if self.0.is_null() {
            return &[];
        }
        // SAFETY: A23: the element before the first holds their number.
        unsafe {
            let count = (*self.0.sub(1)).base_addr as usize;
            slice::from_raw_parts(self.0, count)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KmpDependObject;
    use core::ptr;
    use oxomp_sys::kmpc::kmp_depend_info_t;

    #[test]
    fn the_element_before_the_first_holds_the_number() {
        // SAFETY: a record of numbers.
        let mut elements = unsafe { [core::mem::zeroed::<kmp_depend_info_t>(); 3] };
        elements[0].base_addr = 2;
        (elements[1].base_addr, elements[2].base_addr) = (64, 128);
        let object = KmpDependObject(&raw const elements[1]);
        let found: Vec<_> = object.elements().iter().map(|it| it.base_addr).collect();
        assert_eq!(found, [64, 128]);
    }

    #[test]
    fn a_destroyed_object_has_none() {
        assert!(KmpDependObject(ptr::null()).elements().is_empty());
    }
}
