//! Tables of zeros that take no memory, and no time, until they are used.

use std::ffi::c_void;
use std::io;
use std::ptr::{self, NonNull};

/// A new mapping of `bytes` zeros, aligned to a page, which the system provides page by page at
/// their first use. An allocator would write the zeros itself where the alignment is strict, which
/// takes a millisecond for a few megabytes.
pub(crate) fn map(bytes: usize) -> io::Result<NonNull<c_void>> {
    // SAFETY: a new mapping; the kernel chooses the place.
    let table = unsafe {
        libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if table == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(table).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

#[cfg(test)]
mod tests {
    use std::{slice, vec};

    use super::map;

    /// How many of the pages have memory.
    fn present(table: *mut libc::c_void, bytes: usize) -> usize {
        let mut pages = vec![0_u8; bytes.div_ceil(4096)];
        // SAFETY: the vector has a byte for each page.
        assert_eq!(unsafe { libc::mincore(table, bytes, pages.as_mut_ptr()) }, 0);
        pages.iter().filter(|&&page| page & 1 != 0).count()
    }

    #[test]
    fn a_table_has_memory_for_its_used_pages_only() {
        const BYTES: usize = 64 << 12;
        let table = map(BYTES).unwrap();
        assert_eq!(present(table.as_ptr(), BYTES), 0);
        // SAFETY: inside the mapping.
        unsafe { table.cast::<u8>().as_ptr().add(9 << 12).write(7) };
        let used = present(table.as_ptr(), BYTES);
        assert!((1..BYTES >> 12).contains(&used), "{used} pages");
        // SAFETY: the mapping, which stays.
        let bytes = unsafe { slice::from_raw_parts(table.cast::<u8>().as_ptr(), BYTES) };
        assert_eq!(bytes.iter().map(|&byte| usize::from(byte)).sum::<usize>(), 7);
    }
}
