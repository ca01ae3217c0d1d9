//! The collector's file descriptors, out of the way of those that programs number themselves.

use std::ffi::{CStr, c_int};
use std::io;

/// The least number that the collector's descriptors get.
const LEAST: c_int = 200;

/// Opens the file at `path` to read it.
pub(crate) fn open(path: &CStr) -> Option<c_int> {
    // SAFETY: a string.
    let low = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if low < 0 { None } else { renumber(low).ok() }
}

/// Gives the file of the descriptor `low` a descriptor of a higher number, and closes `low`.
pub(crate) fn renumber(low: c_int) -> io::Result<c_int> {
    // SAFETY: a descriptor of ours.
    unsafe {
        let descriptor = libc::fcntl(low, libc::F_DUPFD_CLOEXEC, LEAST);
        let error = io::Error::last_os_error();
        libc::close(low);
        if descriptor < 0 { Err(error) } else { Ok(descriptor) }
    }
}
