//! The locks that lie in the user's variables, of whatever name their types have.

use oxomp_core::mutex::lock::Lock;
use oxomp_core::mutex::nest_lock::NestLock;

/// The lock in the user's variable.
///
/// # Safety
/// `variable` points to a lock variable.
#[inline(always)]
pub(crate) unsafe fn simple<'a, T>(variable: *mut T) -> &'a Lock {
    // SAFETY: by contract.
    unsafe { Lock::at(variable.cast::<u32>()) }
}

/// The lock in the user's variable.
///
/// # Safety
/// `variable` points to a nestable lock variable.
#[inline(always)]
pub(crate) unsafe fn nestable<'a, T>(variable: *mut T) -> &'a NestLock {
    // SAFETY: by contract.
    unsafe { NestLock::at(variable.cast::<u64>()) }
}
