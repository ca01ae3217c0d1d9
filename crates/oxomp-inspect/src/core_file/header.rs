//! The headers of a core file.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use oxomp_arch::read::Machine;

use super::part::up_to;
use crate::binary::ProgramHeader;
use crate::bytes::{u16_at, u32_at, u64_at};
use crate::memory::Region;

/// Most program headers that are read: a process can hardly have more mappings.
const MOST_HEADERS: u64 = 1 << 20;
/// The number of program headers that says that the first section header has it.
const MANY: u16 = 0xffff;

const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
const ET_CORE: u16 = 4;

/// What a core file's headers tell.
#[derive(Debug)]
pub(super) struct Headers {
    /// Segments of memory, by address.
    pub(super) segments: Vec<Segment>,
    /// Offset and length of the notes in the file.
    pub(super) notes: Vec<(u64, u64)>,
}

/// A range of the process's memory.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    address: u64,
    /// Length of the memory.
    length: u64,
    /// Where its beginning lies in the file, and how much of it does.
    offset: u64,
    in_file: u64,
    flags: u32,
}

impl Segment {
    pub(super) fn range(&self) -> Range<u64> {
        self.address..self.address.saturating_add(self.length)
    }

    pub(super) fn executable(&self) -> bool {
        self.flags & 1 != 0
    }
}

impl Headers {
    /// Reads them, or tells what else the file is.
    pub(super) fn read(file: &File, length: u64, path: &Path) -> Result<Self, String> {
        let header = up_to(file, 0, 64);
        if let Some((format, command)) = compression(&header) {
            return Err(format!(
                "it is compressed by {format}: `{command} {0}` decompresses it (`coredumpctl dump \
                 --output=core PID` does so for systemd's)",
                path.display()
            ));
        }
        if !header.starts_with(b"\x7fELF") || header.len() < 64 {
            return Err("it is no core file: it has no ELF header".to_owned());
        }
        let (class, order) = (header[4], header[5]);
        let kind = u16_at(&header, 16).unwrap_or(0);
        let machine = u16_at(&header, 18).unwrap_or(0);
        if kind != ET_CORE {
            return Err("it is no core file, but a program, library or object file".to_owned());
        }
        if (class, order, machine) != (2, 1, Machine::INSPECTED.elf()) {
            let name = Machine::INSPECTED.name();
            return Err(format!(
                "only those of 64-bit programs on {name} can be read (this: class {class}, machine \
                 {machine})"
            ));
        }
        let table = u64_at(&header, 32).unwrap_or(0);
        let count = match u16_at(&header, 56).unwrap_or(0) {
            MANY => {
                let section = up_to(file, u64_at(&header, 40).unwrap_or(0), 64);
                u32_at(&section, 44).map_or(u64::from(MANY), u64::from)
            }
            count => u64::from(count),
        };
        let fitting = length.saturating_sub(table) / ProgramHeader::SIZE as u64;
        let count = count.min(fitting).min(MOST_HEADERS) as usize;
        let bytes = up_to(file, table, count * ProgramHeader::SIZE);
        let (mut segments, mut notes) = (Vec::new(), Vec::new());
        for header in bytes.chunks_exact(ProgramHeader::SIZE).filter_map(ProgramHeader::parse) {
            match header.kind {
                PT_LOAD => segments.push(Segment {
                    address: header.address,
                    length: header.memory_size,
                    offset: header.offset,
                    in_file: header.file_size.min(header.memory_size),
                    flags: header.flags,
                }),
                PT_NOTE => notes.push((header.offset, header.file_size)),
                _ => {}
            }
        }
        segments.sort_by_key(|segment| segment.address);
        Ok(Self { segments, notes })
    }

    /// The memory that lies in `core`, by address.
    pub(super) fn regions(&self, core: &Arc<File>) -> Vec<Region> {
        let regions = self.segments.iter().map(|segment| {
            let start = segment.range().start;
            Region {
                range: start..start.saturating_add(segment.in_file),
                file: Arc::clone(core),
                offset: segment.offset,
            }
        });
        regions.filter(|region| !region.range.is_empty()).collect()
    }

    /// The length that the file should have at least.
    pub(super) fn expected_length(&self) -> u64 {
        let ends =
            self.segments.iter().map(|segment| segment.offset.saturating_add(segment.in_file));
        ends.max().unwrap_or(0)
    }
}

/// The format in which a file is compressed, and the command that undoes it.
fn compression(header: &[u8]) -> Option<(&'static str, &'static str)> {
    let formats: [(&[u8], _); 5] = [
        (b"\x28\xb5\x2f\xfd", ("zstd", "zstd -d")),
        (b"\x1f\x8b", ("gzip", "gzip -dk")),
        (b"\x04\x22\x4d\x18", ("lz4", "lz4 -d")),
        (b"\xfd7zXZ\0", ("xz", "xz -dk")),
        (b"BZh", ("bzip2", "bzip2 -dk")),
    ];
    formats.into_iter().find(|(magic, _)| header.starts_with(magic)).map(|(_, format)| format)
}
