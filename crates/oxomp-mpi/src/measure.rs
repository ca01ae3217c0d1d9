//! The time of a call.

use std::ffi::c_int;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_sys::mpi::oxomp_mpi_call_t;

use crate::nesting::Outermost;
use crate::own_sums::{oxomp_mpi, tell};

/// Executes `call`, a call of the function of this number by the program, and measures its time.
/// `bytes` tells what the process has contributed to a call that succeeded, which is as long as the
/// arguments are known to be valid.
#[inline(always)]
pub(crate) fn measure(
    function: u32,
    call: impl FnOnce() -> c_int,
    bytes: impl FnOnce() -> u64,
) -> c_int {
    let here = 0_u8;
    let Some(outermost) = Outermost::enter((&raw const here).addr()) else { return call() };
    if oxomp_mpi.used.load(Relaxed) == 0 {
        oxomp_mpi.used.store(1, Relaxed);
    }
    let begin_ns = now();
    let result = call();
    let end_ns = now();
    let bytes = if result == SUCCESS { bytes() } else { 0 };
    tell(&oxomp_mpi_call_t { function, begin_ns, end_ns, bytes });
    drop(outermost);
    result
}

/// `MPI_SUCCESS`, which the standard defines.
const SUCCESS: c_int = 0;

/// What a function returns that no library of the process has: an error in both ABIs.
pub(crate) const MISSING: c_int = 16;

/// `CLOCK_MONOTONIC`, ns.
#[inline]
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` has room for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}
