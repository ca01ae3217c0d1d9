//! Which memory of a process has been written, as the system tells.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::param::page_size;

/// The size of an entry of `/proc/PID/pagemap`.
const ENTRY_BYTES: u64 = 8;
/// Bits of an entry: the page is in memory, or in a swap area.
const PRESENT: u64 = 1 << 63 | 1 << 62;

/// The table of a process's pages.
#[derive(Debug)]
pub(crate) struct Pages(File);

impl Pages {
    /// The table of the process `pid`; `None` if the system has none.
    pub(crate) fn open(pid: i32) -> Option<Self> {
        File::open(format!("/proc/{pid}/pagemap")).ok().map(Self)
    }

    /// Whether the private memory at `address` may have been written since it was mapped: there is
    /// a page, or the system does not tell.
    pub(crate) fn may_be_written(&self, address: u64) -> bool {
        let mut entry = [0; ENTRY_BYTES as usize];
        let offset = address / page_size() as u64 * ENTRY_BYTES;
        match self.0.read_exact_at(&mut entry, offset) {
            Ok(()) => u64::from_le_bytes(entry) & PRESENT != 0,
            Err(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pages;

    #[test]
    fn the_system_tells_which_page_is_written() {
        let me = i32::try_from(std::process::id()).expect("a number");
        let pages = Pages::open(me).expect("the table of the own process");
        let stack = 0_u64;
        assert!(pages.may_be_written((&raw const stack).addr() as u64));
        assert!(pages.may_be_written(u64::MAX), "no such entry");
        // Larger than what the allocator keeps at hand.
        let fresh = vec![0_u8; 64 << 20];
        let inside = (fresh.as_ptr().addr() + fresh.len() / 2) as u64;
        assert!(!pages.may_be_written(inside), "nobody has written there");
    }
}
