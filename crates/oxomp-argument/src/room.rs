//! Arrays of the caller that the runtime fills.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice;

/// The beginning of an array that the caller wants filled; null if the caller wants nothing (rule
/// A3).
#[repr(transparent)]
#[derive(Debug)]
pub struct Room<'a, T> {
    first: *mut T,
    lives: PhantomData<&'a mut [T]>,
}

impl<'a, T> Room<'a, T> {
    /// The elements, which need not hold values. The result is empty if there is no array, or if
    /// the count is negative.
    ///
    /// # Safety
    /// `count` is the argument that tells the array's length, or the number of elements that the
    /// routine is specified to store, so that rule A3 holds for the two.
    pub unsafe fn with(self, count: impl TryInto<usize>) -> &'a mut [MaybeUninit<T>] {
        match count.try_into() {
            // SAFETY: A3: room for `count` elements, which nothing else accesses meanwhile.
            Ok(count) if !self.first.is_null() => unsafe {
                slice::from_raw_parts_mut(self.first.cast::<MaybeUninit<T>>(), count)
            },
            _ => &mut [],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Room;
    use core::marker::PhantomData;
    use core::ptr;

    fn room<T>(address: *mut T) -> Room<'static, T> {
        Room { first: address, lives: PhantomData }
    }

    #[test]
    fn it_is_filled_as_far_as_the_count_says() {
        let mut numbers = [0, 0, 9];
        // SAFETY: there is room for two.
        for slot in unsafe { room(numbers.as_mut_ptr()).with(2_i32) } {
            slot.write(7);
        }
        assert_eq!(numbers, [7, 7, 9]);
        // SAFETY: no count is above three.
        unsafe {
            assert!(room(numbers.as_mut_ptr()).with(0_usize).is_empty());
            assert!(room(numbers.as_mut_ptr()).with(-3_i32).is_empty());
        }
    }

    #[test]
    fn null_has_none() {
        // SAFETY: null has no room, whatever the count.
        assert!(unsafe { room(ptr::null_mut::<u8>()).with(12_usize) }.is_empty());
    }
}
