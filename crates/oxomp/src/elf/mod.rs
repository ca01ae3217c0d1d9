//! The facts in the headers of an ELF program, read before it runs.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{FileKind, Object, ObjectSymbol, ReadCache, ReadRef, elf};
use oxomp_arch::read::Machine;

use crate::messages::reason;

mod linked;

pub(crate) use linked::{LoaderSays, ask_loader};

/// Functions that only a runtime defines; a program that does has one linked in.
const RUNTIME_FUNCTIONS: [&str; 2] = ["GOMP_parallel", "__kmpc_fork_call"];

/// The kind of the file that the kernel writes of a process that crashes.
pub(crate) const CORE: &str = "a core dump";

/// An ELF file that the kernel would start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ElfProgram {
    /// The dynamic loader it asks for; `None` for static programs, and for libraries that can be
    /// called by name.
    pub(crate) interpreter: Option<PathBuf>,
    /// True if no loader takes part.
    pub(crate) is_static: bool,
    /// Whether our shared objects fit its machine and word size.
    pub(crate) is_native: bool,
    /// `DT_NEEDED` of the program itself.
    pub(crate) needed: Vec<String>,
    /// The library whose definitions the loader takes for those of this one (`DT_FILTER`).
    pub(crate) stands_for: Option<String>,
    /// Names of symbols that it defines for others, with those that `strip` removes if they are
    /// there.
    pub(crate) defined: DefinedSymbols,
    /// Whether an OpenMP runtime was linked into it statically, as far as its symbols are there.
    pub(crate) contains_runtime: bool,
}

/// The symbols of a file in so far as they tell something about OpenMP's tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DefinedSymbols {
    /// `ompt_start_tool` is there for the dynamic linker: the file is a tool, or a runtime.
    pub(crate) ompt_start_tool: bool,
    /// `ompt_tool` is: it is a tool of the 2015 report, or a runtime that has its interface.
    pub(crate) ompt_tool: bool,
    /// `ompd_dll_locations` is there for the dynamic linker, or for debuggers.
    pub(crate) ompd_dll_locations: bool,
    /// There are symbols for debuggers besides.
    pub(crate) has_symbol_table: bool,
    /// The newest version of the interface of gcc's code, such as `GOMP_5.0.1`.
    pub(crate) newest_gomp: Option<String>,
}

/// Why a file is not a program for this machine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotAProgram {
    /// Not an ELF file.
    NotElf,
    /// An ELF file of another kind, in words.
    OtherKind(&'static str),
    /// For another processor; its name.
    OtherMachine(String),
    /// A damaged file, and the defect.
    Damaged(String),
}

/// Reads the headers of the file at `path`.
pub(crate) fn read(path: &Path) -> Result<ElfProgram, NotAProgram> {
    let damaged = |error: io::Error| NotAProgram::Damaged(reason(&error));
    // Opening a named pipe would wait for its other end.
    if !path.metadata().map_err(damaged)?.is_file() {
        return Err(NotAProgram::OtherKind("no regular file"));
    }
    let file = File::open(path).map_err(damaged)?;
    let cache = ReadCache::new(file);
    match FileKind::parse(&cache) {
        Ok(FileKind::Elf64) => read_class::<elf::FileHeader64<object::Endianness>>(
            &cache,
            cfg!(target_pointer_width = "64"),
        ),
        Ok(FileKind::Elf32) => read_class::<elf::FileHeader32<object::Endianness>>(
            &cache,
            cfg!(target_pointer_width = "32"),
        ),
        _ => Err(NotAProgram::NotElf),
    }
}

fn read_class<Elf: FileHeader>(
    data: &ReadCache<File>,
    same_width: bool,
) -> Result<ElfProgram, NotAProgram> {
    let damaged = |error: object::Error| NotAProgram::Damaged(error.to_string());
    // The kind of a file stands in its first bytes: a core file whose end is missing is one.
    let header = Elf::parse(data).map_err(damaged)?;
    let endian = header.endian().map_err(damaged)?;
    match header.e_type(endian) {
        elf::ET_EXEC | elf::ET_DYN => {}
        elf::ET_REL => return Err(NotAProgram::OtherKind("an object file, not yet linked")),
        elf::ET_CORE => return Err(NotAProgram::OtherKind(CORE)),
        _ => return Err(NotAProgram::OtherKind("an ELF file, but no program")),
    }
    let file = ElfFile::<Elf, _>::parse(data).map_err(damaged)?;
    // The kernel runs programs of this machine, those of 32 bits included.
    if !Machine::OWN.runs(header.e_machine(endian).0) {
        return Err(NotAProgram::OtherMachine(format!("{:?}", file.architecture())));
    }

    let mut interpreter = None;
    let mut has_dynamic_segment = false;
    for segment in file.elf_program_headers() {
        if let Some(path) = segment.interpreter(endian, data).map_err(damaged)? {
            interpreter = Some(PathBuf::from(String::from_utf8_lossy(path).into_owned()));
        }
        has_dynamic_segment |= segment.p_type(endian) == elf::PT_DYNAMIC;
    }
    let dynamic = dynamic_entries(&file).map_err(damaged)?;
    let is_static =
        interpreter.is_none() && (!has_dynamic_segment || dynamic.flags_1 & elf::DF_1_PIE.0 != 0);
    Ok(ElfProgram {
        interpreter,
        is_static,
        is_native: same_width,
        needed: dynamic.needed,
        stands_for: dynamic.filter,
        defined: defined_symbols(&file, data),
        contains_runtime: defines_runtime(&file),
    })
}

/// The entries of the dynamic section that are used.
#[derive(Default)]
struct DynamicEntries {
    needed: Vec<String>,
    filter: Option<String>,
    flags_1: u64,
}

fn dynamic_entries<'data, Elf: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, Elf, R>,
) -> object::Result<DynamicEntries> {
    let mut entries = DynamicEntries::default();
    let table = file.elf_dynamic_table()?;
    for entry in &table {
        match entry.tag {
            elf::DT_NEEDED => {
                let name = String::from_utf8_lossy(table.string(entry)?).into_owned();
                entries.needed.push(name);
            }
            elf::DT_FILTER => {
                entries.filter = Some(String::from_utf8_lossy(table.string(entry)?).into_owned());
            }
            elf::DT_FLAGS_1 => entries.flags_1 = entry.val,
            _ => {}
        }
    }
    Ok(entries)
}

fn exports<'data, Elf: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, Elf, R>,
    name: &str,
) -> bool {
    let is_it = |symbol: &str| symbol == name;
    file.dynamic_symbols().any(|symbol| symbol.is_definition() && symbol.name().is_ok_and(is_it))
}

fn defined_symbols<'data, Elf: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, Elf, R>,
    data: R,
) -> DefinedSymbols {
    let defines = |wanted: &str| exports(file, wanted);
    let has_symbol_table = file.symbols().next().is_some();
    let for_debuggers = file
        .symbols()
        .any(|symbol| symbol.is_definition() && symbol.name() == Ok("ompd_dll_locations"));
    DefinedSymbols {
        ompt_start_tool: defines("ompt_start_tool"),
        ompt_tool: defines("ompt_tool"),
        ompd_dll_locations: defines("ompd_dll_locations") || for_debuggers,
        has_symbol_table,
        newest_gomp: newest_gomp(file, data).ok().flatten(),
    }
}

/// The last version of the interface of gcc's code that the file defines.
fn newest_gomp<'data, Elf: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, Elf, R>,
    data: R,
) -> object::Result<Option<String>> {
    let endian = file.endian();
    let table = file.elf_section_table();
    let mut newest = None;
    let Some((mut definitions, strings)) = table.gnu_verdef(endian, data)? else {
        return Ok(None);
    };
    let strings = table.strings(endian, data, strings)?;
    while let Some((_, mut names)) = definitions.next()? {
        if let Some(name) = names.next()? {
            let name = String::from_utf8_lossy(name.name(endian, strings)?).into_owned();
            if name.starts_with("GOMP_") && !name.starts_with("GOMP_PLUGIN") {
                newest = newest.max(Some(name));
            }
        }
    }
    Ok(newest)
}

fn defines_runtime<'data, Elf: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, Elf, R>,
) -> bool {
    file.symbols().chain(file.dynamic_symbols()).any(|symbol| {
        symbol.is_definition() && symbol.name().is_ok_and(|name| RUNTIME_FUNCTIONS.contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{NotAProgram, read};

    /// The header of a 32-bit program for x86 and one segment: its loader's name.
    fn program_of_32_bits() -> Vec<u8> {
        const LOADER: &[u8] = b"/lib/ld-linux.so.2\0";
        let mut bytes = b"\x7fELF\x01\x01\x01".to_vec();
        bytes.resize(16, 0);
        for half in [2u16, 3] {
            bytes.extend(half.to_le_bytes()); // e_type, e_machine
        }
        for word in [1u32, 0x1000, 52, 0, 0] {
            bytes.extend(word.to_le_bytes()); // e_version, e_entry, e_phoff, e_shoff, e_flags
        }
        for half in [52u16, 32, 1, 40, 0, 0] {
            bytes.extend(half.to_le_bytes()); // sizes and numbers of headers
        }
        let size = LOADER.len() as u32;
        for word in [3u32, 84, 0, 0, size, size, 4, 1] {
            bytes.extend(word.to_le_bytes()); // PT_INTERP
        }
        bytes.extend(LOADER);
        bytes
    }

    #[test]
    fn a_program_of_another_word_size_is_not_native() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app");
        fs::write(&path, program_of_32_bits()).unwrap();
        let program = read(&path).unwrap();
        assert_eq!(program.interpreter, Some(PathBuf::from("/lib/ld-linux.so.2")));
        assert!(!program.is_native && !program.is_static, "{program:?}");
    }

    #[test]
    fn this_test_itself_is_a_native_dynamic_program() {
        let program = read(&std::env::current_exe().unwrap()).unwrap();
        assert!(program.is_native && !program.is_static, "{program:?}");
        assert!(program.interpreter.is_some_and(|interpreter| interpreter.exists()));
        assert!(program.needed.iter().any(|name| name.starts_with("libc.so")));
        assert!(!program.contains_runtime);
    }

    #[test]
    fn text_is_no_elf_file() {
        assert_eq!(
            read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))),
            Err(NotAProgram::NotElf)
        );
    }
}
