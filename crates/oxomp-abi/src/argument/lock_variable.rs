//! The locks that lie in the user's variables, of whatever name their types have.

use core::marker::PhantomData;
use core::ops::Deref;

use oxomp_core::mutex::lock::Lock;
use oxomp_core::mutex::nest_lock::NestLock;
use oxomp_sys::omp::{omp_lock_t, omp_nest_lock_t};

/// The user's variable of a simple lock: an `omp_lock_t` of C, an integer of Fortran (rule A6).
#[repr(transparent)]
#[derive(Debug)]
pub struct LockVariable<'a> {
    variable: *mut omp_lock_t,
    lives: PhantomData<&'a Lock>,
}

/// The user's variable of a nestable lock: an `omp_nest_lock_t` of C, an integer of Fortran (rule
/// A6).
#[repr(transparent)]
#[derive(Debug)]
pub struct NestLockVariable<'a> {
    variable: *mut omp_nest_lock_t,
    lives: PhantomData<&'a NestLock>,
}

impl Deref for LockVariable<'_> {
    type Target = Lock;

    #[inline(always)]
    fn deref(&self) -> &Lock {
        // SAFETY: A6: null, or a variable that the lock routines alone use.
        unsafe { Lock::at(self.variable.cast::<u32>()) }
    }
}

impl Deref for NestLockVariable<'_> {
    type Target = NestLock;

    #[inline(always)]
    fn deref(&self) -> &NestLock {
        // SAFETY: A6: null, or a variable that the lock routines alone use.
        unsafe { NestLock::at(self.variable.cast::<u64>()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{LockVariable, NestLockVariable};
    use core::marker::PhantomData;
    use core::ptr;

    #[test]
    fn a_lock_lies_in_the_variable() {
        let mut variables = (0_u64, 0_u64);
        let (simple, nestable) = (&raw mut variables.0, &raw mut variables.1);
        let lock = LockVariable { variable: simple.cast(), lives: PhantomData };
        let nest_lock = NestLockVariable { variable: nestable.cast(), lives: PhantomData };
        assert_eq!(ptr::from_ref(&*lock).addr(), simple.addr());
        assert_eq!(ptr::from_ref(&*nest_lock).addr(), nestable.addr());
    }

    #[test]
    fn null_is_another_lock_for_each_call() {
        let lock = LockVariable { variable: ptr::null_mut(), lives: PhantomData };
        let nest_lock = NestLockVariable { variable: ptr::null_mut(), lives: PhantomData };
        assert!(!ptr::eq(&raw const *lock, &raw const *lock));
        assert!(!ptr::eq(&raw const *nest_lock, &raw const *nest_lock));
    }
}
