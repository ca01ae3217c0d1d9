//! The modules that the loader never closes: it has loaded them with the program, which needs them,
//! directly or through others.

use std::collections::HashSet;

use super::memory;
use crate::loader::Loaded;

/// The most bytes of a dynamic section, and of a table of names that are read.
const MOST_BYTES: usize = 1 << 20;

/// What a module calls itself and what it needs.
#[derive(Debug, Default)]
struct Names {
    own: Vec<u8>,
    needed: Vec<Vec<u8>>,
}

/// For each of `modules`, the program first, whether it stays as long as the process.
pub(super) fn are_lasting(modules: &[Loaded]) -> Vec<bool> {
    let names: Vec<Names> = modules.iter().map(|one| names(one).unwrap_or_default()).collect();
    let mut lasting: Vec<bool> = modules.iter().map(is_here).collect();
    let mut seen = HashSet::new();
    let mut next: Vec<&[u8]> = needed_by(names.first());
    while let Some(name) = next.pop() {
        if !seen.insert(name) {
            continue;
        }
        // If two modules have one name, the loader took the first for the one that the program
        // needs: it was there at the start. The program may need a module by a file name other than
        // the module's own name.
        let answers =
            |(module, names): (&Loaded, &Names)| names.own == name || is_file(&module.name, name);
        if let Some(found) = modules.iter().zip(&names).skip(1).position(answers) {
            lasting[found + 1] = true;
            next.extend(needed_by(names.get(found + 1)));
        }
    }
    if let Some(program) = lasting.first_mut() {
        *program = true;
    }
    lasting
}

fn needed_by(names: Option<&Names>) -> Vec<&[u8]> {
    names.map_or_else(Vec::new, |names| names.needed.iter().map(Vec::as_slice).collect())
}

/// Whether the module is the collector itself, whose handler reads the tables.
fn is_here(module: &Loaded) -> bool {
    let here = (are_lasting as *const ()).addr() as u64;
    let (begin, end) = module.range();
    (begin..end).contains(&here.wrapping_sub(module.bias))
}

/// Whether a file at `path` answers to `name`, which is a path or the last part of one.
fn is_file(path: &[u8], name: &[u8]) -> bool {
    path == name || path.strip_suffix(name).is_some_and(|folder| folder.ends_with(b"/"))
}

/// The names in the module's dynamic section.
fn names(module: &Loaded) -> Option<Names> {
    const TABLE: u64 = 5;
    const TABLE_SIZE: u64 = 10;
    const NEEDED: u64 = 1;
    const OWN: u64 = 14;
    let header = module.header(libc::PT_DYNAMIC)?;
    let length = MOST_BYTES.min(header.p_memsz as usize);
    let section = memory::read(module.bias.wrapping_add(header.p_vaddr), length)?;
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_ne_bytes);
    let entries = || {
        let entries = section.chunks_exact(16).map(|entry| (word(&entry[..8]), word(&entry[8..])));
        entries.take_while(|&(tag, _)| tag != 0)
    };
    let value = |wanted| entries().find(|&(tag, _)| tag == wanted).map(|(_, value)| value);
    let (table, size) = (value(TABLE)?, value(TABLE_SIZE)? as usize);
    // Some loaders add the bias in the section itself.
    let (begin, end) = module.range();
    let is_relative = (begin..end).contains(&table) && module.bias != 0;
    let table = if is_relative { module.bias.wrapping_add(table) } else { table };
    let texts = memory::read(table, MOST_BYTES.min(size))?;
    let text = |at: u64| {
        let bytes = texts.get(at as usize..)?;
        Some(bytes.split(|&byte| byte == 0).next()?.to_vec())
    };
    let needed = entries().filter(|&(tag, _)| tag == NEEDED);
    Some(Names {
        own: value(OWN).and_then(text).unwrap_or_default(),
        needed: needed.filter_map(|(_, at)| text(at)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::{CStr, c_char};

    use super::are_lasting;
    use crate::loader;

    /// The end of a module's path, and whether it is taken to stay.
    fn lasting() -> Vec<(String, bool)> {
        let modules = loader::modules(&mut (0, 0)).unwrap();
        let lasting = are_lasting(&modules);
        let name =
            |path: &[u8]| String::from_utf8_lossy(path).rsplit('/').next().unwrap().to_owned();
        modules.iter().map(|one| name(&one.name)).zip(lasting).collect()
    }

    fn is_lasting(modules: &[(String, bool)], begin: &str) -> Option<bool> {
        modules.iter().find(|(name, _)| name.starts_with(begin)).map(|&(_, lasting)| lasting)
    }

    #[test]
    fn what_the_program_needs_stays_and_what_it_opens_may_go() {
        let before = lasting();
        assert_eq!(before[0], (String::new(), true), "the program itself");
        assert_eq!(is_lasting(&before, "libc.so"), Some(true));
        assert_eq!(is_lasting(&before, "ld-linux"), Some(true));
        const OPENED: &CStr = c"libresolv.so.2";
        let open = |flags| {
            let name: *const c_char = OPENED.as_ptr();
            // SAFETY: a string; the library's initializers may run anywhere.
            unsafe { libc::dlopen(name, flags) }
        };
        assert!(open(libc::RTLD_NOW | libc::RTLD_NOLOAD).is_null(), "the test needs another");
        let handle = open(libc::RTLD_NOW);
        assert!(!handle.is_null());
        assert_eq!(is_lasting(&lasting(), "libresolv"), Some(false));
        // SAFETY: a handle that nothing else uses.
        unsafe { libc::dlclose(handle) };
        assert_eq!(is_lasting(&lasting(), "libresolv"), None);
    }
}
