//! The sections of an image. The loader does not read them, but linkers and debuggers do, and they
//! tell what the segments must have.

use super::bytes::Bytes;
use super::flaw::Flaw;
use super::segments::{EXECUTABLE, Segments, WRITABLE};

/// Kinds of sections (`SHT_NULL`, `SHT_NOBITS`).
const NONE: u64 = 0;
const NO_BITS: u64 = 8;

/// Flags of sections (`SHF_WRITE`, `SHF_ALLOC`, `SHF_EXECINSTR`, `SHF_TLS`).
const WRITE: u64 = 1;
const IN_MEMORY: u64 = 2;
const CODE: u64 = 4;
const THREAD_LOCAL: u64 = 0x400;

/// Checks that the sections are in the image, and that the sections in memory lie in their
/// segments.
pub(super) fn check(
    table: &[Bytes<'_>],
    bytes: Bytes<'_>,
    segments: &Segments,
) -> Result<(), Flaw> {
    for (number, entry) in table.iter().enumerate() {
        if is_whole(*entry, bytes, segments) != Some(true) {
            return Err(format!("its section {number} is outside of its segments"));
        }
    }
    Ok(())
}

/// The kind of a section that is in memory, its address and its bytes.
pub(super) fn loaded(entry: Bytes<'_>) -> Option<(u64, u64, u64)> {
    let is_loaded = entry.long(8)? & IN_MEMORY != 0;
    is_loaded.then_some((entry.word(4)?, entry.long(16)?, entry.long(32)?))
}

fn is_whole(entry: Bytes<'_>, bytes: Bytes<'_>, segments: &Segments) -> Option<bool> {
    let (kind, flags) = (entry.word(4)?, entry.long(8)?);
    let (address, offset, length) = (entry.long(16)?, entry.long(24)?, entry.long(32)?);
    if kind == NONE || length == 0 {
        return Some(true);
    }
    if kind != NO_BITS && bytes.part(offset, length).is_none() {
        return Some(false);
    }
    // Thread-local data have no place in the object unless they have initial values.
    if flags & IN_MEMORY == 0 || (kind == NO_BITS && flags & THREAD_LOCAL != 0) {
        return Some(true);
    }
    let access = [(WRITE, WRITABLE), (CODE, EXECUTABLE)];
    let needed = access.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, it)| it).sum();
    let is_in_place = kind == NO_BITS || segments.offset_of(address, length) == Some(offset);
    Some(is_in_place && segments.has(address, length, needed))
}
