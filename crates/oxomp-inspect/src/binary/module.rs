//! The binaries that a process has loaded.

use std::ops::Range;
use std::path::PathBuf;

use super::elf::Elf;
use crate::maps::Mapping;
use crate::memory::ProcessMemory;

/// A program, a shared library or the vdso in a process's memory.
#[derive(Debug, Clone)]
pub struct Module {
    /// The path by which the process mapped it, or `[vdso]`.
    pub path: String,
    /// The path by which this process can open the same file; `None` if no path leads to it.
    pub file: Option<PathBuf>,
    /// Whether the file was unlinked after it was mapped.
    pub deleted: bool,
    /// GNU build id; empty if it has none.
    pub build_id: Vec<u8>,
    pub(crate) elf: Elf,
}

impl Module {
    /// Address in the process minus address in the terms of the file's symbol table.
    #[must_use]
    pub fn bias(&self) -> u64 {
        self.elf.bias
    }

    /// The addresses of its segments.
    #[must_use]
    pub fn segments(&self) -> &[Range<u64>] {
        &self.elf.segments
    }

    /// Whether one of its segments holds `address`.
    #[must_use]
    pub fn holds(&self, address: u64) -> bool {
        self.elf.holds(address)
    }

    /// The file's name without folders.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// The modules among `mappings`. `open_path` tells where a mapping's file can be opened.
pub(crate) fn modules(
    memory: &ProcessMemory,
    mappings: &[Mapping],
    open_path: impl Fn(&Mapping) -> Option<PathBuf>,
) -> Vec<Module> {
    mappings
        .iter()
        .filter(|mapping| mapping.offset == 0 && mapping.readable && !mapping.path.is_empty())
        .filter_map(|mapping| {
            let elf = Elf::read(memory, mapping.range.start)?;
            let code = |segment: &Range<u64>| {
                mappings.iter().any(|other| {
                    other.executable
                        && other.range.start < segment.end
                        && segment.start < other.range.end
                        && other.path == mapping.path
                })
            };
            // A file without a segment of code was only mapped to be read.
            if !elf.segments.iter().any(code) {
                return None;
            }
            Some(Module {
                path: mapping.path.clone(),
                file: mapping.file.as_ref().and_then(|_| open_path(mapping)),
                deleted: mapping.deleted,
                build_id: elf.build_id.clone(),
                elf,
            })
        })
        .collect()
}
