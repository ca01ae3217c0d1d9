//! Lock routines with the source location of the call (kmpc): otherwise as `omp_*_lock`.

use core::ffi::c_int;

use oxomp_core::CallSite;
use oxomp_core::mutex::nest_lock::Owner;

use super::Loc;
use crate::argument::{LockVariable, NestLockVariable};

entry! {
    /// `void __kmpc_init_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_init_lock(_loc: Loc, _gtid: i32, lock: LockVariable) {
        lock.init(0, CallSite::here());
    }

    /// `void __kmpc_init_lock_with_hint(ident_t *loc, kmp_int32 gtid, void **user_lock,
    /// uintptr_t hint)`
    pub fn __kmpc_init_lock_with_hint(_loc: Loc, _gtid: i32, lock: LockVariable, hint: usize) {
        lock.init(hint as u32, CallSite::here());
    }

    /// `void __kmpc_destroy_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_destroy_lock(_loc: Loc, _gtid: i32, lock: LockVariable) {
        lock.destroy(CallSite::here());
    }

    /// `void __kmpc_set_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_set_lock(_loc: Loc, _gtid: i32, lock: LockVariable) {
        lock.set(CallSite::here());
    }

    /// `void __kmpc_unset_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_unset_lock(_loc: Loc, _gtid: i32, lock: LockVariable) {
        lock.unset(CallSite::here());
    }

    /// `int __kmpc_test_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_test_lock(_loc: Loc, _gtid: i32, lock: LockVariable) -> c_int {
        c_int::from(lock.test(CallSite::here()))
    }

    /// `void __kmpc_init_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_init_nest_lock(_loc: Loc, _gtid: i32, lock: NestLockVariable) {
        lock.init(0, CallSite::here());
    }

    /// `void __kmpc_init_nest_lock_with_hint(ident_t *loc, kmp_int32 gtid, void **user_lock,
    /// uintptr_t hint)`
    pub fn __kmpc_init_nest_lock_with_hint(
        _loc: Loc,
        _gtid: i32,
        lock: NestLockVariable,
        hint: usize,
    ) {
        lock.init(hint as u32, CallSite::here());
    }

    /// `void __kmpc_destroy_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_destroy_nest_lock(_loc: Loc, _gtid: i32, lock: NestLockVariable) {
        lock.destroy(CallSite::here());
    }

    /// `void __kmpc_set_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_set_nest_lock(_loc: Loc, _gtid: i32, lock: NestLockVariable) {
        lock.set(Owner::Task, CallSite::here());
    }

    /// `void __kmpc_unset_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_unset_nest_lock(_loc: Loc, _gtid: i32, lock: NestLockVariable) {
        lock.unset(CallSite::here());
    }

    /// `int __kmpc_test_nest_lock(ident_t *loc, kmp_int32 gtid, void **user_lock)`
    pub fn __kmpc_test_nest_lock(_loc: Loc, _gtid: i32, lock: NestLockVariable) -> c_int {
        lock.test(Owner::Task, CallSite::here()).cast_signed()
    }
}
