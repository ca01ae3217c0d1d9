//! Reductions at the end of a construct (kmpc).

use core::ffi::{c_int, c_void};

use oxomp_core::barrier::barrier;
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::reduction::{self, Partial, Turn};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::kmpc_reduce_func;

use super::Loc;
use crate::argument::CriticalName;

/// The compiler's code combines, and calls the end afterwards.
const COMBINE: c_int = 1;
/// There is nothing to combine.
const NOTHING: c_int = 0;

/// The list items of a thread and their combiner; `None` if one of the two is missing.
fn partial(list: *mut c_void, combine: Option<kmpc_reduce_func>) -> Option<Partial> {
    combine.filter(|_| !list.is_null()).map(|combine| Partial { list, combine })
}

/// The barrier after a reduction without nowait. Afterwards the compiled code comes to the barrier
/// of the construct itself.
fn meet(thread: &'static Thread, site: CallSite) {
    if reduction::ends_at_a_barrier(thread) {
        barrier(thread, SyncRegion::BarrierImplementation, site);
    }
}

entry! {
    /// `kmp_int32 __kmpc_reduce_nowait(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_vars,
    /// size_t reduce_size, void *reduce_data, void (*reduce_func)(void *, void *),
    /// kmp_critical_name *lck)`
    ///
    /// # Safety
    /// A8: `combine` takes the `list` of each thread.
    pub unsafe fn __kmpc_reduce_nowait(
        _loc: Loc,
        _gtid: i32,
        _num_vars: i32,
        _reduce_size: usize,
        list: *mut c_void,
        combine: Option<kmpc_reduce_func>,
        lock: CriticalName,
    ) -> c_int {
        match reduction::begin(Thread::current(), &lock, partial(list, combine), CallSite::here()) {
            Turn::Combine => COMBINE,
            Turn::Nothing => NOTHING,
        }
    }

    /// `void __kmpc_end_reduce_nowait(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *lck)`
    pub fn __kmpc_end_reduce_nowait(_loc: Loc, _gtid: i32, lock: CriticalName) {
        reduction::end(Thread::current(), &lock, CallSite::here());
    }

    /// `kmp_int32 __kmpc_reduce(ident_t *loc, kmp_int32 global_tid, kmp_int32 num_vars,
    /// size_t reduce_size, void *reduce_data, void (*reduce_func)(void *, void *),
    /// kmp_critical_name *lck)`
    ///
    /// # Safety
    /// A8: `combine` takes the `list` of each thread.
    pub unsafe fn __kmpc_reduce(
        _loc: Loc,
        _gtid: i32,
        _num_vars: i32,
        _reduce_size: usize,
        list: *mut c_void,
        combine: Option<kmpc_reduce_func>,
        lock: CriticalName,
    ) -> c_int {
        let site = CallSite::here();
        let thread = Thread::current();
        match reduction::begin(thread, &lock, partial(list, combine), site) {
            Turn::Combine => COMBINE,
            Turn::Nothing => {
                // The thread that combines comes to the barrier from `__kmpc_end_reduce`.
                meet(thread, site);
                NOTHING
            }
        }
    }

    /// `void __kmpc_end_reduce(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *lck)`: called
    /// by the thread that has combined; it waits for the others.
    pub fn __kmpc_end_reduce(_loc: Loc, _gtid: i32, lock: CriticalName) {
        let site = CallSite::here();
        let thread = Thread::current();
        reduction::end(thread, &lock, site);
        meet(thread, site);
    }
}
