//! The list of loaded modules, for which forks wait.
//!
//! The loader's lock of its list of modules stays locked in a child of fork(2) if another thread of
//! the parent held it: the C library does not free it in the child. So a thread that forks lets a
//! walk of the collector end first, and no walk begins before the fork is over. A child that was
//! forked in the middle of a walk all the same must not walk: it would wait for ever.
//!
//! A walk copies headers, names and the first notes of each module, which takes microseconds, since
//! threads that load modules or throw exceptions wait for the lock, too.

use std::ffi::{CStr, c_int, c_void};
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The thread that walks or forks, by its pthread_self, which is the same in the child; 0: none.
static HOLDER: AtomicUsize = AtomicUsize::new(0);

/// A walk may wait for the loader's lock, which another thread may hold for as long as its
/// constructors run, and a program may fork with that lock in its hands: so a fork waits so long at
/// most.
const PATIENCE: Duration = Duration::from_millis(500);
/// Between two looks at the holder.
const PAUSE: Duration = Duration::from_micros(50);
/// Bytes of a module's notes that are looked through: the build id is among the first.
const MOST_NOTES: usize = 1 << 12;

/// A module as the loader shows it.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The module's load bias: the number that is added to the addresses in its headers.
    pub(crate) bias: u64,
    /// Its file as the loader knows it; empty for the program itself.
    pub(crate) name: Vec<u8>,
    pub(crate) headers: Vec<libc::Elf64_Phdr>,
    /// Its notes, and their alignment.
    pub(crate) notes: Vec<(Vec<u8>, usize)>,
}

/// How often the loader has added and removed modules.
pub(crate) type Loads = (u64, u64);

/// The loaded modules, the program first, if some were loaded or closed since the walk that left
/// `loads`.
pub(crate) fn modules(loads: &mut Loads) -> Option<Vec<Loaded>> {
    let mut found = Found { loads: *loads, modules: None };
    walk(&mut found);
    *loads = found.loads;
    found.modules
}

/// Before fork(2), on the forking thread.
pub(crate) fn before_fork() {
    hold();
}

/// After fork(2), in the parent, on the forking thread.
pub(crate) fn after_fork() {
    release();
}

/// After fork(2), in the child. Returns false if another thread of the parent was walking.
pub(crate) fn begin_child() -> bool {
    let holder = HOLDER.swap(0, Ordering::Relaxed);
    holder == 0 || holder == this_thread()
}

struct Found {
    loads: Loads,
    /// `None` as long as no module was loaded or closed since `loads`.
    modules: Option<Vec<Loaded>>,
}

fn walk(found: &mut Found) {
    let is_held = hold();
    // SAFETY: `visit` takes its data for a `Found`, which lives meanwhile.
    unsafe { libc::dl_iterate_phdr(Some(visit), std::ptr::from_mut(found).cast()) };
    if is_held {
        release();
    }
}

/// Called by the loader for each module; non-zero ends the walk.
unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    size: usize,
    found: *mut c_void,
) -> c_int {
    // SAFETY: the loader passes a description of at least the old size, and our own pointer.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Found>()) };
    if found.modules.is_none() && size >= size_of::<libc::dl_phdr_info>() {
        let loads = (info.dlpi_adds, info.dlpi_subs);
        if loads == found.loads {
            return 1;
        }
        found.loads = loads;
    }
    let modules = found.modules.get_or_insert_default();
    if info.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: the loader's table of that many headers.
    let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let bias = info.dlpi_addr;
    let notes = headers.iter().filter(|header| header.p_type == libc::PT_NOTE);
    let notes = notes.filter_map(|header| {
        let size = readable(headers, header)?.min(MOST_NOTES);
        let begin = bias.wrapping_add(header.p_vaddr) as *const u8;
        // SAFETY: that many bytes of a readable segment of the module, which the loader has mapped
        // from its file, and which stays while the loader shows it.
        let notes = unsafe { slice::from_raw_parts(begin, size) };
        Some((notes.to_vec(), header.p_align as usize))
    });
    let notes = notes.collect();
    // SAFETY: null or a string of the loader's.
    let name = (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) });
    let name = name.map_or_else(Vec::new, |name| name.to_bytes().to_vec());
    modules.push(Loaded { bias, name, headers: headers.to_vec(), notes });
    0
}

/// The size of the segment of `header`, if it lies within a segment of `headers` that is loaded
/// from the file and readable. Any other segment may have no memory.
fn readable(headers: &[libc::Elf64_Phdr], header: &libc::Elf64_Phdr) -> Option<usize> {
    let size = header.p_memsz.min(header.p_filesz);
    let end = header.p_vaddr.checked_add(size)?;
    let is_around = |loaded: &&libc::Elf64_Phdr| {
        let loaded_end = loaded.p_vaddr.saturating_add(loaded.p_filesz.min(loaded.p_memsz));
        loaded.p_type == libc::PT_LOAD
            && loaded.p_flags & libc::PF_R != 0
            && loaded.p_vaddr <= header.p_vaddr
            && end <= loaded_end
    };
    headers.iter().find(is_around)?;
    usize::try_from(size).ok()
}

impl Loaded {
    /// The headers of the segments that are loaded.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &libc::Elf64_Phdr> {
        self.headers.iter().filter(|header| header.p_type == libc::PT_LOAD)
    }

    /// The first header of that kind.
    pub(crate) fn header(&self, kind: u32) -> Option<&libc::Elf64_Phdr> {
        self.headers.iter().find(|header| header.p_type == kind)
    }

    /// The addresses between the begin of the first segment and the end of the last, as in the
    /// headers.
    pub(crate) fn range(&self) -> (u64, u64) {
        let begin = self.segments().map(|segment| segment.p_vaddr).min();
        let end = self.segments().map(|segment| segment.p_vaddr.saturating_add(segment.p_memsz));
        (begin.unwrap_or(0), end.max().unwrap_or(0))
    }
}

/// Makes the calling thread the holder; false if another thread stays the holder for too long.
fn hold() -> bool {
    let begin = Instant::now();
    // Acquire, and Release in `release`: the holder's walk is over.
    while HOLDER.compare_exchange(0, this_thread(), Ordering::Acquire, Ordering::Relaxed).is_err() {
        if begin.elapsed() >= PATIENCE {
            return false;
        }
        thread::sleep(PAUSE);
    }
    true
}

/// Ends the calling thread's hold, if it has one.
fn release() {
    let own = this_thread();
    HOLDER.compare_exchange(own, 0, Ordering::Release, Ordering::Relaxed).ok();
}

fn this_thread() -> usize {
    // SAFETY: always safe to call.
    unsafe { libc::pthread_self() as usize }
}

#[cfg(test)]
mod tests {
    use super::{modules, readable};

    fn header(p_type: u32, p_flags: u32, p_vaddr: u64, size: u64) -> libc::Elf64_Phdr {
        libc::Elf64_Phdr {
            p_type,
            p_flags,
            p_offset: 0,
            p_vaddr,
            p_paddr: 0,
            p_filesz: size,
            p_memsz: size,
            p_align: 4,
        }
    }

    #[test]
    fn notes_outside_the_loaded_segments_are_not_read() {
        let loaded = [
            header(libc::PT_LOAD, libc::PF_R, 0x1000, 0x400),
            header(libc::PT_LOAD, libc::PF_X, 0x3000, 0x1000),
        ];
        let size = |begin, size| readable(&loaded, &header(libc::PT_NOTE, libc::PF_R, begin, size));
        assert_eq!(size(0x1000, 0x400), Some(0x400));
        assert_eq!(size(0x1200, 0x24), Some(0x24));
        assert_eq!(size(0x1200, 0x400), None, "beyond the segment");
        assert_eq!(size(0xff0, 0x20), None, "before it");
        assert_eq!(size(0x2000, 0x20), None, "in none");
        assert_eq!(size(0x3000, 0x20), None, "not readable");
        assert_eq!(size(u64::MAX - 4, 0x20), None, "around the end of memory");
        let zeros = libc::Elf64_Phdr { p_filesz: 0x10, p_memsz: 0x800, ..loaded[0] };
        assert_eq!(readable(&[zeros], &header(libc::PT_NOTE, 0, 0x1000, 0x20)), None, "not in it");
    }

    #[test]
    fn the_build_id_of_this_program_is_among_the_notes() {
        let modules = modules(&mut (0, 0)).unwrap();
        assert!(
            modules[0]
                .notes
                .iter()
                .any(|(notes, _)| { notes.windows(4).any(|window| window == b"GNU\0") })
        );
    }
}
