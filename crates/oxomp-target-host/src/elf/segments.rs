//! The segments of an image: what the loader maps, and which parts of that the loader itself reads.

use super::bytes::Bytes;
use super::flaw::Flaw;

/// `PF_X`, `PF_W` and `PF_R`.
pub(super) const EXECUTABLE: u64 = 1;
pub(super) const WRITABLE: u64 = 2;
const READABLE: u64 = 4;

/// Kinds of segments (`PT_LOAD` and others).
const LOAD: u64 = 1;
const DYNAMIC: u64 = 2;
const INTERPRETER: u64 = 3;
const NOTE: u64 = 4;
const TABLE: u64 = 6;
const THREAD_LOCAL: u64 = 7;
const UNWINDING: u64 = 0x6474_e550;
const READ_ONLY_LATER: u64 = 0x6474_e552;
const PROPERTIES: u64 = 0x6474_e553;

/// Kinds of segments whose contents the loader uses; of several segments of one kind it uses the
/// last.
const USED: [u64; 7] =
    [DYNAMIC, INTERPRETER, TABLE, THREAD_LOCAL, UNWINDING, READ_ONLY_LATER, PROPERTIES];

/// The end of the addresses that processes have.
const END: u64 = 1 << 47;
/// More than any alignment that the loader is to keep.
const MOST_ALIGNMENT: u64 = 1 << 30;

/// A segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    kind: u64,
    flags: u64,
    /// Where the segment begins in the file.
    offset: u64,
    /// Where the segment begins in memory.
    pub(super) address: u64,
    /// The segment's bytes in the file.
    pub(super) in_file: u64,
    /// The segment's bytes in memory.
    in_memory: u64,
    alignment: u64,
}

impl Segment {
    fn has(self, flags: u64) -> bool {
        self.flags & flags == flags
    }
}

/// All segments.
#[derive(Debug)]
pub(super) struct Segments(Vec<Segment>);

impl Segments {
    pub(super) fn read<'a>(table: impl Iterator<Item = Bytes<'a>>) -> Result<Self, Flaw> {
        let segment = |entry: Bytes<'_>| {
            Some(Segment {
                kind: entry.word(0)?,
                flags: entry.word(4)?,
                offset: entry.long(8)?,
                address: entry.long(16)?,
                in_file: entry.long(32)?,
                in_memory: entry.long(40)?,
                alignment: entry.long(48)?,
            })
        };
        let all: Option<Vec<Segment>> = table.map(segment).collect();
        Ok(Self(all.ok_or("the table of its segments is cut off")?))
    }

    fn of(&self, kind: u64) -> impl Iterator<Item = &Segment> {
        self.0.iter().filter(move |it| it.kind == kind)
    }

    /// The dynamic section.
    pub(super) fn dynamic(&self) -> Option<&Segment> {
        self.of(DYNAMIC).next()
    }

    pub(super) fn check(&self, bytes: Bytes<'_>) -> Result<(), Flaw> {
        let mut end = 0;
        for it in self.of(LOAD) {
            let is_whole = it.in_file <= it.in_memory
                && bytes.part(it.offset, it.in_file).is_some()
                && it.address >= end
                && it.in_memory < END
                && it.address < END - it.in_memory
                && it.flags & READABLE != 0
                && it.alignment <= MOST_ALIGNMENT
                && (it.alignment == 0 || it.alignment.is_power_of_two());
            if !is_whole {
                return Err(format!("its segment at address {:#x} is impossible", it.address));
            }
            end = it.address + it.in_memory;
        }
        for kind in USED {
            if self.of(kind).count() > 1 {
                return Err(format!("it has several segments of kind {kind:#x}"));
            }
        }
        for it in self.0.iter().filter(|it| USED.contains(&it.kind) || it.kind == NOTE) {
            let is_known = match it.kind {
                // Each thread has its own copy of this memory; it is not memory of the object.
                THREAD_LOCAL => {
                    it.in_file <= it.in_memory
                        && it.in_memory < END
                        && it.alignment <= MOST_ALIGNMENT
                        && (it.alignment == 0 || it.alignment.is_power_of_two())
                }
                READ_ONLY_LATER => self.has_pages(it.address, it.in_memory),
                _ => self.has(it.address, it.in_memory, 0) && it.in_memory <= it.in_file,
            };
            let place = self.offset_of(it.address, it.in_file);
            let is_written = it.kind == DYNAMIC && it.has(WRITABLE);
            if !is_known
                || (it.in_file > 0 && place != Some(it.offset))
                || (is_written && !self.has(it.address, it.in_memory, WRITABLE))
            {
                return Err(format!("its segment of kind {:#x} is not in it", it.kind));
            }
        }
        self.dynamic().map(|_| ()).ok_or_else(|| "it has no dynamic section".into())
    }

    /// Whether a segment with these flags has the bytes in memory.
    pub(super) fn has(&self, address: u64, length: u64, flags: u64) -> bool {
        let Some(end) = address.checked_add(length) else { return false };
        self.of(LOAD)
            .any(|it| it.has(flags) && it.address <= address && end <= it.address + it.in_memory)
    }

    /// Whether a writable segment has the bytes in memory, up to the end of its last page: linkers
    /// round the part that becomes read-only later to pages.
    fn has_pages(&self, address: u64, length: u64) -> bool {
        let Some(end) = address.checked_add(length) else { return false };
        self.of(LOAD).filter(|it| it.has(WRITABLE)).any(|it| {
            let last = (it.address + it.in_memory).next_multiple_of(it.alignment.max(1));
            it.address <= address && end <= last
        })
    }

    /// Where the bytes at an address stand in the file; `None` if no segment of the file has them.
    pub(super) fn offset_of(&self, address: u64, length: u64) -> Option<u64> {
        let end = address.checked_add(length)?;
        let holds = |it: &&Segment| it.address <= address && end <= it.address + it.in_file;
        self.of(LOAD).find(holds).map(|it| it.offset + (address - it.address))
    }

    /// The bytes at an address, as they stand in the file.
    pub(super) fn bytes<'a>(
        &self,
        file: Bytes<'a>,
        address: u64,
        length: u64,
    ) -> Option<Bytes<'a>> {
        file.part(self.offset_of(address, length)?, length)
    }

    /// The bytes from an address on, as far as its segment stands in the file.
    pub(super) fn rest<'a>(&self, file: Bytes<'a>, address: u64) -> Option<Bytes<'a>> {
        let holds = |it: &&Segment| it.address <= address && address < it.address + it.in_file;
        let segment = self.of(LOAD).find(holds)?;
        self.bytes(file, address, segment.address + segment.in_file - address)
    }
}
