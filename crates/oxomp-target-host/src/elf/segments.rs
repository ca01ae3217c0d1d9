//! The segments of an image: what the loader maps, and which parts of that the loader itself reads.

use core::mem::size_of;

use object::elf::{
    PF_R, PF_W, PT_DYNAMIC, PT_GNU_EH_FRAME, PT_GNU_PROPERTY, PT_GNU_RELRO, PT_INTERP, PT_LOAD,
    PT_NOTE, PT_PHDR, PT_TLS, ProgramFlags, ProgramHeader64, ProgramType,
};
use object::read::ReadRef as _;
use object::read::elf::ProgramHeader as _;
use object::{LittleEndian as LE, Pod};

use super::flaw::Flaw;

/// Kinds of segments whose contents the loader uses; of several segments of one kind it uses the
/// last.
const USED: [ProgramType; 7] =
    [PT_DYNAMIC, PT_INTERP, PT_PHDR, PT_TLS, PT_GNU_EH_FRAME, PT_GNU_RELRO, PT_GNU_PROPERTY];

/// Any access.
pub(super) const ANY: ProgramFlags = ProgramFlags(0);

/// The end of the addresses that processes have.
const END: u64 = 1 << 47;
/// More than any alignment that the loader is to keep.
const MOST_ALIGNMENT: u64 = 1 << 30;

/// An image, and the table of its segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments<'a> {
    pub(super) image: &'a [u8],
    pub(super) table: &'a [ProgramHeader64<LE>],
}

impl<'a> Segments<'a> {
    fn of(self, kind: ProgramType) -> impl Iterator<Item = &'a ProgramHeader64<LE>> {
        self.table.iter().filter(move |it| it.p_type(LE) == kind)
    }

    pub(super) fn check(self) -> Result<(), Flaw> {
        let mut end = 0;
        for it in self.of(PT_LOAD) {
            let (address, in_memory) = (it.p_vaddr(LE), it.p_memsz(LE));
            let is_whole = it.p_filesz(LE) <= in_memory
                && self.part(it.p_offset(LE), it.p_filesz(LE)).is_some()
                && address >= end
                && in_memory < END
                && address < END - in_memory
                && it.p_flags(LE).contains(PF_R)
                && has_possible_alignment(it);
            if !is_whole {
                return Err(format!("its segment at address {address:#x} is impossible"));
            }
            end = address + in_memory;
        }
        for kind in USED {
            if self.of(kind).count() > 1 {
                return Err(format!("it has several segments of kind {kind:#x}"));
            }
        }
        let is_used = |kind| USED.contains(&kind) || kind == PT_NOTE;
        for it in self.table.iter().filter(|it| is_used(it.p_type(LE))) {
            let kind = it.p_type(LE);
            let (address, in_file, in_memory) = (it.p_vaddr(LE), it.p_filesz(LE), it.p_memsz(LE));
            let is_known = match kind {
                // Each thread has its own copy of this memory; it is not memory of the object.
                PT_TLS => in_file <= in_memory && in_memory < END && has_possible_alignment(it),
                PT_GNU_RELRO => self.has_pages(address, in_memory),
                _ => self.has(address, in_memory, ANY) && in_memory <= in_file,
            };
            let place = self.offset_of(address, in_file);
            let is_written = kind == PT_DYNAMIC && it.p_flags(LE).contains(PF_W);
            if !is_known
                || (in_file > 0 && place != Some(it.p_offset(LE)))
                || (is_written && !self.has(address, in_memory, PF_W))
            {
                return Err(format!("its segment of kind {kind:#x} is not in it"));
            }
        }
        if self.of(PT_DYNAMIC).next().is_none() {
            return Err("it has no dynamic section".into());
        }
        Ok(())
    }

    /// Whether a segment with these flags has the bytes in memory.
    pub(super) fn has(self, address: u64, length: u64, flags: ProgramFlags) -> bool {
        let Some(end) = address.checked_add(length) else { return false };
        self.of(PT_LOAD).any(|it| {
            it.p_flags(LE).contains(flags)
                && it.p_vaddr(LE) <= address
                && end <= it.p_vaddr(LE) + it.p_memsz(LE)
        })
    }

    /// Whether a writable segment has the bytes in memory, up to the end of its last page: linkers
    /// round the part that becomes read-only later to pages.
    fn has_pages(self, address: u64, length: u64) -> bool {
        let Some(end) = address.checked_add(length) else { return false };
        self.of(PT_LOAD).filter(|it| it.p_flags(LE).contains(PF_W)).any(|it| {
            let last = (it.p_vaddr(LE) + it.p_memsz(LE)).next_multiple_of(it.p_align(LE).max(1));
            it.p_vaddr(LE) <= address && end <= last
        })
    }

    /// Where the bytes at an address stand in the file; `None` if no segment of the file has them.
    pub(super) fn offset_of(self, address: u64, length: u64) -> Option<u64> {
        let end = address.checked_add(length)?;
        let holds = |it: &&ProgramHeader64<LE>| {
            it.p_vaddr(LE) <= address && end <= it.p_vaddr(LE) + it.p_filesz(LE)
        };
        self.of(PT_LOAD).find(holds).map(|it| it.p_offset(LE) + (address - it.p_vaddr(LE)))
    }

    /// The bytes of the file from `start` on.
    pub(super) fn part(self, start: u64, length: u64) -> Option<&'a [u8]> {
        let from_start = self.image.get(usize::try_from(start).ok()?..)?;
        from_start.get(..usize::try_from(length).ok()?)
    }

    /// The bytes at an address, as they stand in the file.
    pub(super) fn bytes(self, address: u64, length: u64) -> Option<&'a [u8]> {
        self.part(self.offset_of(address, length)?, length)
    }

    /// The bytes from an address on, as far as its segment stands in the file.
    pub(super) fn rest(self, address: u64) -> Option<&'a [u8]> {
        let holds = |it: &&ProgramHeader64<LE>| {
            it.p_vaddr(LE) <= address && address < it.p_vaddr(LE) + it.p_filesz(LE)
        };
        let segment = self.of(PT_LOAD).find(holds)?;
        self.bytes(address, segment.p_vaddr(LE) + segment.p_filesz(LE) - address)
    }

    /// The dynamic section; `None` if its segment stands outside of the file.
    pub(super) fn dynamic_section(self) -> Option<&'a [u8]> {
        let segment = self.of(PT_DYNAMIC).next()?;
        self.bytes(segment.p_vaddr(LE), segment.p_filesz(LE))
    }
}

/// The whole entries of a table that begins with the bytes.
pub(super) fn entries<T: Pod>(bytes: &[u8]) -> &[T] {
    bytes.read_slice_at(0, bytes.len() / size_of::<T>()).unwrap_or_default()
}

fn has_possible_alignment(segment: &ProgramHeader64<LE>) -> bool {
    let alignment = segment.p_align(LE);
    alignment <= MOST_ALIGNMENT && (alignment == 0 || alignment.is_power_of_two())
}
