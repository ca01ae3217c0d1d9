//! Reading a thread's stack without a fault, whatever its registers hold: the kernel copies pages
//! of it, and says so where there is none. So the stack may be any memory: a coroutine's, that of
//! signal handlers, or a frame pointer's that is no pointer.

use std::ffi::c_void;

const PAGE: usize = 4096;
/// Pages kept of one walk; a power of two.
const PAGES: usize = 8;

/// Copies of pages, valid for one walk.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The address of each page that is kept; 1: none.
    addresses: [u64; PAGES],
    pages: [[u64; PAGE / 8]; PAGES],
}

impl Reader {
    /// Another walk begins.
    pub(crate) fn forget(&mut self) {
        self.addresses = [1; PAGES];
    }

    /// The word at `address`.
    pub(crate) fn word(&mut self, address: u64) -> Result<u64, ()> {
        if !address.is_multiple_of(8) {
            return Err(());
        }
        let page = address & !(PAGE as u64 - 1);
        let place = (page as usize / PAGE) % PAGES;
        if self.addresses[place] != page {
            self.addresses[place] = 1;
            copy(page, &mut self.pages[place])?;
            self.addresses[place] = page;
        }
        Ok(self.pages[place][(address - page) as usize / 8])
    }
}

/// Copies the page at `address` of this process.
fn copy(address: u64, page: &mut [u64; PAGE / 8]) -> Result<(), ()> {
    let ours = libc::iovec { iov_base: page.as_mut_ptr().cast(), iov_len: PAGE };
    let theirs = libc::iovec { iov_base: address as *mut c_void, iov_len: PAGE };
    // SAFETY: the kernel writes to `page` only, and answers an error for an address without memory.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &ours, 1, &theirs, 1, 0) };
    if copied == PAGE as isize { Ok(()) } else { Err(()) }
}

/// Whether the system lets the process read itself this way.
pub(crate) fn is_permitted() -> bool {
    let mut page = [0; PAGE / 8];
    let here = &raw const page as u64 & !(PAGE as u64 - 1);
    copy(here, &mut page).is_ok()
}
