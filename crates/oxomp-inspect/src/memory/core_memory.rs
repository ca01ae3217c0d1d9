//! The memory that a core file holds, and the memory of the files that were mapped.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Reads memory from a core file, and from mapped files what the core leaves out.
#[derive(Debug)]
pub(crate) struct CoreMemory {
    /// What lies in the core itself, by address.
    dumped: Vec<Region>,
    /// The mapped files, by address.
    mapped: Vec<Region>,
}

/// A range of memory whose bytes a file has.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) range: Range<u64>,
    pub(crate) file: Arc<File>,
    /// Offset of its first byte in the file.
    pub(crate) offset: u64,
}

impl CoreMemory {
    /// Of regions of the core, by address, and of regions of mapped files.
    pub(crate) fn new(dumped: Vec<Region>, mut mapped: Vec<Region>) -> Self {
        mapped.sort_by_key(|region| region.range.start);
        Self { dumped, mapped }
    }

    pub(crate) fn read(&self, mut address: u64, mut buffer: &mut [u8]) -> bool {
        while !buffer.is_empty() {
            let Some(read) = [&self.dumped, &self.mapped]
                .into_iter()
                .find_map(|regions| read_some(regions, address, buffer))
            else {
                return false;
            };
            address = address.saturating_add(read as u64);
            buffer = &mut buffer[read..];
        }
        true
    }
}

/// Reads at least one byte from the region that holds `address`; `None` if it can read none.
fn read_some(regions: &[Region], address: u64, buffer: &mut [u8]) -> Option<usize> {
    let next = regions.partition_point(|region| region.range.start <= address);
    let region = regions.get(next.checked_sub(1)?)?;
    if !region.range.contains(&address) {
        return None;
    }
    let length = usize::try_from(region.range.end - address).unwrap_or(usize::MAX);
    let length = length.min(buffer.len());
    let offset = region.offset.checked_add(address - region.range.start)?;
    region.file.read_at(&mut buffer[..length], offset).ok().filter(|&read| read > 0)
}
