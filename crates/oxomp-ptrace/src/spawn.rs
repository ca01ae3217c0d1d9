//! A child that stops before its first instruction.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;

use crate::Lwp;
use crate::request::checked;

/// Makes the process that `command` starts a tracee of the thread that starts it; it stops for
/// `SIGTRAP` when execve(2) has replaced the program, before the first instruction.
///
/// `Command::spawn` returns as ever: the new program holds none of the file descriptors by which
/// the standard library learns of a failure.
pub fn stop_at_exec(command: &mut Command) {
    let ask = || {
        // SAFETY: the request takes no argument.
        checked(unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, ptr::null_mut::<()>(), 0) })
    };
    // SAFETY: between fork and exec the closure makes one system call, and reads errno if that
    // fails; it allocates nothing and takes no lock.
    unsafe { command.pre_exec(ask) };
}

/// Sends `signal` to the process `pid`.
///
/// # Errors
///
/// The errors of kill(2), and an error for a number that would mean a whole group of processes.
pub fn send_signal(pid: Lwp, signal: i32) -> io::Result<()> {
    if pid <= 0 {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    // SAFETY: the call takes numbers only.
    checked(unsafe { libc::kill(pid, signal) }.into())
}
