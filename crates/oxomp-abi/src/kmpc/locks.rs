//! Lock routines with the place of the call (kmpc): what `omp_*_lock` are with it, for callers that
//! know it.

use core::ffi::{c_int, c_void};

use oxomp_core::CallSite;
use oxomp_core::mutex::nest_lock::Owner;
use oxomp_sys::kmpc::ident_t;

use crate::lock_variable::{nestable, simple};

entry! {
    /// `void __kmpc_init_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn __kmpc_init_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.init(0, CallSite::here());
    }

    /// `void __kmpc_init_lock_with_hint(ident_t *loc, kmp_int32 gtid, void **user_lock,
    /// uintptr_t hint)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn __kmpc_init_lock_with_hint(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut *mut c_void,
        hint: usize,
    ) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.init(hint as u32, CallSite::here());
    }

    /// `void __kmpc_destroy_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn __kmpc_destroy_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.destroy(CallSite::here());
    }

    /// `void __kmpc_set_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn __kmpc_set_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.set(CallSite::here());
    }

    /// `void __kmpc_unset_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn __kmpc_unset_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { simple(lock) }.unset(CallSite::here());
    }

    /// `int __kmpc_test_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a lock variable.
    pub unsafe fn __kmpc_test_lock(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut *mut c_void,
    ) -> c_int {
        // SAFETY: by contract.
        c_int::from(unsafe { simple(lock) }.test(CallSite::here()))
    }

    /// `void __kmpc_init_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn __kmpc_init_nest_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.init(0, CallSite::here());
    }

    /// `void __kmpc_init_nest_lock_with_hint(ident_t *loc, kmp_int32 gtid, void **user_lock,
    /// uintptr_t hint)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn __kmpc_init_nest_lock_with_hint(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut *mut c_void,
        hint: usize,
    ) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.init(hint as u32, CallSite::here());
    }

    /// `void __kmpc_destroy_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn __kmpc_destroy_nest_lock(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut *mut c_void,
    ) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.destroy(CallSite::here());
    }

    /// `void __kmpc_set_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn __kmpc_set_nest_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.set(Owner::Task, CallSite::here());
    }

    /// `void __kmpc_unset_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn __kmpc_unset_nest_lock(_loc: *const ident_t, _gtid: i32, lock: *mut *mut c_void) {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.unset(CallSite::here());
    }

    /// `int __kmpc_test_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    ///
    /// # Safety
    /// `lock` points to a nestable lock variable.
    pub unsafe fn __kmpc_test_nest_lock(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut *mut c_void,
    ) -> c_int {
        // SAFETY: by contract.
        unsafe { nestable(lock) }.test(Owner::Task, CallSite::here()).cast_signed()
    }
}
