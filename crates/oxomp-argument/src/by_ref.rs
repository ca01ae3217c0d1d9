//! Values that come by reference, as Fortran passes them.

use core::marker::PhantomData;
use core::ptr::NonNull;

/// A value in a variable of the caller, which is read (rule A1).
#[repr(transparent)]
#[derive(Debug)]
pub struct ByRef<'a, T> {
    variable: NonNull<T>,
    lives: PhantomData<&'a T>,
}

impl<T> ByRef<'_, T> {
    /// Reads the caller's variable.
    #[inline(always)]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        // SAFETY: A1: the caller's variable, which holds a value.
        unsafe { self.variable.read() }
    }

    /// The value, which the caller gives up.
    pub fn take(self) -> T {
        // SAFETY: A1: the caller's variable, which holds a value.
        unsafe { self.variable.read() }
    }
}

#[cfg(test)]
mod tests {
    use super::ByRef;

    #[test]
    fn the_value_is_that_of_the_variable_now() {
        let mut number = 7;
        let variable = &raw mut number;
        // SAFETY: both are an address that is not null.
        let argument = unsafe { core::mem::transmute::<*mut i32, ByRef<i32>>(variable) };
        assert_eq!(argument.get(), 7);
        // SAFETY: the variable, through the pointer that the argument has.
        unsafe { variable.write(8) };
        assert_eq!(argument.get(), 8);
        assert_eq!(argument.take(), 8);
    }
}
