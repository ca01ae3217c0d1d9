//! The sections of an image. The loader does not read them, but linkers and debuggers do, and they
//! tell what the segments must have.

use object::LittleEndian as LE;
use object::elf::{
    PF_W, PF_X, SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHF_WRITE, SHT_NOBITS, SHT_NULL, SectionHeader64,
};
use object::read::elf::SectionHeader as _;

use super::flaw::Flaw;
use super::segments::{ANY, Segments};

/// Checks that the sections are in the image, and that the sections in memory lie in their
/// segments.
pub(super) fn check(sections: &[SectionHeader64<LE>], segments: Segments<'_>) -> Result<(), Flaw> {
    match sections.iter().position(|it| !is_whole(it, segments)) {
        Some(number) => Err(format!("its section {number} is outside of its segments")),
        None => Ok(()),
    }
}

fn is_whole(section: &SectionHeader64<LE>, segments: Segments<'_>) -> bool {
    let (kind, flags) = (section.sh_type(LE), section.sh_flags(LE));
    let (address, offset) = (section.sh_addr(LE), section.sh_offset(LE));
    let length = section.sh_size(LE);
    if kind == SHT_NULL || length == 0 {
        return true;
    }
    if kind != SHT_NOBITS && segments.part(offset, length).is_none() {
        return false;
    }
    // Thread-local data have no place in the object unless they have initial values.
    if !flags.contains(SHF_ALLOC) || (kind == SHT_NOBITS && flags.contains(SHF_TLS)) {
        return true;
    }
    let mut needed = ANY;
    for (flag, access) in [(SHF_WRITE, PF_W), (SHF_EXECINSTR, PF_X)] {
        if flags.contains(flag) {
            needed |= access;
        }
    }
    let is_in_place = kind == SHT_NOBITS || segments.offset_of(address, length) == Some(offset);
    is_in_place && segments.has(address, length, needed)
}
