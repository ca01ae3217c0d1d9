//! Reading a thread's stack without a fault, whatever its registers hold: the kernel copies pages
//! of it, and reports an error where nothing is mapped. So the stack may be any memory: a
//! coroutine's stack, an alternate signal stack, or what a frame pointer points to that holds some
//! other number.

use std::slice;

use super::memory;

const PAGE: usize = 4096;
/// Pages kept of one walk; a power of two.
const PAGES: usize = 8;

/// Copies of pages, valid for one walk.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The address of each page that is kept; 1: the place is empty.
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
            if !memory::copy(page, as_bytes(&mut self.pages[place])) {
                return Err(());
            }
            self.addresses[place] = page;
        }
        Ok(self.pages[place][(address - page) as usize / 8])
    }
}

/// The bytes of a page.
fn as_bytes(page: &mut [u64; PAGE / 8]) -> &mut [u8] {
    // SAFETY: the page's own memory, in which every byte is valid.
    unsafe { slice::from_raw_parts_mut(page.as_mut_ptr().cast(), PAGE) }
}
