//! What happened to a tracee.

use std::io;

use crate::Lwp;

/// What wait(2) tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The thread, or the process if it was its first one, ended by itself.
    Exited(i32),
    /// A signal ended it.
    Killed(i32),
    /// It stopped.
    Stopped {
        /// The signal that is about to be delivered, or that stopped the group; `SIGTRAP` for the
        /// other events.
        signal: i32,
        /// `EVENT_…`, or 0 if it stopped for a signal.
        event: i32,
    },
}

impl Status {
    fn from_raw(status: i32) -> Option<Self> {
        if libc::WIFEXITED(status) {
            Some(Self::Exited(libc::WEXITSTATUS(status)))
        } else if libc::WIFSIGNALED(status) {
            Some(Self::Killed(libc::WTERMSIG(status)))
        } else if libc::WIFSTOPPED(status) {
            let (signal, event) = (libc::WSTOPSIG(status), (status >> 16) & 0xffff);
            Some(Self::Stopped { signal, event })
        } else {
            None
        }
    }
}

/// Waits for `lwp`, however long that takes. A tracee tells of its stops, a child also that its
/// group stopped.
///
/// # Errors
///
/// `ECHILD` if the thread is neither a tracee of the calling thread nor a child.
pub fn wait(lwp: Lwp) -> io::Result<Status> {
    loop {
        if let Some(status) = wait_with(lwp, libc::WUNTRACED)? {
            return Ok(status);
        }
    }
}

/// What happened to `lwp`; `None` if nothing did since the last question.
///
/// # Errors
///
/// `ECHILD` if the thread is neither a tracee of the calling thread nor a child.
pub fn wait_no_hang(lwp: Lwp) -> io::Result<Option<Status>> {
    wait_with(lwp, libc::WNOHANG)
}

fn wait_with(lwp: Lwp, options: i32) -> io::Result<Option<Status>> {
    // A number that is not positive would mean any child, or a whole group.
    if lwp <= 0 {
        return Err(io::Error::from_raw_os_error(libc::ECHILD));
    }
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes one integer, to a local variable.
        let found = unsafe { libc::waitpid(lwp, &raw mut status, options | libc::__WALL) };
        match found {
            0 => return Ok(None),
            -1 => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
            _ => return Ok(Status::from_raw(status)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Status, wait, wait_no_hang};

    #[test]
    fn a_status_is_told_apart() {
        assert_eq!(Status::from_raw(0x0300), Some(Status::Exited(3)));
        assert_eq!(Status::from_raw(0x8b), Some(Status::Killed(11)));
        let real_time = Status::Stopped { signal: 34, event: 0 };
        assert_eq!(Status::from_raw(0x227f), Some(real_time));
        let interrupted = Status::Stopped { signal: 5, event: 128 };
        assert_eq!(Status::from_raw(0x0080_057f), Some(interrupted));
    }

    #[test]
    fn no_group_of_children_is_waited_for() {
        assert!(wait(-1).is_err() && wait(0).is_err() && wait_no_hang(-1).is_err());
    }
}
