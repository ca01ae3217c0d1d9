//! futex(2): sleeping on a word, and waking the sleepers.

use core::ptr;
use core::sync::atomic::AtomicU32;

use crate::kernel::timespec;

/// Sleeps while `*word == expected`, until a `wake` on the word; may return spuriously.
pub(super) fn wait(word: &AtomicU32, expected: u32) {
    // SAFETY: `word` outlives the call; FUTEX_WAIT reads it and nothing else.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            ptr::null::<libc::timespec>(),
        );
    }
}

/// Sleeps while `*word == expected`, until a `wake` on the word, for at most `nanoseconds`; may
/// return spuriously.
pub(super) fn wait_for(word: &AtomicU32, expected: u32, nanoseconds: u64) {
    let time = timespec(nanoseconds);
    // SAFETY: `word` and `time` outlive the call, which reads them and nothing else.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            &raw const time,
        );
    }
}

/// Wakes up to `count` threads that sleep on the word at `word`.
///
/// Takes an address, not a reference: the woken thread may have freed the memory by now, and the
/// kernel then finds no sleeper or answers EFAULT.
pub(super) fn wake(word: *const AtomicU32, count: i32) {
    // SAFETY: FUTEX_WAKE uses the address as a key and does not read through it.
    unsafe {
        libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, count);
    }
}
