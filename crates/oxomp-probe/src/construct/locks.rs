//! The lock routines, which are the same in programs of every compiler.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};

use crate::runtime::call;

/// `omp_lock_t`: as large as the largest runtime's.
#[repr(C, align(16))]
#[derive(Default)]
struct Storage(UnsafeCell<[u64; 8]>);

// SAFETY: only the runtime uses the words, under its own synchronization.
unsafe impl Sync for Storage {}

impl Storage {
    fn pointer(&self) -> *mut c_void {
        self.0.get().cast()
    }
}

/// A lock.
#[derive(Default)]
pub(crate) struct Lock(Storage);

impl Lock {
    pub(crate) fn init(&self) {
        call!(omp_init_lock(self.0.pointer() => *mut c_void));
    }

    pub(crate) fn init_with_hint(&self, hint: c_int) {
        call!(omp_init_lock_with_hint(self.0.pointer() => *mut c_void, hint => c_int));
    }

    pub(crate) fn set(&self) {
        call!(omp_set_lock(self.0.pointer() => *mut c_void));
    }

    pub(crate) fn unset(&self) {
        call!(omp_unset_lock(self.0.pointer() => *mut c_void));
    }

    pub(crate) fn test(&self) -> bool {
        call!(omp_test_lock(self.0.pointer() => *mut c_void) -> c_int) != 0
    }

    pub(crate) fn destroy(&self) {
        call!(omp_destroy_lock(self.0.pointer() => *mut c_void));
    }
}

/// A nest lock.
#[derive(Default)]
pub(crate) struct NestLock(Storage);

impl NestLock {
    pub(crate) fn init(&self) {
        call!(omp_init_nest_lock(self.0.pointer() => *mut c_void));
    }

    pub(crate) fn set(&self) {
        call!(omp_set_nest_lock(self.0.pointer() => *mut c_void));
    }

    pub(crate) fn unset(&self) {
        call!(omp_unset_nest_lock(self.0.pointer() => *mut c_void));
    }

    pub(crate) fn test(&self) -> c_int {
        call!(omp_test_nest_lock(self.0.pointer() => *mut c_void) -> c_int)
    }

    pub(crate) fn destroy(&self) {
        call!(omp_destroy_nest_lock(self.0.pointer() => *mut c_void));
    }
}
