//! The dynamic section of a shared object: names, versions, flags.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use object::elf::{
    DF_1_NODELETE, DT_FLAGS_1, DT_NEEDED, DT_SONAME, FileHeader64, SHN_ABS, STB_LOCAL, STB_WEAK,
    STT_OBJECT, VER_FLG_BASE,
};
use object::read::elf::{Dyn, ElfFile64, FileHeader, Sym};
use object::{Endianness, SymbolIndex};

/// A symbol of the dynamic table with the version it is bound to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    /// The name, without its version.
    pub name: String,
    /// The version node; `None` for a symbol at the base version.
    pub node: Option<String>,
    /// Whether the linker takes this one for a reference without version (`@@`).
    pub default: bool,
    /// Whether it is data; functions are everything else.
    pub data: bool,
    /// Whether the loader goes on without a definition, or prefers another one.
    pub weak: bool,
    /// Size in bytes.
    pub size: u64,
}

impl Symbol {
    /// `name@@NODE`, `name@NODE` or `name`, as `readelf` prints it.
    pub fn versioned_name(&self) -> String {
        match &self.node {
            Some(node) if self.default => format!("{}@@{node}", self.name),
            Some(node) => format!("{}@{node}", self.name),
            None => self.name.clone(),
        }
    }
}

/// The dynamic section of one shared object.
#[derive(Debug)]
pub struct SharedObject {
    /// The soname, which objects linked with it record.
    pub soname: Option<String>,
    /// Sonames of the objects it needs.
    pub needed: Vec<String>,
    /// Whether `dlclose` leaves it in place.
    pub nodelete: bool,
    /// The version nodes it defines, the base version left out.
    pub nodes: BTreeSet<String>,
    /// Everything it exports, version nodes themselves left out.
    pub exports: BTreeSet<Symbol>,
    /// The undefined symbols, which other objects must define.
    pub imports: BTreeSet<Symbol>,
}

impl SharedObject {
    /// Reads a 64-bit ELF file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        parse(&bytes).with_context(|| format!("{} is not a usable shared object", path.display()))
    }

    /// Whether `name` is exported at `node` (any kind of version: default or older).
    pub fn exports(&self, name: &str, node: &str) -> bool {
        self.exports
            .iter()
            .any(|symbol| symbol.name == name && symbol.node.as_deref() == Some(node))
    }
}

fn parse(bytes: &[u8]) -> Result<SharedObject> {
    let file = ElfFile64::<Endianness>::parse(bytes)?;
    let endian = file.endian();
    let mut object = SharedObject {
        soname: None,
        needed: Vec::new(),
        nodelete: false,
        nodes: BTreeSet::new(),
        exports: BTreeSet::new(),
        imports: BTreeSet::new(),
    };
    read_dynamic(&file, &mut object)?;
    read_symbols(&file, endian, &mut object)?;
    Ok(object)
}

fn read_dynamic(file: &ElfFile64<'_, Endianness>, object: &mut SharedObject) -> Result<()> {
    let endian = file.endian();
    let sections = file.elf_section_table();
    let Some((entries, strings)) = sections.dynamic(endian, file.data())? else { return Ok(()) };
    let strings = sections.strings(endian, file.data(), strings)?;
    for entry in entries {
        let value = entry.d_val(endian);
        let string = || -> Result<String> {
            let bytes =
                strings.get(value as u32).ok().context("a bad name in the dynamic section")?;
            Ok(String::from_utf8_lossy(bytes).into_owned())
        };
        match entry.tag(endian) {
            DT_SONAME => object.soname = Some(string()?),
            DT_NEEDED => object.needed.push(string()?),
            DT_FLAGS_1 => object.nodelete = value & DF_1_NODELETE.0 != 0,
            _ => {}
        }
    }
    Ok(())
}

fn read_symbols(
    file: &ElfFile64<'_, Endianness>,
    endian: Endianness,
    object: &mut SharedObject,
) -> Result<()> {
    let sections = file.elf_section_table();
    let versions = sections.versions(endian, file.data())?;
    let table = file.elf_dynamic_symbol_table();
    for (index, symbol) in table.iter().enumerate().skip(1) {
        if symbol.st_bind() == STB_LOCAL {
            continue;
        }
        let name = String::from_utf8_lossy(table.symbol_name(endian, symbol)?).into_owned();
        let mut node = None;
        let mut default = false;
        if let Some(versions) = &versions {
            let version = versions.version_index(endian, SymbolIndex(index));
            if let Some(version_of) = versions.version(version.into())? {
                node = Some(String::from_utf8_lossy(version_of.name()).into_owned());
                default = !version.is_hidden();
            }
        }
        if symbol.st_shndx(endian) == SHN_ABS && node.as_deref() == Some(name.as_str()) {
            object.nodes.insert(name);
            continue;
        }
        let defined = !symbol.is_undefined(endian);
        if defined && let Some(node) = &node {
            object.nodes.insert(node.clone());
        }
        let entry = Symbol {
            name,
            node,
            default,
            data: symbol.st_type() == STT_OBJECT,
            weak: symbol.st_bind() == STB_WEAK,
            size: symbol.st_size(endian),
        };
        if defined { &mut object.exports } else { &mut object.imports }.insert(entry);
    }
    read_definitions(file, endian, object)
}

/// Nodes without a symbol of their own stand only in the version definitions.
fn read_definitions(
    file: &ElfFile64<'_, Endianness>,
    endian: Endianness,
    object: &mut SharedObject,
) -> Result<()> {
    let sections = file.elf_section_table();
    let Some((mut definitions, strings)) = sections.gnu_verdef(endian, file.data())? else {
        return Ok(());
    };
    let strings = sections.strings(endian, file.data(), strings)?;
    while let Some((definition, mut names)) = definitions.next()? {
        if definition.vd_flags.get(endian).contains(VER_FLG_BASE) {
            continue;
        }
        if let Some(name) = names.next()? {
            let name = name.name(endian, strings)?;
            object.nodes.insert(String::from_utf8_lossy(name).into_owned());
        }
    }
    Ok(())
}

/// The undefined names of a relocatable object file: the functions that its compiler calls.
pub fn undefined_names(path: &Path) -> Result<BTreeSet<String>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let header = FileHeader64::<Endianness>::parse(bytes.as_slice())?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes.as_slice())?;
    let table = sections.symbols(endian, bytes.as_slice(), object::elf::SHT_SYMTAB)?;
    let mut names = BTreeSet::new();
    for symbol in table.iter().skip(1).filter(|symbol| symbol.is_undefined(endian)) {
        names.insert(String::from_utf8_lossy(table.symbol_name(endian, symbol)?).into_owned());
    }
    Ok(names)
}
