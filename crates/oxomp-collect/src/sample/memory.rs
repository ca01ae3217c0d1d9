//! Reading memory of this process that may not be there: the kernel copies it, and reports an error
//! where nothing is mapped.

use std::ffi::c_void;

/// Fills `place` with the bytes at `address`; false if some are not readable. Signal-safe, but that
/// it may change errno.
pub(super) fn copy(address: u64, place: &mut [u8]) -> bool {
    let length = place.len();
    let ours = libc::iovec { iov_base: place.as_mut_ptr().cast(), iov_len: length };
    let theirs = libc::iovec { iov_base: address as *mut c_void, iov_len: length };
    // SAFETY: the kernel writes to `place` only, and returns an error where nothing is mapped.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &ours, 1, &theirs, 1, 0) };
    usize::try_from(copied) == Ok(length)
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
    use super::{is_readable, read};

    #[test]
    fn memory_is_read_and_no_memory_is_none() {
        assert!(is_readable());
        let text = "in memory";
        let address = text.as_ptr().addr() as u64;
        assert_eq!(read(address, text.len()).as_deref(), Some(text.as_bytes()));
        assert_eq!(read(8, 8), None);
        assert_eq!(read(u64::MAX - 16, 8), None);
    }
}
