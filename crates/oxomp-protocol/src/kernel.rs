//! The clock by which threads time their waits, a sleep that only time ends, the processor on which
//! a thread runs, and a fence of all threads. Linux only.

use core::ptr;
use core::sync::atomic::{Ordering::SeqCst, fence};

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

/// The number of the processor on which the calling thread runs, or ran a moment ago; -1 if the
/// kernel does not tell.
pub fn processor() -> i32 {
    // SAFETY: a call without arguments.
    unsafe { libc::sched_getcpu() }
}

/// Registers the process for `fence_of_all_threads`, whose first call does it otherwise. That may
/// take some milliseconds in a process with several threads. Returns whether the kernel has done
/// so.
pub fn prepare_fence_of_all_threads() -> bool {
    membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
}

/// Returns after every running thread of the process has executed a full fence. If the kernel
/// refuses (a sandbox), the caller waits longer than any processor delays a store.
pub fn fence_of_all_threads() {
    let every_thread = || membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    let is_done = every_thread() || prepare_fence_of_all_threads() && every_thread();
    if !is_done {
        fence(SeqCst);
        let end = monotonic_ns() + DELAY_OF_STORES_NS;
        // A signal ends a sleep early.
        while let left @ 1.. = end.saturating_sub(monotonic_ns()) {
            sleep(left);
        }
    }
}

/// No processor delays a store so long.
const DELAY_OF_STORES_NS: u64 = 1_000_000;

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: the commands used take no memory.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}
