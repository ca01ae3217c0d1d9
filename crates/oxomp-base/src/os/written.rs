//! Which memory of the process has been written, as the system tells.

use core::ops::Range;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

/// The distance between addresses whose low 32 bits are the same.
const TWINS: usize = 1 << 32;
/// The size of an entry of pagemap.
const ENTRY_BYTES: usize = size_of::<u64>();
/// Bits of an entry of pagemap: the page is in memory, or in a swap area.
const WRITTEN: u64 = 1 << 63 | 1 << 62;

/// Whether memory outside of `own` may have been written at an address with the low 32 bits of
/// `address`: memory that can be written and has a page there. True if the system does not tell.
pub fn may_be_elsewhere(address: usize, own: &Range<usize>) -> bool {
    let (Ok(maps), Ok(pages)) = (fs::read("/proc/self/maps"), File::open("/proc/self/pagemap"))
    else {
        return true;
    };
    // Files that are mapped may have names that are no text.
    may_be_in(&String::from_utf8_lossy(&maps), address, own, |twin| is_written(&pages, twin))
}

/// As `may_be_elsewhere`, with the text of maps. `is_written` tells of a page.
fn may_be_in(
    maps: &str,
    address: usize,
    own: &Range<usize>,
    is_written: impl Fn(usize) -> io::Result<bool>,
) -> bool {
    let twins = maps.lines().filter_map(writable).flat_map(|mapping| {
        let first = mapping.start + (address.wrapping_sub(mapping.start) % TWINS);
        (first..mapping.end).step_by(TWINS)
    });
    twins.filter(|twin| !own.contains(twin)).any(|twin| is_written(twin).unwrap_or(true))
}

/// The addresses of a line of maps, if the memory can be written.
fn writable(line: &str) -> Option<Range<usize>> {
    let mut words = line.split(' ');
    let (start, end) = words.next()?.split_once('-')?;
    let is_writable = words.next()?.as_bytes().get(1) == Some(&b'w');
    let address = |text| usize::from_str_radix(text, 16).ok();
    is_writable.then_some(address(start)?..address(end)?)
}

fn is_written(pages: &File, address: usize) -> io::Result<bool> {
    // SAFETY: the call has no precondition.
    let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let mut entry = [0; ENTRY_BYTES];
    pages.read_exact_at(&mut entry, (address / page_bytes * ENTRY_BYTES) as u64)?;
    Ok(u64::from_ne_bytes(entry) & WRITTEN != 0)
}

#[cfg(test)]
mod tests {
    use core::ptr;
    use std::fs::File;
    use std::io;

    use super::{is_written, may_be_in, writable};

    /// The program, two mappings with an address that ends in `aa001000`, the first of them at two
    /// places, and a stack without such an address.
    const MAPS: &str = "\
00400000-b0000000 r-xp 00000000 08:01 17                     /bin/program
1aa000000-3ab000000 rw-p 00000000 00:00 0                    [heap]
5bb000000-5bc000000 rw-p 00000000 00:00 0
7aa001000-7aa002000 rw-p 00000000 00:00 0
7ffbb000000-7ffbc000000 rw-p 00000000 00:00 0                [stack]
";
    const ADDRESS: usize = 0x5_aa00_1000;
    const TWINS: [usize; 3] = [0x1_aa00_1000, 0x2_aa00_1000, 0x3_aa00_1000];
    const LAST_TWIN: usize = 0x7_aa00_1000;

    #[test]
    fn every_twin_in_memory_that_can_be_written_is_looked_at() {
        let asked = core::cell::RefCell::new(Vec::new());
        let is_written = |twin| {
            asked.borrow_mut().push(twin);
            Ok(false)
        };
        assert!(!may_be_in(MAPS, ADDRESS, &(0..0), is_written));
        assert_eq!(asked.take(), [&TWINS[..], &[LAST_TWIN]].concat());
        assert!(!may_be_in("", ADDRESS, &(0..0), |_| Ok(true)));
    }

    #[test]
    fn one_written_twin_is_enough() {
        for written in TWINS.into_iter().chain([LAST_TWIN]) {
            assert!(may_be_in(MAPS, ADDRESS, &(0..0), |twin| Ok(twin == written)));
        }
    }

    #[test]
    fn the_callers_own_memory_does_not_count() {
        let own = LAST_TWIN..LAST_TWIN + 1;
        assert!(!may_be_in(MAPS, ADDRESS, &own, |twin| Ok(twin == LAST_TWIN)));
        assert!(may_be_in(MAPS, ADDRESS, &own, |twin| Ok(twin == TWINS[1])));
        let before = LAST_TWIN - 1..LAST_TWIN;
        assert!(may_be_in(MAPS, ADDRESS, &before, |twin| Ok(twin == LAST_TWIN)));
    }

    #[test]
    fn a_page_of_which_the_system_does_not_tell_may_be_written() {
        let fails =
            |twin| if twin == TWINS[2] { Err(io::ErrorKind::Other.into()) } else { Ok(false) };
        assert!(may_be_in(MAPS, ADDRESS, &(0..0), fails));
        assert!(!may_be_in(MAPS, ADDRESS, &(TWINS[2]..LAST_TWIN), fails));
    }

    #[test]
    fn the_system_tells_which_page_is_written() {
        // SAFETY: the call has no precondition.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        // SAFETY: new memory, in which no page is large: only that of the write is there.
        let memory = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let memory = libc::mmap(ptr::null_mut(), 2 * page_bytes, protection, flags, -1, 0);
            assert_ne!(memory, libc::MAP_FAILED);
            libc::madvise(memory, 2 * page_bytes, libc::MADV_NOHUGEPAGE);
            memory.cast::<u8>().write_volatile(1);
            memory
        };
        let pages = File::open("/proc/self/pagemap").expect("the process's own");
        let written = |page| is_written(&pages, memory.addr() + page * page_bytes).expect("a page");
        assert_eq!([0, 1].map(written), [true, false]);
        // SAFETY: this function's memory, which nothing uses any more.
        unsafe { libc::munmap(memory, 2 * page_bytes) };
    }

    #[test]
    fn mappings_are_read() {
        let line = "7f00aa000000-7f00ab000000 rw-p 00000000 00:00 0   [stack]";
        assert_eq!(writable(line), Some(0x7f00_aa00_0000..0x7f00_ab00_0000));
        assert_eq!(writable("1000-2000 r-xp 00000000 08:01 17 /lib/x"), None);
        assert_eq!(writable(""), None);
    }
}
