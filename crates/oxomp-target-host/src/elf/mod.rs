//! Whether an image is a shared object for the host's processor, and whole.
//!
//! The loader believes what an ELF file says: a table that lies outside of the file, or a
//! relocation that changes code, ends the process inside dlopen(3). So an image is read first: its
//! header, segments ([`segments`]), sections ([`sections`]), and from its dynamic section
//! ([`dynamic`]) the names, symbols, relocations and functions that the loader calls. The contents
//! of tables of versions, and code, are not read. The numbers are those of the ELF specification
//! and of its supplements for the processors.

mod bytes;
mod dynamic;
mod flaw;
mod sections;
mod segments;
mod symbols;

use oxomp_target::plugin::Verdict;

use bytes::Bytes;
use flaw::Flaw;
use segments::Segments;

/// `ET_DYN`.
const SHARED_OBJECT: u64 = 3;
/// The machine of the host.
#[cfg(target_arch = "x86_64")]
const MACHINE: u64 = 62;
#[cfg(target_arch = "aarch64")]
const MACHINE: u64 = 183;
/// `EV_CURRENT`.
const VERSION: u64 = 1;
/// The bytes of a header.
const HEADER: usize = 64;
/// The bytes of an entry in the table of segments.
const SEGMENT: usize = 56;
/// The bytes of an entry in the table of sections.
const SECTION: usize = 64;

/// What the plug-in says of an image.
pub(crate) fn examine(image: &[u8]) -> Verdict {
    let bytes = Bytes(image);
    if !image.starts_with(b"\x7fELF") {
        return Verdict::Foreign;
    }
    // Class of 64 bits and little endian, the ABI of System V or GNU, and the machine.
    match (bytes.half(4), bytes.half(18)) {
        (Some(0x0102), Some(MACHINE)) => {}
        (_, None) => return Verdict::Damaged("its header is cut off".to_owned()),
        _ => return Verdict::Foreign,
    }
    check(bytes).map_or_else(Verdict::Damaged, |()| Verdict::Fits)
}

fn check(bytes: Bytes<'_>) -> Result<(), Flaw> {
    let half = |at| bytes.half(at).ok_or("its header is cut off");
    let long = |at| bytes.long(at).ok_or("its header is cut off");
    if half(16)? != SHARED_OBJECT {
        return Err("it is no shared object".into());
    }
    // The version stands in two places; behind the first one stand the ABI (System V or GNU) and
    // zeros.
    let is_known_abi = [0, 3].contains(&(half(7)? & 0xff)) && long(8)? == 0;
    if half(6)? & 0xff != VERSION || bytes.word(20) != Some(VERSION) || !is_known_abi {
        return Err("its header has an unknown version".into());
    }
    let (segments, sections) = ((long(32)?, half(56)?), (long(40)?, half(60)?));
    if half(52)? != HEADER as u64 || half(54)? != SEGMENT as u64 {
        return Err("its header has an impossible size".into());
    }
    if sections.1 > 0 && half(58)? != SECTION as u64 {
        return Err("its sections have an impossible size".into());
    }
    let table = bytes.table(segments.0, segments.1, SEGMENT as u64);
    let segments = Segments::read(table.ok_or("the table of its segments is outside of it")?)?;
    segments.check(bytes)?;
    let table = if sections.0 > 0 { sections } else { (0, 0) };
    let table = bytes.table(table.0, table.1, SECTION as u64);
    let sections: Vec<Bytes<'_>> =
        table.ok_or("the table of its sections is outside of it")?.collect();
    sections::check(&sections, bytes, &segments)?;
    dynamic::check(bytes, &segments, &sections)
}

#[cfg(test)]
mod tests;
