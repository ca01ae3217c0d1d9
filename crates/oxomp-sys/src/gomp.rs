//! The interface of gcc's and gfortran's code: the GOMP calls' types and constants.

use core::ffi::{c_uint, c_void};

/// An outlined region: one pointer to a structure that the caller built.
pub type gomp_fn = unsafe extern "C" fn(data: *mut c_void);

/// The low three bits of the flags of `GOMP_parallel` and its relatives: an
/// [`omp_proc_bind_t`](crate::omp::omp_proc_bind_t) value, 0 meaning no clause.
pub const GOMP_PROC_BIND_MASK: c_uint = 7;

c_enum! {
    /// The kind in the schedule word of the general loop calls (`GOMP_loop_start` …).
    pub struct gomp_schedule(i64);
    RUNTIME = 0 => c"GFS_RUNTIME",
    STATIC = 1 => c"GFS_STATIC",
    DYNAMIC = 2 => c"GFS_DYNAMIC",
    GUIDED = 3 => c"GFS_GUIDED",
    /// Nonmonotonic runtime.
    AUTO = 4 => c"GFS_AUTO",
}

impl gomp_schedule {
    /// The monotonic modifier, or-ed to the kind.
    pub const MONOTONIC: i64 = 0x8000_0000;
}

c_flags! {
    /// What a cancel call cancels; other numbers than kmpc's.
    pub struct gomp_cancel_kind(c_uint);
    PARALLEL = 1 => c"GOMP_CANCEL_PARALLEL",
    LOOP = 2 => c"GOMP_CANCEL_LOOP",
    SECTIONS = 4 => c"GOMP_CANCEL_SECTIONS",
    TASKGROUP = 8 => c"GOMP_CANCEL_TASKGROUP",
}
