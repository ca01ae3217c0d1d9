//! Arrays whose length is another argument.

use core::marker::PhantomData;
use core::slice;

/// The beginning of an array that the caller has filled; null if there is no array (rule A3).
#[repr(transparent)]
#[derive(Debug)]
pub struct List<'a, T> {
    first: *const T,
    lives: PhantomData<&'a [T]>,
}

impl<T> Clone for List<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<'a, T> List<'a, T> {
    /// The elements. The result is empty if there is no array, or if the count is negative.
    ///
    /// # Safety
    /// `count` is the argument that tells the array's length, so that rule A3 holds for the two.
    #[inline(always)]
    pub unsafe fn with(self, count: impl TryInto<usize>) -> &'a [T] {
        match count.try_into() {
            // SAFETY: A3: `count` elements, which nothing changes during the call.
            Ok(count) if !self.first.is_null() => unsafe {
                slice::from_raw_parts(self.first, count)
            },
            _ => &[],
        }
    }

    /// The address that was passed.
    pub fn as_ptr(self) -> *const T {
        self.first
    }
}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(elements: &'a [T]) -> Self {
        List { first: elements.as_ptr(), lives: PhantomData }
    }
}

impl<T> Default for List<'_, T> {
    /// Null.
    fn default() -> Self {
        List { first: core::ptr::null(), lives: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::List;

    #[test]
    fn a_list_has_as_many_elements_as_the_count_says() {
        let list = List::from(&[1, 2, 3][..]);
        // SAFETY: no count is above three.
        unsafe {
            assert_eq!(list.with(3_i32), [1, 2, 3]);
            assert_eq!(list.with(2_u32), [1, 2]);
            assert!(list.with(0_i32).is_empty());
            assert!(list.with(-1_i32).is_empty());
        }
    }

    #[test]
    fn null_has_none() {
        let none = List::<u64>::default();
        // SAFETY: null has no elements, whatever the count.
        unsafe {
            assert!(none.with(0_usize).is_empty());
            assert!(none.with(4_i32).is_empty());
        }
    }
}
