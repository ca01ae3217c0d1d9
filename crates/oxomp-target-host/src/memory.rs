//! The memory and the clock of the host.

use core::ptr;

use oxomp_target::plugin::{ALIGNMENT, Address};

/// Allocates memory; none if there is not so much.
pub(crate) fn allocate(bytes: usize) -> Option<Address> {
    let mut memory = ptr::null_mut();
    // SAFETY: the place is this function's own, and the alignment a power of two.
    let error = unsafe { libc::posix_memalign(&raw mut memory, ALIGNMENT, bytes) };
    (error == 0 && !memory.is_null()).then(|| Address(memory.expose_provenance()))
}

/// Frees memory.
///
/// # Safety
/// `allocate` returned it, and nobody uses it.
pub(crate) unsafe fn free(address: Address) {
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { libc::free(address.as_ptr()) };
}

/// The time of the monotonic clock.
pub(crate) fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is this function's own.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
