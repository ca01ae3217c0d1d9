//! Lock routines (OpenMP 5.2 §18.9).
//!
//! A Fortran lock variable is an integer that holds what a C one holds, and comes by reference: the
//! `_` names are the same functions. GCC's nestable locks of OpenMP 2.5 (node OMP_1.0) are eight
//! bytes large as well, but owned by a thread, not by a task.

use core::ffi::c_int;

use oxomp_core::CallSite;
use oxomp_core::mutex::nest_lock::Owner;
use oxomp_sys::omp::{omp_lock_t, omp_nest_lock_t, omp_sync_hint_t};

use crate::lock_variable::{nestable, simple};

entry! {
    /// `void omp_init_lock(omp_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn omp_init_lock | omp_init_lock_(lock: *mut omp_lock_t) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.init(0, CallSite::here());
    }

    /// `void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn omp_init_lock_with_hint(lock: *mut omp_lock_t, hint: omp_sync_hint_t) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.init(hint.0, CallSite::here());
    }

    /// `omp_init_lock_with_hint` called from Fortran.
    ///
    /// # Safety
    /// `lock` points to a lock variable, `hint` to an integer.
    pub unsafe fn omp_init_lock_with_hint_(lock: *mut omp_lock_t, hint: *const omp_sync_hint_t) {
        // SAFETY: by contract.
        unsafe { simple(lock).init((*hint).0, CallSite::here()) }
    }

    /// `void omp_destroy_lock(omp_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn omp_destroy_lock | omp_destroy_lock_(lock: *mut omp_lock_t) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.destroy(CallSite::here());
    }

    /// `void omp_set_lock(omp_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn omp_set_lock | omp_set_lock_(lock: *mut omp_lock_t) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.set(CallSite::here());
    }

    /// `void omp_unset_lock(omp_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn omp_unset_lock | omp_unset_lock_(lock: *mut omp_lock_t) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.unset(CallSite::here());
    }

    /// `int omp_test_lock(omp_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn omp_test_lock | omp_test_lock_(lock: *mut omp_lock_t) -> c_int {
        // SAFETY: by contract.
        c_int::from(unsafe { simple(lock) }.test(CallSite::here()))
    }

    /// `void omp_init_nest_lock(omp_nest_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_init_nest_lock | omp_init_nest_lock_(lock: *mut omp_nest_lock_t) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.init(0, CallSite::here());
    }

    /// `void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_init_nest_lock_with_hint(lock: *mut omp_nest_lock_t, hint: omp_sync_hint_t) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.init(hint.0, CallSite::here());
    }

    /// `omp_init_nest_lock_with_hint` called from Fortran.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable, `hint` to an integer.
    pub unsafe fn omp_init_nest_lock_with_hint_(
        lock: *mut omp_nest_lock_t,
        hint: *const omp_sync_hint_t,
    ) {
        // SAFETY: by contract.
        unsafe { nestable(lock).init((*hint).0, CallSite::here()) }
    }

    /// `void omp_destroy_nest_lock(omp_nest_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_destroy_nest_lock | omp_destroy_nest_lock_(lock: *mut omp_nest_lock_t) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.destroy(CallSite::here());
    }

    /// `void omp_set_nest_lock(omp_nest_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_set_nest_lock@["VERSION", "OMP_3.0"](lock: *mut omp_nest_lock_t) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.set(Owner::Task, CallSite::here());
    }

    /// `omp_set_nest_lock` called from Fortran.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_set_nest_lock_@["VERSION", "OMP_3.0"](lock: *mut omp_nest_lock_t) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.set(Owner::Task, CallSite::here());
    }

    /// `omp_set_nest_lock` of OpenMP 2.5.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_set_nest_lock_for_thread = omp_set_nest_lock@["OMP_1.0"](
        lock: *mut omp_nest_lock_t,
    ) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.set(Owner::Thread, CallSite::here());
    }

    /// `omp_set_nest_lock` of OpenMP 2.5 called from Fortran.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_set_nest_lock_for_thread_ = omp_set_nest_lock_@["OMP_1.0"](
        lock: *mut omp_nest_lock_t,
    ) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.set(Owner::Thread, CallSite::here());
    }

    /// `void omp_unset_nest_lock(omp_nest_lock_t *lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_unset_nest_lock | omp_unset_nest_lock_(lock: *mut omp_nest_lock_t) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.unset(CallSite::here());
    }

    /// `int omp_test_nest_lock(omp_nest_lock_t *lock)`: the new nesting count, or 0.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_test_nest_lock@["VERSION", "OMP_3.0"](lock: *mut omp_nest_lock_t) -> c_int {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.test(Owner::Task, CallSite::here()).cast_signed()
    }

    /// `omp_test_nest_lock` called from Fortran.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_test_nest_lock_@["VERSION", "OMP_3.0"](lock: *mut omp_nest_lock_t) -> c_int {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.test(Owner::Task, CallSite::here()).cast_signed()
    }

    /// `omp_test_nest_lock` of OpenMP 2.5.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_test_nest_lock_for_thread = omp_test_nest_lock@["OMP_1.0"](
        lock: *mut omp_nest_lock_t,
    ) -> c_int {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.test(Owner::Thread, CallSite::here()).cast_signed()
    }

    /// `omp_test_nest_lock` of OpenMP 2.5 called from Fortran.
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn omp_test_nest_lock_for_thread_ = omp_test_nest_lock_@["OMP_1.0"](
        lock: *mut omp_nest_lock_t,
    ) -> c_int {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.test(Owner::Thread, CallSite::here()).cast_signed()
    }
}
