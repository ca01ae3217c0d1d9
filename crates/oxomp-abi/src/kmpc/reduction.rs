//! Reductions at the end of a construct (kmpc).

use core::ffi::{c_int, c_void};

use oxomp_core::barrier::barrier;
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::reduction::{self, Partial, Turn};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_t, kmp_critical_name, kmpc_reduce_func};

use super::sync::critical;

/// The compiler's code combines, and calls the end afterwards.
const COMBINE: c_int = 1;
/// There is nothing to combine.
const NOTHING: c_int = 0;

/// What the compiler gave to combine; none if a part of it is missing.
fn partial(list: *mut c_void, combine: Option<kmpc_reduce_func>) -> Option<Partial> {
    combine.filter(|_| !list.is_null()).map(|combine| Partial { list, combine })
}

entry! {
    /// `kmp_int32 __kmpc_reduce_nowait(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_vars,
    /// size_t reduce_size, void *reduce_data, void (*reduce_func)(void *, void *),
    /// kmp_critical_name *lck)`
    ///
    /// # Safety
    /// `lock` is the compiler's object for reductions.
    pub unsafe fn __kmpc_reduce_nowait(
        _loc: *const ident_t,
        _gtid: i32,
        _num_vars: i32,
        _reduce_size: usize,
        list: *mut c_void,
        combine: Option<kmpc_reduce_func>,
        lock: *mut kmp_critical_name,
    ) -> c_int {
        // SAFETY: by contract.
        let lock = unsafe { critical(lock) };
        match reduction::begin(Thread::current(), lock, partial(list, combine), CallSite::here()) {
            Turn::Combine => COMBINE,
            Turn::Nothing => NOTHING,
        }
    }

    /// `void __kmpc_end_reduce_nowait(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *lck)`
    ///
    /// # Safety
    /// `lock` is the compiler's object for reductions.
    pub unsafe fn __kmpc_end_reduce_nowait(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut kmp_critical_name,
    ) {
        // SAFETY: by contract.
        reduction::end(Thread::current(), unsafe { critical(lock) }, CallSite::here());
    }

    /// `kmp_int32 __kmpc_reduce(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_vars,
    /// size_t reduce_size, void *reduce_data, void (*reduce_func)(void *, void *),
    /// kmp_critical_name *lck)`
    ///
    /// # Safety
    /// `lock` is the compiler's object for reductions.
    pub unsafe fn __kmpc_reduce(
        _loc: *const ident_t,
        _gtid: i32,
        _num_vars: i32,
        _reduce_size: usize,
        list: *mut c_void,
        combine: Option<kmpc_reduce_func>,
        lock: *mut kmp_critical_name,
    ) -> c_int {
        // SAFETY: by contract.
        let lock = unsafe { critical(lock) };
        let site = CallSite::here();
        let thread = Thread::current();
        match reduction::begin(thread, lock, partial(list, combine), site) {
            Turn::Combine => COMBINE,
            Turn::Nothing => {
                // Who combines comes to the barrier from its end.
                barrier(thread, SyncRegion::BarrierImplicitWorkshare, site);
                NOTHING
            }
        }
    }

    /// `void __kmpc_end_reduce(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *lck)`: called
    /// by who has combined, and waits for the others.
    ///
    /// # Safety
    /// `lock` is the compiler's object for reductions.
    pub unsafe fn __kmpc_end_reduce(
        _loc: *const ident_t,
        _gtid: i32,
        lock: *mut kmp_critical_name,
    ) {
        let site = CallSite::here();
        let thread = Thread::current();
        // SAFETY: by contract.
        reduction::end(thread, unsafe { critical(lock) }, site);
        barrier(thread, SyncRegion::BarrierImplicitWorkshare, site);
    }
}
