//! Reading memory of the calling process that may not be there.

use core::ptr;
use std::io::Error;

/// Copies memory of the calling process from `address` to `words`, a few of them. Returns false if
/// it cannot be read: the kernel reads it, so that a wrong address is an error, not a fault.
pub(crate) fn read_own_memory(address: usize, words: &mut [usize]) -> bool {
    let size = size_of_val(words);
    let to = libc::iovec { iov_base: words.as_mut_ptr().cast(), iov_len: size };
    let from = libc::iovec { iov_base: ptr::with_exposed_provenance_mut(address), iov_len: size };
    // SAFETY: the kernel writes to `words`, and checks what it reads from.
    let bytes =
        unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0) };
    match bytes {
        ..0 => is_unavailable(&Error::last_os_error()) && read_through_pipe(address, words),
        bytes => bytes.cast_unsigned() == size,
    }
}

/// Whether the error says that there is no such call of the system: a sandbox forbids it, or an
/// emulator lacks it.
fn is_unavailable(error: &Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM))
}

/// As [`read_own_memory`], by a pipe into which the kernel copies the memory, and out of which it
/// comes back.
fn read_through_pipe(address: usize, words: &mut [usize]) -> bool {
    let size = size_of_val(words);
    let mut ends = [0; 2];
    // SAFETY: the call writes two numbers. The kernel checks the memory that it reads for the
    // second one, and an empty pipe has room for it; the third one has the room of `words`.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) != 0 {
            return false;
        }
        let written = libc::write(ends[1], ptr::with_exposed_provenance(address), size);
        let is_whole = written.cast_unsigned() == size
            && libc::read(ends[0], words.as_mut_ptr().cast(), size) == written;
        for end in ends {
            libc::close(end);
        }
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use super::{read_own_memory, read_through_pipe};

    #[test]
    fn memory_is_read_and_no_memory_is_an_error() {
        let there = [3_usize, 5];
        for read in [read_own_memory, read_through_pipe] {
            let mut words = [0; 2];
            assert!(read(there.as_ptr().expose_provenance(), &mut words));
            assert_eq!(words, there);
            assert!(!read(8, &mut words));
            assert!(!read(usize::MAX - 64, &mut words));
        }
    }
}
