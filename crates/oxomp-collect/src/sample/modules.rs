//! The unwind tables of the loaded modules.
//!
//! A module may be closed while a handler reads its table. So the helper thread copies the tables,
//! except for the tables of modules that stay, which handlers read in place. It copies them without
//! the loader's lock, by the kernel, and believes them if no module has come or gone meanwhile.
//!
//! It swaps them as a whole. A handler counts itself as a reader; the helper frees tables that it
//! has taken out of use once it has seen no reader.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};
use std::{ptr, slice};

use framehop::{ExplicitModuleSectionInfo, Module, Unwinder};

use super::lasting::are_lasting;
use super::memory;
use super::python;
use super::unwinder::NativeUnwinder;
use crate::loader::{self, Loaded, Loads};

/// The most bytes of all copied tables: modules beyond it are walked by frame pointers.
const MOST_BYTES: usize = 128 << 20;
/// How often the tables are read if modules come or go meanwhile.
const ATTEMPTS: u32 = 4;

/// The tables of all modules.
pub(crate) struct Tables {
    pub(super) unwinder: NativeUnwinder<Bytes>,
    /// The addresses of the modules, in order.
    ranges: Vec<(u64, u64)>,
}

impl Tables {
    /// Whether the code at `address` is of a module whose table is here. The unwinder takes the
    /// frame pointer of other code for that of its caller, whatever it holds.
    pub(super) fn know(&self, address: u64) -> bool {
        let next = self.ranges.partition_point(|range| range.0 <= address);
        next.checked_sub(1).is_some_and(|at| address < self.ranges[at].1)
    }
}

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

/// Bytes of a table.
pub(crate) enum Bytes {
    /// The bytes of a module that stays, in place.
    Lasting(&'static [u8]),
    /// Copies of the bytes of a module that may be closed.
    Copied(Box<[u8]>),
}

impl Default for Bytes {
    fn default() -> Self {
        Self::Lasting(&[])
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Lasting(bytes) => bytes,
            Self::Copied(bytes) => bytes,
        }
    }
}

/// A module's tables, and how many bytes of them are copies.
#[derive(Clone)]
struct Known {
    module: Module<Bytes>,
    copied: usize,
}

/// The maker of the tables; only the helper thread uses it.
#[derive(Default)]
pub(crate) struct Maker {
    modules: HashMap<Key, Known>,
    loads: Loads,
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
        for _ in 0..ATTEMPTS {
            let Some(modules) = loader::modules(&mut self.loads) else { break };
            // Before the tables are there: from the first whole path on, Python is known.
            python::look_for(&modules);
            let known = self.read(&modules);
            // A module that was closed while its tables were read may have left other bytes there.
            let mut loads = self.loads;
            if loader::modules(&mut loads).is_none() {
                self.publish(known);
                break;
            }
            self.loads = (0, 0);
        }
        self.free_retired();
    }

    /// The tables of `modules`, most of which are known from the last time.
    fn read(&self, modules: &[Loaded]) -> HashMap<Key, Known> {
        let keys = modules.iter().filter_map(key);
        let mut known: HashMap<Key, Known> =
            keys.filter_map(|key| Some((key, self.modules.get(&key)?.clone()))).collect();
        let copied: usize = known.values().map(|known| known.copied).sum();
        let mut left = MOST_BYTES.saturating_sub(copied);
        for (module, is_lasting) in modules.iter().zip(are_lasting(modules)) {
            if let Some(key) = key(module)
                && let Entry::Vacant(place) = known.entry(key)
                && let Some(found) = read(module, is_lasting, &mut left)
            {
                place.insert(found);
            }
        }
        known
    }

    /// Publishes these tables: from now on handlers use them.
    fn publish(&mut self, known: HashMap<Key, Known>) {
        self.modules = known;
        let mut unwinder = NativeUnwinder::new();
        for known in self.modules.values() {
            unwinder.add_module(known.module.clone());
        }
        let places = self.modules.keys();
        let ranges = places
            .map(|(bias, begin, end, _)| (bias.wrapping_add(*begin), bias.wrapping_add(*end)));
        let mut ranges: Vec<(u64, u64)> = ranges.collect();
        ranges.sort_unstable();
        let tables = Tables { unwinder, ranges };
        let before = TABLES.swap(Box::into_raw(Box::new(tables)), Ordering::SeqCst);
        if !before.is_null() {
            self.retired.push(before);
        }
    }

    /// Frees the tables that no handler can have seen any more.
    fn free_retired(&mut self) {
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

/// What tells a module from others, if it has an index of tables.
fn key(module: &Loaded) -> Option<Key> {
    let (begin, end) = module.range();
    Some((module.bias, begin, end, module.header(libc::PT_GNU_EH_FRAME)?.p_vaddr))
}

/// The module's tables; at most `left` bytes are copied.
fn read(module: &Loaded, is_lasting: bool, left: &mut usize) -> Option<Known> {
    let (begin, end) = module.range();
    let bias = module.bias;
    let before = *left;
    let mut bytes = |segment: &libc::Elf64_Phdr, from: u64, to: u64| {
        let (address, length) = (bias.wrapping_add(from), usize::try_from(to - from).ok()?);
        if is_lasting && segment.p_flags & libc::PF_W == 0 {
            // SAFETY: inside a readable segment of a module that stays as long as the process, and
            // whose bytes nobody may write.
            let bytes = unsafe { slice::from_raw_parts(address as *const u8, length) };
            return Some(Bytes::Lasting(bytes));
        }
        *left = left.checked_sub(length)?;
        memory::read(address, length).map(Bytes::Copied)
    };
    let readable = |address: u64| {
        module.segments().find(|segment| {
            let range = segment.p_vaddr..segment.p_vaddr + segment.p_filesz;
            segment.p_flags & libc::PF_R != 0 && range.contains(&address)
        })
    };
    let index = module.header(libc::PT_GNU_EH_FRAME)?;
    let index_range = index.p_vaddr..index.p_vaddr + index.p_memsz;
    let segment = readable(index.p_vaddr)?;
    if index_range.end > segment.p_vaddr + segment.p_filesz {
        return None;
    }
    let hdr = bytes(segment, index_range.start, index_range.end)?;
    let frames_at = frames_of(&hdr, index.p_vaddr)?;
    let segment = readable(frames_at)?;
    // The tables end with their segment at the latest: the index tells where each entry begins.
    let frames_end = segment.p_vaddr + segment.p_filesz;
    let sections = ExplicitModuleSectionInfo {
        base_svma: 0,
        eh_frame_svma: Some(frames_at..frames_end),
        eh_frame: Some(bytes(segment, frames_at, frames_end)?),
        eh_frame_hdr_svma: Some(index_range),
        eh_frame_hdr: Some(hdr),
        ..ExplicitModuleSectionInfo::default()
    };
    let range = bias.wrapping_add(begin)..bias.wrapping_add(end);
    let module = Module::new(String::new(), range, bias, sections);
    Some(Known { module, copied: before - *left })
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
