//! The dynamic section of an image: where the loader finds its tables, and its relocations.

use std::collections::BTreeMap;

use super::bytes::Bytes;
use super::flaw::Flaw;
use super::sections;
use super::segments::{EXECUTABLE, Segments, WRITABLE};
use super::symbols::{SYMBOL, Symbols};

/// Tags (`DT_NEEDED` and others).
mod tag {
    pub(super) const END: u64 = 0;
    pub(super) const NEEDED: u64 = 1;
    pub(super) const CALLS_BYTES: u64 = 2;
    pub(super) const OFFSETS: u64 = 3;
    pub(super) const HASH: u64 = 4;
    pub(super) const STRINGS: u64 = 5;
    pub(super) const SYMBOLS: u64 = 6;
    pub(super) const RELOCATIONS: u64 = 7;
    pub(super) const RELOCATIONS_BYTES: u64 = 8;
    pub(super) const RELOCATION_BYTES: u64 = 9;
    pub(super) const STRINGS_BYTES: u64 = 10;
    pub(super) const SYMBOL_BYTES: u64 = 11;
    pub(super) const INIT: u64 = 12;
    pub(super) const FINI: u64 = 13;
    pub(super) const NAME: u64 = 14;
    pub(super) const PATH: u64 = 15;
    pub(super) const CALLS_KIND: u64 = 20;
    pub(super) const CHANGES_CODE: u64 = 22;
    pub(super) const CALLS: u64 = 23;
    pub(super) const INITS: u64 = 25;
    pub(super) const FINIS: u64 = 26;
    pub(super) const INITS_BYTES: u64 = 27;
    pub(super) const FINIS_BYTES: u64 = 28;
    pub(super) const RUN_PATH: u64 = 29;
    pub(super) const PACKED_BYTES: u64 = 35;
    pub(super) const PACKED: u64 = 36;
    pub(super) const GNU_HASH: u64 = 0x6fff_fef5;
    pub(super) const VERSIONS: u64 = 0x6fff_fff0;
    pub(super) const OWN_COUNT: u64 = 0x6fff_fff9;
    pub(super) const DEFINED_VERSIONS: u64 = 0x6fff_fffc;
    pub(super) const NEEDED_VERSIONS: u64 = 0x6fff_fffe;
}

/// Kinds of sections that have the same contents (`SHT_RELA` and others).
mod section {
    pub(super) const RELOCATIONS: u64 = 4;
    pub(super) const HASH: u64 = 5;
    pub(super) const SYMBOLS: u64 = 11;
    pub(super) const INITS: u64 = 14;
    pub(super) const FINIS: u64 = 15;
    pub(super) const GNU_HASH: u64 = 0x6fff_fff6;
    pub(super) const DEFINED_VERSIONS: u64 = 0x6fff_fffd;
    pub(super) const NEEDED_VERSIONS: u64 = 0x6fff_fffe;
    pub(super) const VERSIONS: u64 = 0x6fff_ffff;
}

/// The bytes of an entry of the dynamic section, and of a relocation.
const ENTRY: u64 = 16;
const RELOCATION: u64 = 24;
/// The bytes of an address, which are also the most that a relocation changes.
const ADDRESS: u64 = 8;

/// The relocations whose value is an address of the image: the address of data, or of a function
/// that selects a function (`R_X86_64_RELATIVE` and `R_X86_64_IRELATIVE`, and those of aarch64).
#[cfg(target_arch = "x86_64")]
const OWN: [u64; 2] = [8, 37];
#[cfg(target_arch = "aarch64")]
const OWN: [u64; 2] = [1027, 1032];

/// The tables of relocations, and of functions that the loader calls.
const RELOCATIONS: [(u64, u64); 2] =
    [(tag::RELOCATIONS, tag::RELOCATIONS_BYTES), (tag::CALLS, tag::CALLS_BYTES)];
const LISTS: [(u64, u64); 2] = [(tag::INITS, tag::INITS_BYTES), (tag::FINIS, tag::FINIS_BYTES)];

/// The dynamic section: if several entries have one tag, the loader takes the last.
struct Dynamic(BTreeMap<u64, u64>);

impl Dynamic {
    fn get(&self, tag: u64) -> Option<u64> {
        self.0.get(&tag).copied()
    }

    /// The table at an address, with its bytes; `None` if there is no such table.
    fn table(&self, address: u64, bytes: u64) -> Option<(u64, u64)> {
        let bytes = self.get(bytes).unwrap_or(0);
        self.get(address).filter(|_| bytes > 0).map(|address| (address, bytes))
    }
}

/// Checks the dynamic section and the tables that it names.
pub(super) fn check(
    bytes: Bytes<'_>,
    segments: &Segments,
    sections: &[Bytes<'_>],
) -> Result<(), Flaw> {
    let (dynamic, names) = read(bytes, segments)?;
    check_forms(&dynamic)?;
    check_sections(&dynamic, sections)?;
    let strings = dynamic.table(tag::STRINGS, tag::STRINGS_BYTES);
    let strings = strings.and_then(|(address, length)| segments.bytes(bytes, address, length));
    let strings = strings.ok_or("its names are outside of it")?;
    if strings.0.last() != Some(&0) || names.iter().any(|it| *it >= strings.0.len() as u64) {
        return Err("its names are outside of it".into());
    }
    let rest = |tag| dynamic.get(tag).and_then(|address| segments.rest(bytes, address));
    for tag in [tag::VERSIONS, tag::DEFINED_VERSIONS, tag::NEEDED_VERSIONS] {
        if dynamic.get(tag).is_some() && rest(tag).is_none() {
            return Err(format!("its table {tag:#x} is outside of it"));
        }
    }
    let symbols = Symbols {
        entries: rest(tag::SYMBOLS).ok_or("its symbols are outside of it")?,
        strings,
        versions: rest(tag::VERSIONS),
        segments,
    };
    symbols.check(rest(tag::GNU_HASH), rest(tag::HASH))?;
    check_functions(&dynamic, segments)?;
    check_packed(bytes, &dynamic, segments)?;
    for (address, length) in RELOCATIONS {
        let Some((address, length)) = dynamic.table(address, length) else { continue };
        let table =
            segments.bytes(bytes, address, length).ok_or("relocations are outside of it")?;
        for entry in table.0.chunks_exact(RELOCATION as usize).map(Bytes) {
            if is_possible(entry, &dynamic, segments, &symbols) != Some(true) {
                return Err("one of its relocations is impossible".into());
            }
        }
        // The loader takes the first `count` relocations for relative ones without looking at their
        // kinds.
        let is_first = dynamic.get(tag::RELOCATIONS) == Some(address);
        let count = dynamic.get(tag::OWN_COUNT).filter(|_| is_first);
        let first = table.0.chunks_exact(RELOCATION as usize).map(Bytes);
        let own = first.take_while(|it| it.long(8) == Some(OWN[0])).count() as u64;
        if count.is_some_and(|count| count > own) {
            return Err("its relocations are in disorder".into());
        }
    }
    Ok(())
}

/// Checks the packed relocations, whose value is always an address of the image. An even word is
/// the place of a relocation; an odd word has a bit for each of the 63 places that follow.
fn check_packed(bytes: Bytes<'_>, dynamic: &Dynamic, segments: &Segments) -> Result<(), Flaw> {
    let Some((address, length)) = dynamic.table(tag::PACKED, tag::PACKED_BYTES) else {
        return Ok(());
    };
    let table = segments.bytes(bytes, address, length).ok_or("relocations are outside of it")?;
    let mut next = 0_u64;
    let is_possible = |at: u64| segments.has(at, ADDRESS, WRITABLE);
    for word in table.0.chunks_exact(ADDRESS as usize).map(|word| Bytes(word).long(0)) {
        let word = word.unwrap_or_default();
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
fn read(bytes: Bytes<'_>, segments: &Segments) -> Result<(Dynamic, Vec<u64>), Flaw> {
    let all = segments.dynamic().and_then(|it| segments.bytes(bytes, it.address, it.in_file));
    let all = all.ok_or("its dynamic section is outside of it")?;
    let entries = all.0.chunks_exact(ENTRY as usize).map(Bytes);
    let entries = entries.filter_map(|it| Some((it.long(0)?, it.long(8)?)));
    let (mut dynamic, mut names) = (Dynamic(BTreeMap::new()), Vec::new());
    for (tag, value) in entries {
        if tag == tag::END {
            return Ok((dynamic, names));
        }
        if [tag::NEEDED, tag::NAME, tag::PATH, tag::RUN_PATH].contains(&tag) {
            names.push(value);
        }
        dynamic.0.insert(tag, value);
    }
    Err("its dynamic section has no end".into())
}

/// Checks that the dynamic section names the tables that the image has by its sections.
fn check_sections(dynamic: &Dynamic, sections: &[Bytes<'_>]) -> Result<(), Flaw> {
    for (kind, address, length) in sections.iter().filter_map(|it| sections::loaded(*it)) {
        let is_named = match kind {
            section::RELOCATIONS if length > 0 => RELOCATIONS.iter().any(|(start, bytes)| {
                dynamic.table(*start, *bytes).is_some_and(|(start, bytes)| {
                    start <= address
                        && address.saturating_add(length) <= start.saturating_add(bytes)
                })
            }),
            section::INITS => {
                dynamic.table(tag::INITS, tag::INITS_BYTES) == Some((address, length))
            }
            section::FINIS => {
                dynamic.table(tag::FINIS, tag::FINIS_BYTES) == Some((address, length))
            }
            section::SYMBOLS => dynamic.get(tag::SYMBOLS) == Some(address),
            section::GNU_HASH => dynamic.get(tag::GNU_HASH) == Some(address),
            section::HASH => dynamic.get(tag::HASH) == Some(address),
            section::VERSIONS => dynamic.get(tag::VERSIONS) == Some(address),
            section::DEFINED_VERSIONS => dynamic.get(tag::DEFINED_VERSIONS) == Some(address),
            section::NEEDED_VERSIONS => dynamic.get(tag::NEEDED_VERSIONS) == Some(address),
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
        (tag::SYMBOL_BYTES, SYMBOL),
        (tag::RELOCATION_BYTES, RELOCATION),
        (tag::CALLS_KIND, tag::RELOCATIONS),
    ];
    for (tag, value) in wanted {
        if dynamic.get(tag).is_some_and(|it| it != value) {
            return Err(format!("its tables have an unknown form ({tag:#x})"));
        }
    }
    // If the loader finds the first of a pair, it uses the second without a check.
    let pairs = [
        (tag::RELOCATIONS, tag::RELOCATIONS_BYTES),
        (tag::RELOCATIONS, tag::RELOCATION_BYTES),
        (tag::CALLS, tag::CALLS_BYTES),
        (tag::CALLS, tag::CALLS_KIND),
        (tag::STRINGS, tag::STRINGS_BYTES),
        (tag::SYMBOLS, tag::SYMBOL_BYTES),
        (tag::INITS, tag::INITS_BYTES),
        (tag::FINIS, tag::FINIS_BYTES),
        (tag::NEEDED_VERSIONS, tag::VERSIONS),
        (tag::DEFINED_VERSIONS, tag::VERSIONS),
    ];
    for (first, second) in pairs {
        if dynamic.get(first).is_some() && dynamic.get(second).is_none() {
            return Err(format!("its dynamic section lacks {second:#x}"));
        }
    }
    let whole = [tag::RELOCATIONS_BYTES, tag::CALLS_BYTES];
    let is_whole = |tag: &u64| dynamic.get(*tag).is_none_or(|it| it.is_multiple_of(RELOCATION));
    if !whole.iter().all(is_whole) {
        return Err("its relocations are cut off".into());
    }
    Ok(())
}

/// The functions that the loader calls, and the offsets that it writes to.
fn check_functions(dynamic: &Dynamic, segments: &Segments) -> Result<(), Flaw> {
    let is_code = |tag: u64| dynamic.get(tag).is_none_or(|it| segments.has(it, 1, EXECUTABLE));
    let is_table = |(address, length): (u64, u64)| {
        dynamic.table(address, length).is_none_or(|(address, length)| {
            length.is_multiple_of(ADDRESS) && segments.offset_of(address, length).is_some()
        })
    };
    let offsets = dynamic.get(tag::OFFSETS);
    let are_written = offsets.is_none_or(|it| segments.has(it, 3 * ADDRESS, WRITABLE));
    if ![tag::INIT, tag::FINI].into_iter().all(is_code)
        || !LISTS.into_iter().all(is_table)
        || !are_written
    {
        return Err("functions that the loader calls are outside of it".into());
    }
    Ok(())
}

/// Whether the loader can do a relocation.
fn is_possible(
    entry: Bytes<'_>,
    dynamic: &Dynamic,
    segments: &Segments,
    symbols: &Symbols<'_>,
) -> Option<bool> {
    let (at, what, value) = (entry.long(0)?, entry.long(8)?, entry.long(16)?);
    let (kind, symbol) = (what & 0xffff_ffff, what >> 32);
    if kind == 0 {
        return Some(true);
    }
    // An object may say that its relocations change code.
    let access = if dynamic.get(tag::CHANGES_CODE).is_some() { 0 } else { WRITABLE };
    let is_called = |list: (u64, u64)| {
        dynamic
            .table(list.0, list.1)
            .is_some_and(|(start, length)| (start..start.saturating_add(length)).contains(&at))
    };
    let is_function = kind == OWN[1] || (kind == OWN[0] && LISTS.into_iter().any(is_called));
    Some(
        segments.has(at, ADDRESS, access)
            && symbols.has(symbol)
            && (!is_function || segments.has(value, 1, EXECUTABLE)),
    )
}
