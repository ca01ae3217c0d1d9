//! Pages of memory: mmap(2), mlock(2), mbind(2), one call per function.

use core::ffi::c_void;
use core::ptr::{self, NonNull};

/// The size of a page, in bytes.
pub fn page_size() -> usize {
    // SAFETY: the call takes no memory.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).ok().filter(|size| size.is_power_of_two()).unwrap_or(4096)
}

/// Maps zeroed pages, `bytes` of them. No page has memory before it is written. `None` if the
/// system refuses.
pub fn map_pages(bytes: usize) -> Option<NonNull<u8>> {
    let (rights, flags) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
    );
    // SAFETY: the kernel chooses the address, so no mapping is replaced.
    let pages = unsafe { libc::mmap(ptr::null_mut(), bytes, rights, flags, -1, 0) };
    if pages == libc::MAP_FAILED { None } else { NonNull::new(pages.cast()) }
}

/// Unmaps pages.
///
/// # Safety
/// `map_pages` has returned these pages, perhaps among others, and nothing uses them any more.
pub unsafe fn unmap_pages(pages: NonNull<u8>, bytes: usize) {
    if bytes != 0 {
        // SAFETY: as this function demands.
        unsafe { libc::munmap(pages.as_ptr().cast::<c_void>(), bytes) };
    }
}

/// Asks the kernel for small pages there: the pages are written here and there, and large ones
/// would take memory that nothing needs.
pub fn want_small_pages(pages: NonNull<u8>, bytes: usize) {
    // SAFETY: the advice changes no content.
    unsafe { libc::madvise(pages.as_ptr().cast::<c_void>(), bytes, libc::MADV_NOHUGEPAGE) };
}

/// Gives the pages memory that is not swapped out. Returns false if the system refuses.
pub fn lock_pages(pages: NonNull<u8>, bytes: usize) -> bool {
    // SAFETY: the call changes no content.
    unsafe { libc::mlock(pages.as_ptr().cast::<c_void>(), bytes) == 0 }
}

/// Where pages get their memory (<linux/mempolicy.h>).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum MemoryPolicy {
    /// From one of the nodes, and from others when it has none left; if the set is empty, from the
    /// node of the thread that writes first.
    Preferred = 1,
    /// From the nodes only.
    Bind = 2,
    /// From the nodes in turn, page by page.
    Interleave = 3,
}

/// Makes the pages get memory by `policy` from the nodes in `nodes`: bit n % 64 of word n / 64
/// stands for node n. Returns false if the system refuses, as containers do; then nothing changes.
pub fn bind_pages(pages: NonNull<u8>, bytes: usize, policy: MemoryPolicy, nodes: &[u64]) -> bool {
    // The kernel takes one bit less than the number that is passed.
    let bits = size_of_val(nodes) * 8 + 1;
    // SAFETY: the mask has that many bits; the call changes no content.
    unsafe {
        let mask = if nodes.is_empty() { ptr::null() } else { nodes.as_ptr() };
        libc::syscall(libc::SYS_mbind, pages.as_ptr(), bytes, policy as i32, mask, bits, 0_u32) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryPolicy, bind_pages, map_pages, page_size, unmap_pages};

    #[test]
    fn pages_are_zeroed_and_can_be_bound_or_not() {
        let bytes = 4 * page_size();
        let pages = map_pages(bytes).expect("four pages");
        for policy in [MemoryPolicy::Preferred, MemoryPolicy::Bind, MemoryPolicy::Interleave] {
            // A sandbox may refuse.
            let _ = bind_pages(pages, bytes, policy, &[1]);
        }
        assert!(!bind_pages(pages, bytes, MemoryPolicy::Bind, &[]), "no node to bind to");
        // SAFETY: the pages are this test's.
        unsafe {
            assert_eq!((*pages.as_ptr(), *pages.as_ptr().add(bytes - 1)), (0, 0));
            pages.as_ptr().add(bytes - 1).write(1);
            unmap_pages(pages, bytes);
        }
    }
}
