//! Barriers, critical, master and masked, single, flush (kmpc).

use core::ffi::c_void;
use core::sync::atomic::{Ordering, fence};

use oxomp_core::barrier::{barrier, gather, release};
use oxomp_core::copyprivate;
use oxomp_core::mutex::critical::Critical;
use oxomp_core::ompt::event::{Endpoint, SyncRegion, Work, emit};
use oxomp_core::worksharing::{end_single, single};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::kmpc::{ident_flag_t, ident_t, kmp_critical_name, kmpc_copy_func};

use super::site;

/// The barrier that the compiler means by its source location.
///
/// # Safety
/// `loc` is null or points to a location.
unsafe fn barrier_kind(loc: *const ident_t) -> SyncRegion {
    // SAFETY: by contract.
    let Some(loc) = (unsafe { loc.as_ref() }) else {
        return SyncRegion::BarrierImplementation;
    };
    if loc.flags.0 & ident_flag_t::BARRIER_EXPLICIT.0 != 0 {
        SyncRegion::BarrierExplicit
    } else if loc.flags.0 & ident_flag_t::BARRIER_IMPLICIT.0 != 0 {
        SyncRegion::BarrierImplicitWorkshare
    } else {
        SyncRegion::BarrierImplementation
    }
}

/// The critical that lies in a compiler's object.
///
/// # Safety
/// `name` is such an object.
#[inline(always)]
pub(super) unsafe fn critical<'a>(name: *mut kmp_critical_name) -> &'a Critical {
    // SAFETY: by contract: eight words, zero at first, and the runtime's.
    unsafe { Critical::at(name.cast::<u32>()) }
}

entry! {
    /// `void __kmpc_barrier(ident_t *loc, kmp_int32 global_tid)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_barrier(loc: *const ident_t, _gtid: i32) {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        // SAFETY: by contract.
        let kind = unsafe { barrier_kind(loc) };
        barrier(Thread::current(), kind, site);
    }

    /// `kmp_int32 __kmpc_barrier_master(ident_t *loc, kmp_int32 global_tid)`: 1 for thread 0 when all
    /// have arrived; the others return after its `__kmpc_end_barrier_master`, with 0.
    pub fn __kmpc_barrier_master(_loc: *const ident_t, _gtid: i32) -> i32 {
        let site = CallSite::here();
        i32::from(gather(Thread::current(), SyncRegion::BarrierImplementation, site))
    }

    /// `void __kmpc_end_barrier_master(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_barrier_master(_loc: *const ident_t, _gtid: i32) {
        release(Thread::current(), SyncRegion::BarrierImplementation, CallSite::here());
    }

    /// `kmp_int32 __kmpc_barrier_master_nowait(ident_t *loc, kmp_int32 global_tid)`: a barrier that
    /// tells thread 0 apart, and has no end to call.
    pub fn __kmpc_barrier_master_nowait(_loc: *const ident_t, _gtid: i32) -> i32 {
        let thread = Thread::current();
        barrier(thread, SyncRegion::BarrierImplementation, CallSite::here());
        i32::from(thread.implicit_task().thread_num() == 0)
    }

    /// `void __kmpc_critical(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *crit)`
    ///
    /// # Safety
    /// `name` is the compiler's object for the critical's name.
    pub unsafe fn __kmpc_critical(loc: *const ident_t, _gtid: i32, name: *mut kmp_critical_name) {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        // SAFETY: by contract.
        unsafe { critical(name) }.enter(0, site);
    }

    /// `void __kmpc_critical_with_hint(ident_t *loc, kmp_int32 global_tid,
    /// kmp_critical_name *crit, uint32_t hint)`
    ///
    /// # Safety
    /// `name` is the compiler's object for the critical's name.
    pub unsafe fn __kmpc_critical_with_hint(
        loc: *const ident_t,
        _gtid: i32,
        name: *mut kmp_critical_name,
        hint: u32,
    ) {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        // SAFETY: by contract.
        unsafe { critical(name) }.enter(hint, site);
    }

    /// `void __kmpc_end_critical(ident_t *loc, kmp_int32 global_tid, kmp_critical_name *crit)`
    ///
    /// # Safety
    /// `name` is the compiler's object for the critical's name.
    pub unsafe fn __kmpc_end_critical(
        _loc: *const ident_t,
        _gtid: i32,
        name: *mut kmp_critical_name,
    ) {
        // SAFETY: by contract.
        unsafe { critical(name) }.leave(CallSite::here());
    }

    /// `kmp_int32 __kmpc_master(ident_t *loc, kmp_int32 global_tid)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_master(loc: *const ident_t, _gtid: i32) -> i32 {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        masked(0, site)
    }

    /// `kmp_int32 __kmpc_masked(ident_t *loc, kmp_int32 global_tid, kmp_int32 filter)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_masked(loc: *const ident_t, _gtid: i32, filter: i32) -> i32 {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        masked(filter, site)
    }

    /// `void __kmpc_end_masked(ident_t *loc, kmp_int32 global_tid)`, and `__kmpc_end_master`
    pub fn __kmpc_end_masked | __kmpc_end_master(_loc: *const ident_t, _gtid: i32) {
        emit::masked(Endpoint::End, &Thread::current().implicit_task().ompt, CallSite::here());
    }

    /// `kmp_int32 __kmpc_single(ident_t *loc, kmp_int32 global_tid)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_single(loc: *const ident_t, _gtid: i32) -> i32 {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        i32::from(single(Thread::current(), site))
    }

    /// `void __kmpc_end_single(ident_t *loc, kmp_int32 global_tid)`
    pub fn __kmpc_end_single(_loc: *const ident_t, _gtid: i32) {
        end_single(Thread::current(), CallSite::here());
    }

    /// `void __kmpc_copyprivate(ident_t *loc, kmp_int32 gtid, size_t cpy_size, void *cpy_data,
    /// void (*cpy_func)(void *, void *), kmp_int32 didit)`
    ///
    /// # Safety
    /// `data` is what `copy` expects, on each thread.
    pub unsafe fn __kmpc_copyprivate(
        _loc: *const ident_t,
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
            // SAFETY: by contract; the publisher waits below.
            unsafe { copy(data, published) };
        }
        barrier(thread, SyncRegion::BarrierImplicitWorkshare, site);
    }

    /// `void *__kmpc_copyprivate_light(ident_t *loc, kmp_int32 gtid, void *cpy_data)`: the one
    /// thread passes what it has, the others null, and all get it. They copy and wait themselves.
    pub fn __kmpc_copyprivate_light(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut c_void,
    ) -> *mut c_void {
        let site = CallSite::here();
        let thread = Thread::current();
        if data.is_null() {
            return copyprivate::receive(thread, site);
        }
        copyprivate::publish(thread, data, site);
        data
    }

    /// `void __kmpc_scope(ident_t *loc, kmp_int32 gtid, void *reserved)`
    ///
    /// # Safety
    /// `loc` is null or points to a location.
    pub unsafe fn __kmpc_scope(loc: *const ident_t, _gtid: i32, _reserved: *mut c_void) {
        // SAFETY: by contract.
        let site = unsafe { site(loc) };
        let task = &Thread::current().implicit_task().ompt;
        emit::work(Work::Scope, Endpoint::Begin, task, 1, site);
    }

    /// `void __kmpc_end_scope(ident_t *loc, kmp_int32 gtid, void *reserved)`
    pub fn __kmpc_end_scope(_loc: *const ident_t, _gtid: i32, _reserved: *mut c_void) {
        let task = &Thread::current().implicit_task().ompt;
        emit::work(Work::Scope, Endpoint::End, task, 1, CallSite::here());
    }

    /// `void __kmpc_flush(ident_t *loc)`
    pub fn __kmpc_flush(_loc: *const ident_t) {
        // The specification's strong flush orders all that comes before with all that comes after.
        fence(Ordering::SeqCst);
        if let Some(thread) = Thread::known() {
            emit::flush(&thread.ompt, CallSite::here());
        }
    }
}

/// Whether the calling thread executes the masked region: 1 or 0.
#[inline(always)]
fn masked(filter: i32, site: CallSite) -> i32 {
    let task = Thread::current().implicit_task();
    let executes = task.thread_num() as i32 == filter;
    if executes {
        emit::masked(Endpoint::Begin, &task.ompt, site);
    }
    i32::from(executes)
}
