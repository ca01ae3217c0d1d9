//! Barriers, critical, master and masked, single, scope, flush (kmpc).

use core::ffi::c_void;

use oxomp_core::barrier::{barrier, gather, release};
use oxomp_core::copyprivate;
use oxomp_core::flush::flush;
use oxomp_core::masked::{end_masked, masked};
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::worksharing::{end_scope, end_single, scope, single};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_flag_t, kmpc_copy_func};

use super::Loc;
use crate::argument::CriticalName;

/// The barrier that the compiler means by its source location.
#[inline(always)]
pub(super) fn barrier_kind(loc: Loc) -> SyncRegion {
    if loc.has(ident_flag_t::BARRIER_EXPLICIT) {
        SyncRegion::BarrierExplicit
    } else if loc.has(ident_flag_t::BARRIER_IMPLICIT) {
        SyncRegion::BarrierImplicitWorkshare
    } else {
        SyncRegion::BarrierImplementation
    }
}

entry! {
    /// `void __kmpc_barrier(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_barrier(loc: Loc, _gtid: i32) {
        let site = loc.site();
        barrier(Thread::current(), barrier_kind(loc), site);
    }

    /// `kmp_int32 __kmpc_barrier_master(ident_t *loc, kmp_int32 global_tid)`: 1 for thread 0 when
    /// all have arrived; the others return after its `__kmpc_end_barrier_master`, with 0.
    pub fn __kmpc_barrier_master(_loc: Loc, _gtid: i32) -> i32 {
        let site = CallSite::here();
        i32::from(gather(Thread::current(), SyncRegion::BarrierImplementation, site))
    }

    /// `void __kmpc_end_barrier_master(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_barrier_master(_loc: Loc, _gtid: i32) {
        release(Thread::current(), SyncRegion::BarrierImplementation, CallSite::here());
    }

    /// `kmp_int32 __kmpc_barrier_master_nowait(ident_t *loc, kmp_int32 global_tid)`: a barrier that
    /// tells thread 0 apart, and has no end to call.
    pub fn __kmpc_barrier_master_nowait(_loc: Loc, _gtid: i32) -> i32 {
        let thread = Thread::current();
        barrier(thread, SyncRegion::BarrierImplementation, CallSite::here());
        i32::from(thread.implicit_task().thread_num() == 0)
    }

    /// `void __kmpc_critical(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *crit)`
    pub fn __kmpc_critical(loc: Loc, _gtid: i32, name: CriticalName) {
        let site = loc.site();
        name.enter(0, site);
    }

    /// `void __kmpc_critical_with_hint(ident_t *loc, kmp_int32 global_tid,
    /// kmp_critical_name *crit, uint32_t hint)`
    pub fn __kmpc_critical_with_hint(loc: Loc, _gtid: i32, name: CriticalName, hint: u32) {
        let site = loc.site();
        name.enter(hint, site);
    }

    /// `void __kmpc_end_critical(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *crit)`
    pub fn __kmpc_end_critical(_loc: Loc, _gtid: i32, name: CriticalName) {
        name.leave(CallSite::here());
    }

    /// `kmp_int32 __kmpc_master(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_master(loc: Loc, _gtid: i32) -> i32 {
        let site = loc.site();
        i32::from(masked(Thread::current(), 0, site))
    }

    /// `kmp_int32 __kmpc_masked(ident_t *loc, kmp_int32 global_tid, kmp_int32 filter)`
    pub fn __kmpc_masked(loc: Loc, _gtid: i32, filter: i32) -> i32 {
        let site = loc.site();
        i32::from(masked(Thread::current(), filter, site))
    }

    /// `void __kmpc_end_masked(ident_t *loc, kmp_int32 global_tid)`, and `__kmpc_end_master`
    pub fn __kmpc_end_masked | __kmpc_end_master(_loc: Loc, _gtid: i32) {
        end_masked(Thread::current(), CallSite::here());
    }

    /// `kmp_int32 __kmpc_single(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_single(loc: Loc, _gtid: i32) -> i32 {
        let site = loc.site();
        i32::from(single(Thread::current(), site))
    }

    /// `void __kmpc_end_single(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_single(_loc: Loc, _gtid: i32) {
        end_single(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_copyprivate(ident_t *loc, kmp_int32 gtid, size_t cpy_size, void *cpy_data,
    /// void (*cpy_func)(void *, void *), kmp_int32 didit)`
    ///
    /// # Safety
    /// A8: `copy` takes the `data` of each thread.
    pub unsafe fn __kmpc_copyprivate(
        _loc: Loc,
        _gtid: i32,
        _size: usize,
        data: *mut c_void,
        copy: kmpc_copy_func,
        executed: i32,
    ) {
        let site = CallSite::here();
        let thread = Thread::current();
        if executed != 0 {
            copyprivate::publish(thread, data, site);
        } else {
            let published = copyprivate::receive(thread, site);
            if !published.is_null() {
                // SAFETY: A8; the publishing thread keeps its data until all have copied: it waits
                // below.
                unsafe { copy(data, published) };
            }
        }
        barrier(thread, SyncRegion::BarrierImplicitWorkshare, site);
    }

    /// `void *__kmpc_copyprivate_light(ident_t *loc, kmp_int32 gtid, void *cpy_data)`: the thread
    /// that executed the single region passes its data, the others null, and all get the data. The
    /// compiled code copies, and waits.
    pub fn __kmpc_copyprivate_light(_loc: Loc, _gtid: i32, data: *mut c_void) -> *mut c_void {
        let site = CallSite::here();
        let thread = Thread::current();
        if data.is_null() {
            return copyprivate::receive(thread, site);
        }
        copyprivate::publish(thread, data, site);
        data
    }

    /// `void __kmpc_scope(ident_t *loc, kmp_int32 gtid, void *reserved)`
    pub fn __kmpc_scope(loc: Loc, _gtid: i32, _reserved: *mut c_void) {
        let site = loc.site();
        scope(Thread::current(), site);
    }

    /// `void __kmpc_end_scope(ident_t *loc, kmp_int32 gtid, void *reserved)`
    pub fn __kmpc_end_scope(_loc: Loc, _gtid: i32, _reserved: *mut c_void) {
        end_scope(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_flush(ident_t *loc)`
    pub fn __kmpc_flush(_loc: Loc) {
        flush(CallSite::here());
    }
}
