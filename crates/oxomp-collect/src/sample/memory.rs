//! Reading memory of this process that may not be there: the kernel copies it, and reports an error
//! where nothing is mapped.

use std::ffi::c_void;
use std::{io, ptr};

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

/// Fills the first of `places` with the bytes at each of `addresses`, as many as there are; returns
/// a bit for each that was readable. Signal-safe, but that it may change errno.
pub(super) fn copy_each<const SIZE: usize, const MOST: usize>(
    addresses: &[u64],
    places: &mut [[u8; SIZE]; MOST],
) -> u64 {
    let count = addresses.len().min(MOST).min(u64::BITS as usize);
    let mut copied = 0_u64;
    let mut at = 0;
    while at < count {
        let nothing = libc::iovec { iov_base: ptr::null_mut(), iov_len: 0 };
        let mut theirs = [nothing; u64::BITS as usize];
        for (their, &address) in theirs.iter_mut().zip(&addresses[at..count]) {
            *their = libc::iovec { iov_base: address as *mut c_void, iov_len: SIZE };
        }
        let rest = places[at..count].as_flattened_mut();
        let ours = libc::iovec { iov_base: rest.as_mut_ptr().cast(), iov_len: rest.len() };
        let parts = (count - at) as libc::c_ulong;
        // SAFETY: the kernel writes to `rest` only, and stops where nothing is mapped.
        let bytes =
            unsafe { libc::process_vm_readv(libc::getpid(), &ours, 1, theirs.as_ptr(), parts, 0) };
        let whole = match usize::try_from(bytes) {
            Ok(bytes) => bytes / SIZE,
            Err(_) if is_unavailable(&io::Error::last_os_error()) => {
                usize::from(copy_by_pipe(addresses[at], &mut places[at]))
            }
            Err(_) => 0,
        };
        for done in at..at + whole {
            copied |= 1 << done;
        }
        // The one behind them is not readable, unless the pipe copies one after the other.
        at += whole.max(1);
    }
    copied
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

/// The text at `address`, up to a zero or `most` bytes; `None` if it is not readable.
pub(crate) fn text(address: u64, most: usize) -> Option<Vec<u8>> {
    const PART: usize = 64;
    let mut text = Vec::new();
    while text.len() < most {
        let at = address.checked_add(text.len() as u64)?;
        // No part crosses the end of a page.
        let length = (PART - at as usize % PART).min(most - text.len());
        let part = read(at, length)?;
        let end = part.iter().position(|&byte| byte == 0);
        text.extend(&part[..end.unwrap_or(length)]);
        if end.is_some() {
            break;
        }
    }
    Some(text)
}

/// Whether the system lets the process read itself this way.
pub(super) fn is_readable() -> bool {
    let here = [7_u8; 64];
    read(here.as_ptr().addr() as u64, here.len()).is_some_and(|bytes| *bytes == here)
}

#[cfg(test)]
mod tests {
    use super::{copy, copy_by_pipe, copy_each, is_readable, read, text};

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
    fn a_text_ends_with_a_zero_or_its_length() {
        let long = [b'x'; 200];
        let address = |bytes: &[u8]| bytes.as_ptr().addr() as u64;
        assert_eq!(text(address(b"phase\0rest"), 256).as_deref(), Some(&b"phase"[..]));
        assert_eq!(text(address(&long), 150).as_deref(), Some(&long[..150]));
        assert_eq!(text(8, 256), None);
        assert_eq!(text(u64::MAX - 3, 256), None);
    }

    #[test]
    fn of_several_places_those_that_are_mapped_are_read() {
        let words: Vec<u64> = (0..64).collect();
        let addresses: Vec<u64> = words
            .iter()
            .map(|word| if word % 5 == 2 { 8 } else { (word as *const u64).addr() as u64 })
            .collect();
        let mut copied = [[0xff; 8]; 64];
        let read = copy_each(&addresses, &mut copied);
        for (at, bytes) in copied.iter().enumerate() {
            assert_eq!(read >> at & 1 == 0, at % 5 == 2, "{at}");
            assert!(at % 5 == 2 || u64::from_ne_bytes(*bytes) == words[at], "{at}");
        }
        assert_eq!(copy_each(&addresses[..2], &mut copied), 3);
        assert_eq!(copy_each(&[], &mut copied), 0);
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
