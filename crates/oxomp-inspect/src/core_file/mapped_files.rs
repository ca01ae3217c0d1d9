//! The files that a process had mapped, as they lie on this machine now.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::{Object, ReadCache};

use super::notes::{MappedFile, Notes};
use crate::binary::Elf;
use crate::memory::{ProcessMemory, Region};

/// The mapped files that can be read in place of memory that the core leaves out.
#[derive(Debug)]
pub(super) struct Files<'a> {
    mapped: &'a [MappedFile],
    /// By the path that the process knew: the path now, and the opened file.
    found: BTreeMap<&'a str, (PathBuf, Arc<File>)>,
}

impl<'a> Files<'a> {
    /// Looks for the files, and says in `warnings` which are missing or others than they were.
    pub(super) fn find(
        notes: &'a Notes,
        core: &ProcessMemory,
        executable: Option<&Path>,
        about_core: &Metadata,
        warnings: &mut Vec<String>,
    ) -> Self {
        let program = notes
            .entry
            .and_then(|entry| notes.files.iter().find(|mapped| mapped.range.contains(&entry)));
        let program = program.map(|mapped| mapped.path.as_str());
        let mut found = BTreeMap::new();
        // Only the beginning of a binary is looked at: other files are data.
        for mapped in notes.files.iter().filter(|mapped| mapped.offset == 0) {
            let path = mapped.path.as_str();
            if found.contains_key(path) {
                continue;
            }
            let own = executable.filter(|_| program == Some(path));
            let now = own.unwrap_or(Path::new(path));
            let expected = Elf::read(core, mapped.range.start).map(|elf| elf.build_id);
            match opened(now, expected.as_deref(), about_core) {
                Ok((file, doubt)) => {
                    warnings.extend(doubt);
                    found.insert(path, (now.to_owned(), Arc::new(file)));
                }
                // A device, or shared memory, is nothing to warn of.
                Err(reason) if expected.is_some() || program == Some(path) => {
                    warnings.push(format!("{}: {reason}", now.display()));
                }
                Err(_) => {}
            }
        }
        Self { mapped: &notes.files, found }
    }

    /// Where the file lies now that the process knew by `path`.
    pub(super) fn path_of(&self, path: &str) -> Option<PathBuf> {
        self.found.get(path).map(|(path, _)| path.clone())
    }

    /// What the files can say of the memory.
    pub(super) fn regions(&self) -> Vec<Region> {
        self.mapped
            .iter()
            .filter_map(|mapped| {
                let (_, file) = self.found.get(mapped.path.as_str())?;
                Some(Region {
                    range: mapped.range.clone(),
                    file: Arc::clone(file),
                    offset: mapped.offset,
                })
            })
            .collect()
    }
}

/// Opens a file if it is the one that was mapped, as far as that can be told; with the doubt that
/// remains. `expected` is the build id in the core, `None` if the core does not have that page.
fn opened(
    path: &Path,
    expected: Option<&[u8]>,
    about_core: &Metadata,
) -> Result<(File, Option<String>), String> {
    let missing = "it was mapped, and cannot be read now";
    let about = path.metadata().map_err(|error| format!("{missing}: {error}"))?;
    if !about.is_file() {
        return Err(format!("{missing}: no regular file"));
    }
    let file = File::open(path).map_err(|error| format!("{missing}: {error}"))?;
    let found = build_id(&file);
    match (expected, found) {
        (Some(expected), Some(found)) if expected != found => {
            Err("it is another build than the one that ran: it is not used".to_owned())
        }
        (Some(expected), Some(_)) if !expected.is_empty() => Ok((file, None)),
        // Data may have been written since without any harm.
        (_, None) => Ok((file, None)),
        _ => {
            let newer = about.modified().ok() > about_core.modified().ok();
            let doubt = newer.then(|| {
                format!(
                    "{}: it is newer than the core file, which does not tell its build: names and \
                     lines may be wrong",
                    path.display()
                )
            });
            Ok((file, doubt))
        }
    }
}

/// The build id of a binary, empty if the binary has none; `None` if the file is not a binary.
fn build_id(file: &File) -> Option<Vec<u8>> {
    let cache = ReadCache::new(file);
    let object = object::File::parse(&cache).ok()?;
    Some(object.build_id().ok().flatten().unwrap_or_default().to_vec())
}
