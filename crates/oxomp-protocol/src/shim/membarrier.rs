//! membarrier(2): a fence that all running threads of the process execute.

/// `MEMBARRIER_CMD_PRIVATE_EXPEDITED` (linux/membarrier.h).
const EVERY_THREAD: libc::c_int = 1 << 3;
/// `MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED`: a process registers before its first fence.
const REGISTER: libc::c_int = 1 << 4;

/// Every thread of the process that runs executes a fence before this returns. Returns false if
/// the kernel has no such call, or forbids it.
///
/// The process registers at its first call, which may take some milliseconds then.
pub(super) fn every_thread() -> bool {
    is_done(EVERY_THREAD) || is_done(REGISTER) && is_done(EVERY_THREAD)
}

fn is_done(command: libc::c_int) -> bool {
    // SAFETY: the call takes numbers only.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}
