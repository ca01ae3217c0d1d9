//! A loaded binary's headers, read from the process's memory.

use std::ops::Range;

use oxomp_arch::read::Machine;

use crate::bytes::{u16_at, u32_at, u64_at};
use crate::memory::ProcessMemory;

/// Most program headers of a binary; more are taken for damaged memory.
const MOST_HEADERS: usize = 512;
/// Longest segment of notes that is searched for the build id.
const LONGEST_NOTES: u64 = 1 << 16;

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const PT_NOTE: u32 = 4;
const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
const NT_GNU_BUILD_ID: u32 = 3;

/// What a binary's headers tell; addresses are addresses in the process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Elf {
    /// Address in the process minus address in the file's own terms.
    pub(crate) bias: u64,
    /// The loaded segments.
    pub(crate) segments: Vec<Range<u64>>,
    pub(crate) dynamic: Option<Range<u64>>,
    pub(crate) eh_frame_hdr: Option<Range<u64>>,
    pub(crate) build_id: Vec<u8>,
}

/// One program header.
pub(crate) struct ProgramHeader {
    pub(crate) kind: u32,
    pub(crate) flags: u32,
    pub(crate) offset: u64,
    pub(crate) address: u64,
    pub(crate) file_size: u64,
    pub(crate) memory_size: u64,
}

impl ProgramHeader {
    /// Length of a program header.
    pub(crate) const SIZE: usize = 56;

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            kind: u32_at(bytes, 0)?,
            flags: u32_at(bytes, 4)?,
            offset: u64_at(bytes, 8)?,
            address: u64_at(bytes, 16)?,
            file_size: u64_at(bytes, 32)?,
            memory_size: u64_at(bytes, 40)?,
        })
    }
}

impl Elf {
    /// The binary whose file begins at `base`; `None` if no binary for the inspected
    /// processor begins there.
    pub(crate) fn read(memory: &ProcessMemory, base: u64) -> Option<Self> {
        let header = memory.bytes(base, 64)?;
        let ours = header.starts_with(b"\x7fELF\x02\x01")
            && u16_at(&header, 18)? == Machine::INSPECTED.elf();
        let kind = u16_at(&header, 16)?;
        if !ours || !matches!(kind, 2 | 3) || u16_at(&header, 54)? != ProgramHeader::SIZE as u16 {
            return None;
        }
        let count = usize::from(u16_at(&header, 56)?);
        if count > MOST_HEADERS {
            return None;
        }
        let table =
            memory.bytes(base.checked_add(u64_at(&header, 32)?)?, count * ProgramHeader::SIZE)?;
        let headers: Vec<ProgramHeader> =
            table.chunks_exact(ProgramHeader::SIZE).filter_map(ProgramHeader::parse).collect();
        let first = headers.iter().find(|header| header.kind == PT_LOAD)?;
        let bias = base.wrapping_sub(first.address.wrapping_sub(first.offset));
        let range = |header: &ProgramHeader| {
            let start = bias.wrapping_add(header.address);
            start..start.saturating_add(header.memory_size)
        };
        let of_kind = |kind| headers.iter().filter(move |header| header.kind == kind);
        Some(Self {
            bias,
            segments: of_kind(PT_LOAD).map(range).collect(),
            dynamic: of_kind(PT_DYNAMIC).map(range).next(),
            eh_frame_hdr: of_kind(PT_GNU_EH_FRAME).map(range).next(),
            build_id: of_kind(PT_NOTE)
                .map(range)
                .filter(|notes| notes.end - notes.start <= LONGEST_NOTES)
                .filter_map(|notes| memory.bytes(notes.start, (notes.end - notes.start) as usize))
                .find_map(|notes| build_id(&notes))
                .unwrap_or_default(),
        })
    }

    /// The address in the process for an address in the dynamic section: glibc's loader rewrites
    /// most of these, except the vdso's; the loaders of other C libraries rewrite none.
    pub(crate) fn loaded(&self, address: u64) -> u64 {
        if self.holds(address) { address } else { self.bias.wrapping_add(address) }
    }

    pub(crate) fn holds(&self, address: u64) -> bool {
        self.segments.iter().any(|segment| segment.contains(&address))
    }

    /// The end of the segment that holds `address`.
    pub(crate) fn segment_end(&self, address: u64) -> Option<u64> {
        let segment = self.segments.iter().find(|segment| segment.contains(&address))?;
        Some(segment.end)
    }
}

/// The build id among the notes of a segment.
fn build_id(notes: &[u8]) -> Option<Vec<u8>> {
    notes_in(notes).find_map(|note| {
        (note.kind == NT_GNU_BUILD_ID && note.name == b"GNU").then(|| note.content.to_vec())
    })
}

/// One note of a segment of notes.
pub(crate) struct Note<'a> {
    pub(crate) kind: u32,
    /// Without the zero byte at its end.
    pub(crate) name: &'a [u8],
    pub(crate) content: &'a [u8],
}

/// The notes of a segment, up to the first that does not fit into it.
pub(crate) fn notes_in(mut bytes: &[u8]) -> impl Iterator<Item = Note<'_>> {
    std::iter::from_fn(move || {
        let (name_length, length) = (u32_at(bytes, 0)? as usize, u32_at(bytes, 4)? as usize);
        let kind = u32_at(bytes, 8)?;
        let content_at = 12_usize.checked_add(name_length.checked_next_multiple_of(4)?)?;
        let name = bytes.get(12..12_usize.checked_add(name_length)?)?;
        let content = bytes.get(content_at..content_at.checked_add(length)?)?;
        let next = content_at.checked_add(length.checked_next_multiple_of(4)?)?;
        bytes = bytes.get(next..).unwrap_or_default();
        Some(Note { kind, name: name.strip_suffix(b"\0").unwrap_or(name), content })
    })
}
