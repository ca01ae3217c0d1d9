//! Whether an image is a shared object for the host's processor, and whole.
//!
//! The loader believes what an ELF file says: a table that lies outside of the file, or a
//! relocation that changes code, ends the process inside dlopen(3). So an image is read first: its
//! header, segments ([`segments`]), sections ([`sections`]), and from its dynamic section
//! ([`dynamic`]) the names, symbols, relocations and functions that the loader calls. The contents
//! of tables of versions, and code, are not read.

mod dynamic;
mod flaw;
mod sections;
mod segments;
mod symbols;

use core::mem::size_of;

use object::LittleEndian as LE;
use object::elf::{
    ELFCLASS64, ELFDATA2LSB, ELFMAG, ELFOSABI_GNU, ELFOSABI_SYSV, ET_DYN, EV_CURRENT, FileHeader64,
    Machine, ProgramHeader64, SectionHeader64,
};
use object::read::ReadRef as _;
use oxomp_target::plugin::Verdict;

use flaw::Flaw;
use segments::Segments;

/// The machine of the host.
const MACHINE: Machine = Machine(oxomp_arch::read::Machine::OWN.elf());

/// What the plug-in says of an image.
pub(crate) fn examine(image: &[u8]) -> Verdict {
    if !image.starts_with(&ELFMAG) {
        return Verdict::Foreign;
    }
    let Ok(header) = image.read_at::<FileHeader64<LE>>(0) else {
        return Verdict::Damaged("its header is cut off".to_owned());
    };
    let (class, data) = (header.e_ident.class, header.e_ident.data);
    if (class, data, header.e_machine.get(LE)) != (ELFCLASS64, ELFDATA2LSB, MACHINE) {
        return Verdict::Foreign;
    }
    check(header, image).map_or_else(Verdict::Damaged, |()| Verdict::Fits)
}

fn check(header: &FileHeader64<LE>, image: &[u8]) -> Result<(), Flaw> {
    if header.e_type.get(LE) != ET_DYN {
        return Err("it is no shared object".into());
    }
    let ident = &header.e_ident;
    let is_known_abi = [ELFOSABI_SYSV, ELFOSABI_GNU].contains(&ident.os_abi)
        && ident.abi_version == 0
        && ident.padding == [0; 7];
    let version = header.e_version.get(LE);
    if ident.version != EV_CURRENT || version != u32::from(EV_CURRENT.0) || !is_known_abi {
        return Err("its header has an unknown version".into());
    }
    if usize::from(header.e_ehsize.get(LE)) != size_of::<FileHeader64<LE>>()
        || usize::from(header.e_phentsize.get(LE)) != size_of::<ProgramHeader64<LE>>()
    {
        return Err("its header has an impossible size".into());
    }
    let sections = usize::from(header.e_shnum.get(LE));
    let size = usize::from(header.e_shentsize.get(LE));
    if sections > 0 && size != size_of::<SectionHeader64<LE>>() {
        return Err("its sections have an impossible size".into());
    }
    let table = image.read_slice_at(header.e_phoff.get(LE), header.e_phnum.get(LE).into());
    let table = table.map_err(|()| "the table of its segments is outside of it")?;
    let segments = Segments { image, table };
    segments.check()?;
    let sections = match header.e_shoff.get(LE) {
        0 => Ok(&[][..]),
        offset => image.read_slice_at(offset, sections),
    };
    let sections = sections.map_err(|()| "the table of its sections is outside of it")?;
    sections::check(sections, segments)?;
    dynamic::check(segments, sections)
}

#[cfg(test)]
mod tests;
