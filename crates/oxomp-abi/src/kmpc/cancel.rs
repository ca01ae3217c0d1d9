//! Cancellation (kmpc). Each call returns whether the calling thread has to branch to the end of
//! the region: 1, or else 0.

use oxomp_core::cancel::{self, Construct};
use oxomp_core::{CallSite, Thread};

use super::Loc;
use super::sync::barrier_kind;

/// The construct of LLVM's number.
fn construct(kind: i32) -> Option<Construct> {
    Some(match kind {
        1 => Construct::Parallel,
        2 => Construct::Loop,
        3 => Construct::Sections,
        4 => Construct::Taskgroup,
        _ => return None,
    })
}

entry! {
    /// `kmp_int32 __kmpc_cancel(ident_t *loc, kmp_int32 gtid, kmp_int32 cncl_kind)`
    pub fn __kmpc_cancel(_loc: Loc, _gtid: i32, kind: i32) -> i32 {
        let site = CallSite::here();
        let construct = construct(kind);
        i32::from(construct.is_some_and(|one| cancel::cancel(Thread::current(), one, site)))
    }

    /// `kmp_int32 __kmpc_cancellationpoint(ident_t *loc, kmp_int32 gtid, kmp_int32 cncl_kind)`
    pub fn __kmpc_cancellationpoint(_loc: Loc, _gtid: i32, kind: i32) -> i32 {
        i32::from(cancel::cancellation_point(|| construct(kind), CallSite::here()))
    }

    /// `kmp_int32 __kmpc_cancel_barrier(ident_t *loc, kmp_int32 gtid)`
    pub fn __kmpc_cancel_barrier(loc: Loc, _gtid: i32) -> i32 {
        let site = loc.site();
        i32::from(cancel::barrier(Thread::current(), barrier_kind(loc), site))
    }

    /// `int kmp_get_cancellation_status(int cancel_kind)`: 1 if the innermost region of that kind
    /// is cancelled.
    pub fn kmp_get_cancellation_status | kmp_get_cancellation_status_(kind: i32) -> i32 {
        let construct = construct(kind);
        i32::from(construct.is_some_and(|one| cancel::is_active(Thread::current(), one)))
    }
}
