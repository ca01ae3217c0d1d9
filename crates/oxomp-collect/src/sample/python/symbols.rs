//! The symbols in the file of the program itself. A program that was linked with the interpreter's
//! archive exports them only if it was linked to (`-rdynamic`); the full table has them, too,
//! unless it was stripped, and says which code is the interpreter's.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exports::Symbol;
use crate::loader::Loaded;

/// The most bytes of a table, and of its names.
const MOST_BYTES: u64 = 32 << 20;

/// Whether the program's table was looked at: it does not change.
static LOOKED: AtomicBool = AtomicBool::new(false);

/// The table of a file.
#[derive(Debug)]
pub(super) struct Table {
    bias: u64,
    symbols: Vec<u8>,
    names: Vec<u8>,
}

/// The table of the program, if `module` is it, and if the table has `name`. Only the first call
/// reads it.
pub(super) fn of_program(module: &Loaded, name: &str) -> Option<Table> {
    if !module.name.is_empty() || LOOKED.swap(true, Ordering::Relaxed) {
        return None;
    }
    let file = File::open("/proc/self/exe").ok()?;
    Table::read(&file, module.bias, name)
}

impl Table {
    /// The table of `file`, which is loaded at `bias`, if it has `name`.
    fn read(file: &File, bias: u64, name: &str) -> Option<Self> {
        const TABLE: u32 = 2;
        const SECTION: usize = 64;
        let head = bytes(file, 0, 64)?;
        let (sections, size) = (word(&head, 40)?, short(&head, 58)?);
        if head[..5] != *b"\x7fELF\x02" || usize::from(size) != SECTION {
            return None;
        }
        let sections = bytes(file, sections, u64::from(short(&head, 60)?) * SECTION as u64)?;
        let mut sections = sections.chunks_exact(SECTION);
        let content = |section: &[u8]| bytes(file, word(section, 24)?, word(section, 32)?);
        let table = sections.clone().find(|section| half(section, 4) == Some(TABLE))?;
        let names = content(sections.nth(half(table, 40)? as usize)?)?;
        // Few programs have an interpreter.
        let is_there = names.split(|&byte| byte == 0).any(|one| one == name.as_bytes());
        is_there.then_some(())?;
        Some(Self { bias, symbols: content(table)?, names })
    }

    /// The symbol of that name.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let is_it = |one: &Entry<'_>| {
            let rest = one.name.strip_prefix(name.as_bytes());
            rest.is_some_and(|rest| rest.first() == Some(&0))
        };
        self.entries().find(is_it).map(|one| one.symbol)
    }

    /// The code of the interpreter, in order: the linker puts the functions of an archive side by
    /// side, so that those without a name of the interpreter's are between others of it. Functions
    /// that the program alone knows say nothing of themselves.
    pub(super) fn interpreters_code(&self) -> Vec<(u64, u64)> {
        let functions = self.entries().filter(|one| one.is_function && one.symbol.size != 0);
        let mut known: Vec<(u64, u64, bool)> = functions
            .filter_map(|one| {
                let Symbol { address, size } = one.symbol;
                let is_interpreters = is_interpreters(one.name);
                let says = is_interpreters || !one.is_local;
                says.then_some((address, address.wrapping_add(size), is_interpreters))
            })
            .collect();
        known.sort_unstable();
        let parts = known.chunk_by(|one, next| one.2 == next.2);
        let parts = parts.filter_map(|part| match (part.first(), part.last()) {
            (Some(&(begin, _, true)), Some(&(_, end, _))) => Some((begin, end)),
            _ => None,
        });
        parts.collect()
    }

    fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        const ENTRY: usize = 24;
        const LOCAL: u8 = 0;
        const FUNCTION: u8 = 2;
        let entries = self.symbols.chunks_exact(ENTRY);
        entries.filter(|entry| short(entry, 6) != Some(0)).filter_map(|entry| {
            let address = self.bias.wrapping_add(word(entry, 8)?);
            Some(Entry {
                name: self.names.get(half(entry, 0)? as usize..)?,
                symbol: Symbol { address, size: word(entry, 16)? },
                is_function: entry[4] & 15 == FUNCTION,
                is_local: entry[4] >> 4 == LOCAL,
            })
        })
    }
}

/// A symbol of a table that the file defines.
struct Entry<'a> {
    /// Its name, with a zero behind it, and others.
    name: &'a [u8],
    symbol: Symbol,
    is_function: bool,
    is_local: bool,
}

/// Whether a function of this name is the interpreter's. Modules of the program's own begin with a
/// function of the interpreter's kind.
fn is_interpreters(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"_").unwrap_or(name);
    let rest = name.strip_prefix(b"Py").filter(|rest| !rest.starts_with(b"Init_"));
    rest.is_some_and(|rest| matches!(rest.first(), Some(b'A'..=b'Z' | b'_')))
}

/// So many bytes of the file, if they are not too many.
fn bytes(file: &File, at: u64, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|_| length <= MOST_BYTES)?];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::Table;

    /// A variable that nothing exports.
    #[unsafe(no_mangle)]
    static OXOMP_COLLECT_TEST_VARIABLE: u64 = 7;

    #[test]
    fn code_between_functions_of_the_interpreter_is_the_interpreters() {
        let mut table = Table { bias: 0x1000, symbols: Vec::new(), names: Vec::new() };
        let mut add = |name: &str, address: u64, is_local: bool| {
            let mut entry = [0; 24];
            entry[..4].copy_from_slice(&(table.names.len() as u32).to_ne_bytes());
            entry[4] = if is_local { 2 } else { 18 };
            entry[6] = 1;
            entry[8..16].copy_from_slice(&address.to_ne_bytes());
            entry[16..].copy_from_slice(&8_u64.to_ne_bytes());
            table.symbols.extend(entry);
            table.names.extend(name.as_bytes().iter().chain(&[0]));
        };
        add("PyLong_Add", 0x30, false);
        add("main", 0, false);
        add("own", 0x10, true);
        add("Pyramid", 0x18, false);
        add("_PyLong_Begin.cold", 0x20, true);
        add("x_add", 0x28, true);
        add("other", 0x38, true);
        add("PyInit_own", 0x40, false);
        add("own", 0x50, true);
        add("Py_Main", 0x60, false);
        assert_eq!(table.interpreters_code(), [(0x1020, 0x1038), (0x1060, 0x1068)]);
        let address = |name: &str| table.find(name).map(|found| found.address);
        assert_eq!([address("x_add"), address("add")], [Some(0x1028), None]);
    }

    #[test]
    fn the_table_of_this_program_has_what_is_not_exported() {
        const NAME: &str = "OXOMP_COLLECT_TEST_VARIABLE";
        let file = File::open("/proc/self/exe").unwrap();
        let table = Table::read(&file, 0x1000, NAME).unwrap();
        let [found, other] = [NAME, "main"].map(|name| table.find(name).unwrap());
        assert_eq!(found.size, size_of_val(&OXOMP_COLLECT_TEST_VARIABLE) as u64);
        let here = (&raw const OXOMP_COLLECT_TEST_VARIABLE).addr() as u64;
        assert_eq!((found.address ^ here) & 0xfff, 0, "{:#x} and {here:#x}", found.address);
        assert_ne!(found.address, other.address);
        assert!(table.find("OXOMP_COLLECT_TEST").is_none(), "a part of a name");
        assert!(Table::read(&file, 0, "OXOMP_COLLECT_NOT_THERE_AT_ALL").is_none());
    }
}
