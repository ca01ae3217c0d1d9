//! The clock by which threads time their waits, and a sleep that only time ends. Linux only.

use core::ptr;

/// Puts the calling thread to sleep for about `nanoseconds`; a signal may end the sleep early.
pub fn sleep(nanoseconds: u64) {
    let time = timespec(nanoseconds);
    // SAFETY: reads `time`; a signal ends it early.
    unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) };
}

/// `nanoseconds` in the form that the kernel takes.
pub(crate) fn timespec(nanoseconds: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (nanoseconds / 1_000_000_000) as libc::time_t,
        tv_nsec: (nanoseconds % 1_000_000_000) as libc::c_long,
    }
}

/// The time of the monotonic clock, in nanoseconds.
pub fn monotonic_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid timespec; the clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
