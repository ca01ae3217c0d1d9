//! A core file: the memory and registers of a process that has ended.
//!
//! The file is never read whole: it may be larger than this machine's memory, with holes. What a
//! core leaves out, such as the code of libraries, is read from the files that were mapped.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::binary::modules;
use crate::error::{Error, Result};
use crate::image::{Image, Mapped, Parts};
use crate::maps::Mapping;
use crate::memory::{CoreMemory, ProcessMemory};

mod header;
mod mapped_files;
mod notes;
mod part;

use header::{Headers, Segment};
use mapped_files::Files;
use notes::Notes;

impl Image {
    /// Opens the core file at `path`. `executable` is the program's path now, if it has moved since
    /// it ran.
    ///
    /// # Errors
    ///
    /// [`Error::Core`] if the file is not a core file that can be read; it says what the file is.
    /// For a truncated or damaged core file, [`Image::warnings`] says what is missing.
    pub fn core(path: &Path, executable: Option<&Path>) -> Result<Self> {
        let failed = |reason: String| Error::Core { path: path.to_owned(), reason };
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        let about = file.metadata().map_err(|error| failed(error.to_string()))?;
        if !about.is_file() {
            return Err(failed("it is no regular file".to_owned()));
        }
        let file = Arc::new(file);
        let headers = Headers::read(&file, about.len(), path).map_err(failed)?;
        let mut warnings = Vec::new();
        let expected = headers.expected_length();
        if expected > about.len() {
            warnings.push(format!(
                "the core file is truncated: it has {} of {expected} bytes, and what lay in the \
                 rest is missing",
                about.len()
            ));
        }
        let notes = Notes::read(&file, &headers);
        if notes.threads.is_empty() {
            return Err(failed(
                "it holds no thread: it is damaged, or was truncated while it was written"
                    .to_owned(),
            ));
        }
        // The mapped files are told apart by what the core itself has of them.
        let bare = ProcessMemory::core(CoreMemory::new(headers.regions(&file), Vec::new()));
        let files = Files::find(&notes, &bare, executable, &about, &mut warnings);
        let memory = CoreMemory::new(headers.regions(&file), files.regions());
        let memory = ProcessMemory::core(memory);
        let mappings = mappings(&headers, &notes);
        let modules = modules(&memory, &mappings, |mapping| files.path_of(&mapping.path));
        let mapped = mapped(&headers, &mappings);
        let pid = notes.pid.unwrap_or(notes.threads[0].lwp);
        let mut threads = notes.threads;
        threads.iter_mut().for_each(|thread| thread.find_system_call(&memory));
        Ok(Self::new(Parts { pid, memory, pages: None, modules, threads, mapped, warnings }))
    }
}

/// The ranges of memory: the ranges in the headers, and the ranges of files that the core leaves
/// out.
fn mapped(headers: &Headers, mappings: &[Mapping]) -> Vec<Mapped> {
    let segments = headers
        .segments
        .iter()
        .map(|segment| Mapped { range: segment.range(), executable: segment.executable() });
    let files = mappings
        .iter()
        .map(|mapping| Mapped { range: mapping.range.clone(), executable: mapping.executable });
    segments.chain(files).collect()
}

/// The mappings of files, and the vdso's mapping.
fn mappings(headers: &Headers, notes: &Notes) -> Vec<Mapping> {
    // If the core leaves a mapping out altogether, as gdb's cores do, its protection is not known.
    let executable = |address: u64| {
        let found = headers.segments.iter().find(|segment| segment.range().contains(&address));
        found.is_none_or(Segment::executable)
    };
    let files = notes.files.iter().map(|mapped| Mapping {
        range: mapped.range.clone(),
        readable: true,
        executable: executable(mapped.range.start),
        offset: mapped.offset,
        file: Some((String::new(), 0)),
        path: mapped.path.clone(),
        deleted: mapped.deleted,
    });
    let vdso = notes.vdso.and_then(|start| {
        let segment = headers.segments.iter().find(|segment| segment.range().start == start)?;
        Some(Mapping {
            range: segment.range(),
            readable: true,
            executable: true,
            offset: 0,
            file: None,
            path: "[vdso]".to_owned(),
            deleted: false,
        })
    });
    files.chain(vdso).collect()
}
