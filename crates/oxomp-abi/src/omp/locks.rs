//! Lock routines (OpenMP 5.2 §18.9).
//!
//! A Fortran lock variable is an integer with the contents of a C one, and comes by reference: the
//! `_` names are the same functions. GCC's nestable locks of OpenMP 2.5 (node OMP_1.0) are eight
//! bytes large as well, but owned by a thread, not by a task.

use core::ffi::c_int;

use oxomp_core::CallSite;
use oxomp_core::mutex::nest_lock::Owner;
use oxomp_sys::omp::omp_sync_hint_t;

use crate::argument::{ByRef, LockVariable, NestLockVariable};

entry! {
    /// `void omp_init_lock(omp_lock_t *lock)`
    pub fn omp_init_lock | omp_init_lock_(lock: LockVariable) {
        lock.init(0, CallSite::here());
    }

    /// `void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)`
    pub fn omp_init_lock_with_hint(lock: LockVariable, hint: omp_sync_hint_t) {
        lock.init(hint.0, CallSite::here());
    }

    /// `omp_init_lock_with_hint` called from Fortran.
    pub fn omp_init_lock_with_hint_(lock: LockVariable, hint: ByRef<omp_sync_hint_t>) {
        lock.init(hint.get().0, CallSite::here());
    }

    /// `void omp_destroy_lock(omp_lock_t *lock)`
    pub fn omp_destroy_lock | omp_destroy_lock_(lock: LockVariable) {
        lock.destroy(CallSite::here());
    }

    /// `void omp_set_lock(omp_lock_t *lock)`
    pub fn omp_set_lock | omp_set_lock_(lock: LockVariable) {
        lock.set(CallSite::here());
    }

    /// `void omp_unset_lock(omp_lock_t *lock)`
    pub fn omp_unset_lock | omp_unset_lock_(lock: LockVariable) {
        lock.unset(CallSite::here());
    }

    /// `int omp_test_lock(omp_lock_t *lock)`
    pub fn omp_test_lock | omp_test_lock_(lock: LockVariable) -> c_int {
        c_int::from(lock.test(CallSite::here()))
    }

    /// `void omp_init_nest_lock(omp_nest_lock_t *lock)`
    pub fn omp_init_nest_lock | omp_init_nest_lock_(lock: NestLockVariable) {
        lock.init(0, CallSite::here());
    }

    /// `void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)`
    pub fn omp_init_nest_lock_with_hint(lock: NestLockVariable, hint: omp_sync_hint_t) {
        lock.init(hint.0, CallSite::here());
    }

    /// `omp_init_nest_lock_with_hint` called from Fortran.
    pub fn omp_init_nest_lock_with_hint_(lock: NestLockVariable, hint: ByRef<omp_sync_hint_t>) {
        lock.init(hint.get().0, CallSite::here());
    }

    /// `void omp_destroy_nest_lock(omp_nest_lock_t *lock)`
    pub fn omp_destroy_nest_lock | omp_destroy_nest_lock_(lock: NestLockVariable) {
        lock.destroy(CallSite::here());
    }

    /// `void omp_set_nest_lock(omp_nest_lock_t *lock)`
    pub fn omp_set_nest_lock@["VERSION", "OMP_3.0"](lock: NestLockVariable) {
        lock.set(Owner::Task, CallSite::here());
    }

    /// `omp_set_nest_lock` called from Fortran.
    pub fn omp_set_nest_lock_@["VERSION", "OMP_3.0"](lock: NestLockVariable) {
        lock.set(Owner::Task, CallSite::here());
    }

    /// `omp_set_nest_lock` of OpenMP 2.5.
    pub fn omp_set_nest_lock_for_thread = omp_set_nest_lock@["OMP_1.0"](lock: NestLockVariable) {
        lock.set(Owner::Thread, CallSite::here());
    }

    /// `omp_set_nest_lock` of OpenMP 2.5 called from Fortran.
    pub fn omp_set_nest_lock_for_thread_ = omp_set_nest_lock_@["OMP_1.0"](lock: NestLockVariable) {
        lock.set(Owner::Thread, CallSite::here());
    }

    /// `void omp_unset_nest_lock(omp_nest_lock_t *lock)`
    pub fn omp_unset_nest_lock | omp_unset_nest_lock_(lock: NestLockVariable) {
        lock.unset(CallSite::here());
    }

    /// `int omp_test_nest_lock(omp_nest_lock_t *lock)`: the new nesting count, or 0.
    pub fn omp_test_nest_lock@["VERSION", "OMP_3.0"](lock: NestLockVariable) -> c_int {
        lock.test(Owner::Task, CallSite::here()).cast_signed()
    }

    /// `omp_test_nest_lock` called from Fortran.
    pub fn omp_test_nest_lock_@["VERSION", "OMP_3.0"](lock: NestLockVariable) -> c_int {
        lock.test(Owner::Task, CallSite::here()).cast_signed()
    }

    /// `omp_test_nest_lock` of OpenMP 2.5.
    pub fn omp_test_nest_lock_for_thread = omp_test_nest_lock@["OMP_1.0"](
        lock: NestLockVariable,
    ) -> c_int {
        lock.test(Owner::Thread, CallSite::here()).cast_signed()
    }

    /// `omp_test_nest_lock` of OpenMP 2.5 called from Fortran.
    pub fn omp_test_nest_lock_for_thread_ = omp_test_nest_lock_@["OMP_1.0"](
        lock: NestLockVariable,
    ) -> c_int {
        lock.test(Owner::Thread, CallSite::here()).cast_signed()
    }
}
