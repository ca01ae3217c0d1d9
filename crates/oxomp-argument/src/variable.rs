//! Variables of the caller that the runtime writes.

use core::marker::PhantomData;
use core::ptr::NonNull;

/// A variable of the caller that an answer goes to (rule A1). It need not hold a value before.
///
/// `Option<Out<T>>` is the form of an argument that may be null, where the caller wants no answer.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<'a, T> {
    variable: NonNull<T>,
    lives: PhantomData<&'a mut T>,
}

impl<T> Out<'_, T> {
    /// Stores the answer; the one before is not dropped.
    #[inline(always)]
    pub fn set(&self, value: T) {
        // SAFETY: A1: the caller's variable, to be written.
        unsafe { self.variable.write(value) };
    }
}

/// A variable of the caller that holds a value, and gets another (rule A1).
#[repr(transparent)]
#[derive(Debug)]
pub struct InOut<'a, T>(Out<'a, T>);

impl<T> InOut<'_, T> {
    /// The value that the variable has now.
    #[inline(always)]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        // SAFETY: A1: the caller's variable, which holds a value.
        unsafe { self.0.variable.read() }
    }

    /// Stores another value; the one before is not dropped.
    #[inline(always)]
    pub fn set(&self, value: T) {
        self.0.set(value);
    }

    /// Stores another value, and returns the one that was there.
    pub fn replace(&self, value: T) -> T {
        // SAFETY: A1: the caller's variable, which holds a value.
        unsafe { self.0.variable.replace(value) }
    }
}

#[cfg(test)]
mod tests {
    use super::{InOut, Out};
    use core::mem::transmute;
    use core::ptr;

    #[test]
    fn null_is_no_variable() {
        // SAFETY: null is the form of `None`.
        let nothing = unsafe { transmute::<*mut i32, Option<Out<i32>>>(ptr::null_mut()) };
        assert!(nothing.is_none());
        let mut answer = 0;
        // SAFETY: an address that is not null is the form of `Some`.
        let some = unsafe { transmute::<*mut i32, Option<Out<i32>>>(&raw mut answer) };
        some.expect("an address").set(3);
        assert_eq!(answer, 3);
    }

    #[test]
    fn two_arguments_may_be_one_variable() {
        let mut variable = 5;
        let address = &raw mut variable;
        // SAFETY: both are an address that is not null.
        let first = unsafe { transmute::<*mut i32, InOut<i32>>(address) };
        // SAFETY: both are an address that is not null.
        let second = unsafe { transmute::<*mut i32, Out<i32>>(address) };
        second.set(first.get() + 1);
        assert_eq!(first.get(), 6);
        assert_eq!(first.replace(7), 6);
        assert_eq!(variable, 7);
    }
}
