//! The function at an address: from the symbol table of the module's file, which has the static
//! functions that the dynamic loader does not know.
//!
//! The table is read for one line on stderr, so nothing is cached.

use core::ffi::c_void;
use core::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::os::loader::Object;

/// An address in the form of function, offset and module.
#[derive(Debug)]
pub(super) struct Symbol {
    /// The function, if it has a name.
    function: Option<String>,
    /// The offset in bytes from the beginning of the function, or of the module if the function is
    /// unknown.
    offset: u64,
    /// File name of the program or library.
    module: String,
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "{function}+{:#x} ({})", self.offset, self.module),
            None => write!(f, "{}+{:#x}", self.module, self.offset),
        }
    }
}

impl Symbol {
    /// The symbol at `address`; `None` if the address is in no module.
    pub(super) fn around(address: *const c_void) -> Option<Self> {
        // SAFETY: the code at the address has called the runtime, so its object stays loaded.
        let object = unsafe { Object::around(address) }?;
        let shown = object.name.to_string_lossy();
        let module = Path::new(&*shown)
            .file_name()
            .map_or_else(|| shown.to_string(), |name| name.to_string_lossy().into_owned());
        let path = object.path().to_string_lossy();
        let path = if path.is_empty() { "/proc/self/exe" } else { &path };
        let value = object.address_in_file(address);
        if let Some((function, offset)) = function_in_file(path, value) {
            return Some(Symbol { function: Some(function), offset, module });
        }
        let (function, from) = match object.symbol {
            Some((name, begin)) => (Some(name.to_string_lossy().into_owned()), begin),
            None => (None, object.base),
        };
        let offset = (address.addr() - from.addr()) as u64;
        Some(Symbol { function, offset, module })
    }
}

/// Name and offset of the function at `value`, by the symbol table of the file; `None` if the file
/// cannot be read, has no such table, or has another format than expected.
fn function_in_file(path: &str, value: u64) -> Option<(String, u64)> {
    let file = File::open(path).ok()?;
    let header = read::<64>(&file, 0)?;
    if header[..6] != *b"\x7fELF\x02\x01" {
        return None;
    }
    let (table_at, entry_bytes, count) =
        (u64_at(&header, 0x28), u16_at(&header, 0x3a), u16_at(&header, 0x3c));
    let section = |index: u32| {
        read::<64>(&file, table_at.checked_add(u64::from(index) * u64::from(entry_bytes))?)
    };
    let symbols = (0..u32::from(count))
        .find_map(|index| section(index).filter(|section| u32_at(section, 4) == SYMBOL_TABLE))?;
    let bytes = usize::try_from(u64_at(&symbols, 0x20)).ok()?;
    if bytes > LARGEST_TABLE {
        return None;
    }
    let mut table = vec![0; bytes];
    file.read_exact_at(&mut table, u64_at(&symbols, 0x18)).ok()?;
    let found = table.chunks_exact(SYMBOL_BYTES).find(|symbol| {
        let is_function = symbol[4] & 0xf == FUNCTION && u16_at(symbol, 6) != UNDEFINED;
        is_function && value.wrapping_sub(u64_at(symbol, 8)) < u64_at(symbol, 16)
    })?;
    let names = section(u32_at(&symbols, 0x28))?;
    let name_at = u64_at(&names, 0x18).checked_add(u64::from(u32_at(found, 0)))?;
    let mut name = [0; LONGEST_NAME];
    let read = file.read_at(&mut name, name_at).ok()?;
    let length = name[..read].iter().position(|byte| *byte == 0).unwrap_or(read);
    let name = String::from_utf8_lossy(&name[..length]).into_owned();
    Some((name, value - u64_at(found, 8)))
}

/// `SHT_SYMTAB`.
const SYMBOL_TABLE: u32 = 2;
/// Size of an `Elf64_Sym`.
const SYMBOL_BYTES: usize = 24;
/// `STT_FUNC`.
const FUNCTION: u8 = 2;
/// `SHN_UNDEF`.
const UNDEFINED: u16 = 0;
/// The length to which a name is truncated.
const LONGEST_NAME: usize = 256;
/// The largest table that is read for a message.
const LARGEST_TABLE: usize = 64 << 20;

fn read<const N: usize>(file: &File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    core::array::from_fn(|index| bytes[at + index])
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(field(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(field(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(field(bytes, at))
}

#[cfg(test)]
mod tests {
    use super::{Symbol, function_in_file};
    use core::ffi::c_void;
    use std::env;

    #[test]
    fn a_function_of_a_library_is_named() {
        let symbol = Symbol::around(libc::getpid as *const c_void).expect("libc is a module");
        let text = symbol.to_string();
        assert!(text.contains("getpid+0x0 (libc.so"), "{text}");
    }

    #[test]
    fn data_is_placed_in_its_module() {
        static DATA: u8 = 0;
        let symbol = Symbol::around((&raw const DATA).cast()).expect("the test is a module");
        assert!(symbol.function.is_none() && symbol.module.starts_with("oxomp_base-"));
    }

    #[test]
    fn files_that_are_no_modules_have_no_functions() {
        assert!(function_in_file("/dev/null", 0).is_none());
        assert!(function_in_file("/proc/self/maps", 0).is_none());
        let own = env::current_exe().expect("the test runs");
        assert!(function_in_file(&own.to_string_lossy(), 0).is_none());
    }
}
