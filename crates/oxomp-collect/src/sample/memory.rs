//! Reading memory of this process that may not be there: the kernel copies it, and reports an error
//! where nothing is mapped.

use std::ffi::c_void;
use std::io;

/// Fills `place` with the bytes at `address`; false if some are not readable. Signal-safe, but that
/// it may change errno.
pub(super) fn copy(address: u64, place: &mut [u8]) -> bool {
    let length = place.len();
    let ours = libc::iovec { iov_base: place.as_mut_ptr().cast(), iov_len: length };
    let theirs = libc::iovec { iov_base: address as *mut c_void, iov_len: length };
    // SAFETY: the kernel writes to `place` only, and returns an error where nothing is mapped.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &ours, 1, &theirs, 1, 0) };
    match usize::try_from(copied) {
        Ok(copied) => copied == length,
        Err(_) => is_unavailable(&io::Error::last_os_error()) && copy_by_pipe(address, place),
    }
}

/// Whether the error says that there is no such call of the system: a sandbox forbids it, or an
/// emulator lacks it.
fn is_unavailable(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM))
}

/// As [`copy`], by a pipe into which the kernel copies the memory, and out of which it comes back.
fn copy_by_pipe(address: u64, place: &mut [u8]) -> bool {
    let mut ends = [0; 2];
    // SAFETY: the call writes two numbers.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) } != 0 {
        return false;
    }
    // An empty pipe has room for so much.
    let mut parts = place.chunks_mut(libc::PIPE_BUF).zip((address..).step_by(libc::PIPE_BUF));
    // SAFETY: the kernel checks the memory that it reads, and writes to the part only.
    let is_whole = parts.all(|(part, address)| unsafe {
        let written = libc::write(ends[1], address as *const c_void, part.len());
        usize::try_from(written) == Ok(part.len())
            && libc::read(ends[0], part.as_mut_ptr().cast(), part.len()) == written
    });
    for end in ends {
        // SAFETY: it is this function's own.
        unsafe { libc::close(end) };
    }
    is_whole
}

/// The `length` bytes at `address`, if they are readable.
pub(super) fn read(address: u64, length: usize) -> Option<Box<[u8]>> {
    let mut bytes = vec![0; length].into_boxed_slice();
    copy(address, &mut bytes).then_some(bytes)
}

/// Whether the system lets the process read itself this way.
pub(super) fn is_readable() -> bool {
    let here = [7_u8; 64];
    read(here.as_ptr().addr() as u64, here.len()).is_some_and(|bytes| *bytes == here)
}

#[cfg(test)]
mod tests {
    use super::{copy, copy_by_pipe, is_readable, read};

    #[test]
    fn memory_is_read_and_no_memory_is_none() {
        assert!(is_readable());
        let text = "in memory";
        let address = text.as_ptr().addr() as u64;
        assert_eq!(read(address, text.len()).as_deref(), Some(text.as_bytes()));
        assert_eq!(read(8, 8), None);
        assert_eq!(read(u64::MAX - 16, 8), None);
    }

    #[test]
    fn the_pipe_tells_what_the_system_would() {
        let bytes: Vec<u8> = (0..20_000).map(|number| number as u8).collect();
        let address = bytes.as_ptr().addr() as u64;
        for copy in [copy, copy_by_pipe] {
            let mut copied = vec![0; bytes.len()];
            assert!(copy(address, &mut copied));
            assert_eq!(copied, bytes);
            assert!(!copy(8, &mut copied));
        }
    }
}
