//! The dynamic section of an image: where the loader finds its tables, and its relocations.

use core::mem::size_of;
use std::collections::BTreeMap;

use object::elf::{
    DT_FINI, DT_FINI_ARRAY, DT_FINI_ARRAYSZ, DT_GNU_HASH, DT_HASH, DT_INIT, DT_INIT_ARRAY,
    DT_INIT_ARRAYSZ, DT_JMPREL, DT_NEEDED, DT_NULL, DT_PLTGOT, DT_PLTREL, DT_PLTRELSZ, DT_RELA,
    DT_RELACOUNT, DT_RELAENT, DT_RELASZ, DT_RELR, DT_RELRSZ, DT_RPATH, DT_RUNPATH, DT_SONAME,
    DT_STRSZ, DT_STRTAB, DT_SYMENT, DT_SYMTAB, DT_TEXTREL, DT_VERDEF, DT_VERNEED, DT_VERSYM, Dyn64,
    DynamicTag, PF_W, PF_X, Rela64, RelocationType, SHF_ALLOC, SHT_DYNSYM, SHT_FINI_ARRAY,
    SHT_GNU_HASH, SHT_GNU_VERDEF, SHT_GNU_VERNEED, SHT_GNU_VERSYM, SHT_HASH, SHT_INIT_ARRAY,
    SHT_RELA, SectionHeader64, Sym64,
};
use object::read::elf::SectionHeader as _;
use object::{LittleEndian as LE, U64};
use oxomp_arch::read::Machine;

use super::flaw::Flaw;
use super::segments::{ANY, Segments, entries};
use super::symbols::Symbols;

/// The bytes of a relocation.
const RELOCATION: u64 = size_of::<Rela64<LE>>() as u64;
/// The bytes of an address, which are also the most that a relocation changes.
const ADDRESS: u64 = 8;

/// The relocations whose value is an address of the image: the address of data, or of a function
/// that selects a function.
const OWN: [RelocationType; 2] = {
    let [data, function] = Machine::OWN.own_relocations();
    [RelocationType(data), RelocationType(function)]
};

/// The relocation that changes nothing, on every processor.
const NONE: RelocationType = RelocationType(0);

/// The tables of relocations, by the tags of their address and of their bytes.
const RELOCATIONS: [(DynamicTag, DynamicTag); 2] = [(DT_RELA, DT_RELASZ), (DT_JMPREL, DT_PLTRELSZ)];
/// The tables of functions that the loader calls, in the same form.
const INITS: (DynamicTag, DynamicTag) = (DT_INIT_ARRAY, DT_INIT_ARRAYSZ);
const FINIS: (DynamicTag, DynamicTag) = (DT_FINI_ARRAY, DT_FINI_ARRAYSZ);

/// The dynamic section: if several entries have one tag, the loader takes the last.
struct Dynamic(BTreeMap<DynamicTag, u64>);

impl Dynamic {
    fn get(&self, tag: DynamicTag) -> Option<u64> {
        self.0.get(&tag).copied()
    }

    /// The table at an address, with its bytes; `None` if there is no such table.
    fn table(&self, (address, bytes): (DynamicTag, DynamicTag)) -> Option<(u64, u64)> {
        let bytes = self.get(bytes).unwrap_or(0);
        self.get(address).filter(|_| bytes > 0).map(|address| (address, bytes))
    }
}

/// Checks the dynamic section and the tables that it names.
pub(super) fn check(segments: Segments<'_>, sections: &[SectionHeader64<LE>]) -> Result<(), Flaw> {
    let (dynamic, names) = read(segments)?;
    check_forms(&dynamic)?;
    check_sections(&dynamic, sections)?;
    let strings = dynamic.table((DT_STRTAB, DT_STRSZ));
    let strings = strings.and_then(|(address, length)| segments.bytes(address, length));
    let strings = strings.ok_or("its names are outside of it")?;
    if strings.last() != Some(&0) || names.iter().any(|it| *it >= strings.len() as u64) {
        return Err("its names are outside of it".into());
    }
    let rest = |tag| dynamic.get(tag).and_then(|address| segments.rest(address));
    for tag in [DT_VERSYM, DT_VERDEF, DT_VERNEED] {
        if dynamic.get(tag).is_some() && rest(tag).is_none() {
            return Err(format!("its table {tag:#x} is outside of it"));
        }
    }
    let symbols = Symbols {
        table: entries(rest(DT_SYMTAB).ok_or("its symbols are outside of it")?),
        strings,
        versions: rest(DT_VERSYM).map(entries),
        segments,
    };
    symbols.check(rest(DT_GNU_HASH), rest(DT_HASH))?;
    check_functions(&dynamic, segments)?;
    check_packed(&dynamic, segments)?;
    for (address, length) in RELOCATIONS.into_iter().filter_map(|it| dynamic.table(it)) {
        let table = segments.bytes(address, length).ok_or("relocations are outside of it")?;
        let table = entries::<Rela64<LE>>(table);
        if !table.iter().all(|it| is_possible(it, &dynamic, segments, &symbols)) {
            return Err("one of its relocations is impossible".into());
        }
        // The loader takes the first `count` relocations for relative ones without looking at their
        // kinds.
        let is_first = dynamic.get(DT_RELA) == Some(address);
        let count = dynamic.get(DT_RELACOUNT).filter(|_| is_first);
        let is_own = |it: &&Rela64<LE>| it.r_info.get(LE) == u64::from(OWN[0].0);
        let own = table.iter().take_while(is_own).count() as u64;
        if count.is_some_and(|count| count > own) {
            return Err("its relocations are in disorder".into());
        }
    }
    Ok(())
}

/// Checks the packed relocations, whose value is always an address of the image. An even word is
/// the place of a relocation; an odd word has a bit for each of the 63 places that follow.
fn check_packed(dynamic: &Dynamic, segments: Segments<'_>) -> Result<(), Flaw> {
    let Some((address, length)) = dynamic.table((DT_RELR, DT_RELRSZ)) else {
        return Ok(());
    };
    let table = segments.bytes(address, length).ok_or("relocations are outside of it")?;
    let mut next = 0_u64;
    let is_possible = |at: u64| segments.has(at, ADDRESS, PF_W);
    for word in entries::<U64<LE>>(table).iter().map(|it| it.get(LE)) {
        let all_possible = if word & 1 == 0 {
            next = word.saturating_add(ADDRESS);
            is_possible(word)
        } else {
            let places = (0..63).filter(|bit| word >> (bit + 1) & 1 == 1);
            let mut places = places.map(|bit| next.saturating_add(bit * ADDRESS));
            let all_possible = places.all(is_possible);
            next = next.saturating_add(63 * ADDRESS);
            all_possible
        };
        if !all_possible {
            return Err("one of its relocations is impossible".into());
        }
    }
    Ok(())
}

/// The dynamic section, and where its names stand among the strings.
fn read(segments: Segments<'_>) -> Result<(Dynamic, Vec<u64>), Flaw> {
    let all = segments.dynamic_section().ok_or("its dynamic section is outside of it")?;
    let (mut dynamic, mut names) = (Dynamic(BTreeMap::new()), Vec::new());
    for entry in entries::<Dyn64<LE>>(all) {
        let (tag, value) = (entry.d_tag.get(LE), entry.d_val.get(LE));
        if tag == DT_NULL {
            return Ok((dynamic, names));
        }
        if [DT_NEEDED, DT_SONAME, DT_RPATH, DT_RUNPATH].contains(&tag) {
            names.push(value);
        }
        dynamic.0.insert(tag, value);
    }
    Err("its dynamic section has no end".into())
}

/// Checks that the dynamic section names the tables that the image has by its sections.
fn check_sections(dynamic: &Dynamic, sections: &[SectionHeader64<LE>]) -> Result<(), Flaw> {
    for section in sections.iter().filter(|it| it.sh_flags(LE).contains(SHF_ALLOC)) {
        let (address, length) = (section.sh_addr(LE), section.sh_size(LE));
        let is_named = match section.sh_type(LE) {
            SHT_RELA if length > 0 => RELOCATIONS.into_iter().any(|table| {
                dynamic.table(table).is_some_and(|(start, bytes)| {
                    start <= address
                        && address.saturating_add(length) <= start.saturating_add(bytes)
                })
            }),
            SHT_INIT_ARRAY => dynamic.table(INITS) == Some((address, length)),
            SHT_FINI_ARRAY => dynamic.table(FINIS) == Some((address, length)),
            SHT_DYNSYM => dynamic.get(DT_SYMTAB) == Some(address),
            SHT_GNU_HASH => dynamic.get(DT_GNU_HASH) == Some(address),
            SHT_HASH => dynamic.get(DT_HASH) == Some(address),
            SHT_GNU_VERSYM => dynamic.get(DT_VERSYM) == Some(address),
            SHT_GNU_VERDEF => dynamic.get(DT_VERDEF) == Some(address),
            SHT_GNU_VERNEED => dynamic.get(DT_VERNEED) == Some(address),
            _ => true,
        };
        if !is_named {
            return Err(format!("its dynamic section lacks the table at address {address:#x}"));
        }
    }
    Ok(())
}

/// The forms of the tables.
fn check_forms(dynamic: &Dynamic) -> Result<(), Flaw> {
    let wanted = [
        (DT_SYMENT, size_of::<Sym64<LE>>() as u64),
        (DT_RELAENT, RELOCATION),
        (DT_PLTREL, DT_RELA.0 as u64),
    ];
    for (tag, value) in wanted {
        if dynamic.get(tag).is_some_and(|it| it != value) {
            return Err(format!("its tables have an unknown form ({tag:#x})"));
        }
    }
    // If the loader finds the first of a pair, it uses the second without a check.
    let pairs = [
        (DT_RELA, DT_RELASZ),
        (DT_RELA, DT_RELAENT),
        (DT_JMPREL, DT_PLTRELSZ),
        (DT_JMPREL, DT_PLTREL),
        (DT_STRTAB, DT_STRSZ),
        (DT_SYMTAB, DT_SYMENT),
        (DT_INIT_ARRAY, DT_INIT_ARRAYSZ),
        (DT_FINI_ARRAY, DT_FINI_ARRAYSZ),
        (DT_VERNEED, DT_VERSYM),
        (DT_VERDEF, DT_VERSYM),
    ];
    for (first, second) in pairs {
        if dynamic.get(first).is_some() && dynamic.get(second).is_none() {
            return Err(format!("its dynamic section lacks {second:#x}"));
        }
    }
    let is_whole = |tag| dynamic.get(tag).is_none_or(|it| it.is_multiple_of(RELOCATION));
    if ![DT_RELASZ, DT_PLTRELSZ].into_iter().all(is_whole) {
        return Err("its relocations are cut off".into());
    }
    Ok(())
}

/// The functions that the loader calls, and the offsets that it writes to.
fn check_functions(dynamic: &Dynamic, segments: Segments<'_>) -> Result<(), Flaw> {
    let is_code = |tag| dynamic.get(tag).is_none_or(|it| segments.has(it, 1, PF_X));
    let is_table = |list| {
        dynamic.table(list).is_none_or(|(address, length)| {
            length.is_multiple_of(ADDRESS) && segments.offset_of(address, length).is_some()
        })
    };
    let offsets = dynamic.get(DT_PLTGOT);
    let are_written = offsets.is_none_or(|it| segments.has(it, 3 * ADDRESS, PF_W));
    if ![DT_INIT, DT_FINI].into_iter().all(is_code)
        || ![INITS, FINIS].into_iter().all(is_table)
        || !are_written
    {
        return Err("functions that the loader calls are outside of it".into());
    }
    Ok(())
}

/// Whether the loader can do a relocation.
fn is_possible(
    relocation: &Rela64<LE>,
    dynamic: &Dynamic,
    segments: Segments<'_>,
    symbols: &Symbols<'_>,
) -> bool {
    let (at, value) = (relocation.r_offset.get(LE), relocation.r_addend.get(LE) as u64);
    let kind = relocation.r_type(LE, false);
    if kind == NONE {
        return true;
    }
    // An object may say that its relocations change code.
    let access = if dynamic.get(DT_TEXTREL).is_some() { ANY } else { PF_W };
    let is_called = |list| {
        dynamic
            .table(list)
            .is_some_and(|(start, length)| (start..start.saturating_add(length)).contains(&at))
    };
    let is_function =
        kind == OWN[1] || (kind == OWN[0] && [INITS, FINIS].into_iter().any(is_called));
    segments.has(at, ADDRESS, access)
        && symbols.has(relocation.r_sym(LE, false))
        && (!is_function || segments.has(value, 1, PF_X))
}
