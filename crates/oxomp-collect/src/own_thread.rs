//! The calling native thread.

/// The thread's id, as the kernel knows it. glibc has a function for it since 2.30, and would not
/// load a library that asks an earlier one for it.
pub(crate) fn own_thread() -> libc::pid_t {
    // SAFETY: the call takes no arguments and no memory.
    unsafe { libc::syscall(libc::SYS_gettid) as libc::pid_t }
}
