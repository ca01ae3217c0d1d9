//! The end of a process whose main thread has left (pthread_exit(3)): it ends with its last thread,
//! which must not be the helper.

use std::fs;

use crate::own_thread::own_thread;

/// Whether the main thread has left, and the process goes on with its other threads.
pub(crate) fn main_thread_has_left() -> bool {
    let Ok(stat) = fs::read("/proc/self/stat") else { return false };
    // The state follows the name, which may have any characters, in parentheses.
    let name_ends = stat.iter().rposition(|&byte| byte == b')');
    name_ends.is_some_and(|at| stat.get(at + 2) == Some(&b'Z'))
}

/// Whether the calling thread, which is not the main thread, is the only one left. Where the system
/// does not list the threads, it never is.
pub(crate) fn is_last_thread() -> bool {
    if !main_thread_has_left() {
        return false;
    }
    // The entries are the thread itself and the main thread, whose exit status the system keeps.
    fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 2)
}

/// Whether the calling thread is the first of its process: in a child the one that forked.
pub(crate) fn is_main_thread() -> bool {
    // SAFETY: a call without arguments that always succeeds.
    own_thread() == unsafe { libc::getpid() }
}
