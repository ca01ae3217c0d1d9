//! The unwind tables of the loaded modules.
//!
//! The helper thread copies them, since a module may be closed while a handler reads its table, and
//! swaps them as a whole. A handler counts itself as a reader; the helper frees tables that it has
//! taken out of use once it has seen no reader.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};
use std::{ptr, slice};

use framehop::{ExplicitModuleSectionInfo, Module, Unwinder};

use crate::arch::NativeUnwinder;
use crate::loader;

/// Bytes of tables that are copied at most: a module beyond it is walked by frame pointers.
const MOST_BYTES: usize = 128 << 20;

type Bytes = Box<[u8]>;
/// The unwinder with the tables of all modules.
pub(crate) type Tables = NativeUnwinder<Bytes>;

/// Where and what a module is: load bias, first address, end, address of its index of tables.
type Key = (u64, u64, u64, u64);

static TABLES: AtomicPtr<Tables> = AtomicPtr::new(ptr::null_mut());
static READERS: AtomicU32 = AtomicU32::new(0);

/// Calls `act` with the current tables, if there are some. Signal-safe.
pub(crate) fn with_tables<R>(act: impl FnOnce(&Tables) -> R) -> Option<R> {
    READERS.fetch_add(1, Ordering::SeqCst);
    // SAFETY: null, or tables that stay as long as there is a reader that may have seen them: the
    // helper takes them out of use first, and then looks for readers, sequentially consistent.
    let tables = unsafe { TABLES.load(Ordering::SeqCst).as_ref() };
    let result = tables.map(act);
    READERS.fetch_sub(1, Ordering::Release);
    result
}

/// The maker of the tables; only the helper thread uses it.
#[derive(Default)]
pub(crate) struct Maker {
    modules: HashMap<Key, Module<Bytes>>,
    loads: (u64, u64),
    bytes: usize,
    /// Tables out of use, which a handler may still read.
    retired: Vec<*mut Tables>,
}

impl std::fmt::Debug for Maker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Maker").field("modules", &self.modules.len()).finish_non_exhaustive()
    }
}

impl Maker {
    /// Makes the tables anew if modules were loaded or closed.
    pub(crate) fn refresh(&mut self) {
        let mut found = Found { maker: self, changed: false, all: HashMap::new() };
        // SAFETY: the callback takes its data for a `Found`. The loader keeps the modules while it
        // visits them.
        unsafe { loader::walk(visit, &mut found) };
        let Found { changed, all, .. } = found;
        if changed {
            self.modules = all;
            let mut tables = Tables::new();
            for module in self.modules.values() {
                tables.add_module(module.clone());
            }
            let tables = Box::into_raw(Box::new(tables));
            let before = TABLES.swap(tables, Ordering::SeqCst);
            if !before.is_null() {
                self.retired.push(before);
            }
        }
        fence(Ordering::SeqCst);
        if READERS.load(Ordering::SeqCst) == 0 {
            for retired in self.retired.drain(..) {
                // SAFETY: made by `into_raw`, taken out of use before, and no handler that could
                // have seen them is under way.
                drop(unsafe { Box::from_raw(retired) });
            }
        }
    }
}

struct Found<'a> {
    maker: &'a mut Maker,
    changed: bool,
    all: HashMap<Key, Module<Bytes>>,
}

/// Called by the loader for each module; non-zero ends the visit.
unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    size: usize,
    found: *mut c_void,
) -> c_int {
    // SAFETY: the loader passes a description of at least the old size, and our own pointer.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Found<'_>>()) };
    if !found.changed && size >= size_of::<libc::dl_phdr_info>() {
        let loads = (info.dlpi_adds, info.dlpi_subs);
        if loads == found.maker.loads {
            return 1;
        }
        found.maker.loads = loads;
        found.maker.bytes = 0;
    }
    found.changed = true;
    if info.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: the loader's table of that many headers.
    let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let bias = info.dlpi_addr;
    let loaded = |header: &&libc::Elf64_Phdr| header.p_type == libc::PT_LOAD;
    let begin = headers.iter().filter(loaded).map(|header| header.p_vaddr).min().unwrap_or(0);
    let end = headers.iter().filter(loaded).map(|header| header.p_vaddr + header.p_memsz).max();
    let end = end.unwrap_or(0);
    let Some(index) = headers.iter().find(|header| header.p_type == libc::PT_GNU_EH_FRAME) else {
        return 0;
    };
    let key = (bias, begin, end, index.p_vaddr);
    let module = found.maker.modules.remove(&key).or_else(|| {
        let holds = |header: &&libc::Elf64_Phdr, address: u64| {
            (header.p_vaddr..header.p_vaddr + header.p_filesz).contains(&address)
        };
        // SAFETY: the module is mapped while the loader visits it, in the ranges that its headers
        // give for loaded, readable segments.
        let bytes = |from: u64, to: u64| unsafe {
            slice::from_raw_parts(bias.wrapping_add(from) as *const u8, (to - from) as usize)
        };
        let readable = |address: u64| {
            let mut segments = headers.iter().filter(loaded);
            segments.find(|header| header.p_flags & libc::PF_R != 0 && holds(header, address))
        };
        readable(index.p_vaddr).filter(|segment| {
            index.p_vaddr + index.p_memsz <= segment.p_vaddr + segment.p_filesz
        })?;
        let hdr = bytes(index.p_vaddr, index.p_vaddr + index.p_memsz);
        let frames_at = frames_of(hdr, index.p_vaddr)?;
        let segment = readable(frames_at)?;
        let rest = bytes(frames_at, segment.p_vaddr + segment.p_filesz);
        let frames = &rest[..length_of(rest)];
        found.maker.bytes += hdr.len() + frames.len();
        if found.maker.bytes > MOST_BYTES {
            return None;
        }
        let sections = ExplicitModuleSectionInfo {
            base_svma: 0,
            eh_frame_svma: Some(frames_at..frames_at + frames.len() as u64),
            eh_frame: Some(Bytes::from(frames)),
            eh_frame_hdr_svma: Some(index.p_vaddr..index.p_vaddr + index.p_memsz),
            eh_frame_hdr: Some(Bytes::from(hdr)),
            ..ExplicitModuleSectionInfo::default()
        };
        let range = bias.wrapping_add(begin)..bias.wrapping_add(end);
        Some(Module::new(String::new(), range, bias, sections))
    });
    if let Some(module) = module {
        found.all.insert(key, module);
    }
    0
}

/// The address of the frame tables that the index at `address` names, if in the common encoding:
/// relative to the index, in four bytes.
fn frames_of(index: &[u8], address: u64) -> Option<u64> {
    const RELATIVE_FOUR_BYTES: u8 = 0x1b;
    if *index.first()? != 1 || *index.get(1)? != RELATIVE_FOUR_BYTES {
        return None;
    }
    let distance = i32::from_ne_bytes(index.get(4..8)?.try_into().ok()?);
    Some(address.wrapping_add(4).wrapping_add_signed(distance.into()))
}

/// The length of frame tables, which end with an entry of length 0, or with their segment.
fn length_of(tables: &[u8]) -> usize {
    let mut at = 0;
    while let Some(bytes) = tables.get(at..at + 4) {
        let length = u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        if length == 0 || length == u32::MAX {
            return at + 4;
        }
        let next = at + 4 + length as usize;
        if next > tables.len() {
            return at;
        }
        at = next;
    }
    at
}
