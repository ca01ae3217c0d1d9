//! Which file a code address belongs to, and where in that file.

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::{env, slice};

/// A program or shared object in memory.
#[derive(Debug)]
struct Module {
    /// Base name of the file.
    name: String,
    /// The load bias: the loader added it to the file's addresses.
    bias: usize,
    /// The memory it occupies: start and end of each segment.
    segments: Vec<(usize, usize)>,
}

/// The modules that are loaded now.
#[derive(Debug)]
pub(crate) struct Modules(Vec<Module>);

impl Modules {
    /// Asks the dynamic loader.
    pub(crate) fn loaded() -> Self {
        let mut modules: Vec<Module> = Vec::new();
        // SAFETY: the callback gets the vector that it expects, during this call only.
        unsafe { libc::dl_iterate_phdr(Some(add_module), (&raw mut modules).cast()) };
        Self(modules)
    }

    /// `module+0xADDRESS` with the address in the file, or just the address.
    pub(crate) fn describe(&self, address: usize) -> String {
        let holds = |module: &&Module| {
            module.segments.iter().any(|(start, end)| (*start..*end).contains(&address))
        };
        match self.0.iter().find(holds) {
            Some(module) => format!("{}+{:#x}", module.name, address - module.bias),
            None => format!("{address:#x}"),
        }
    }
}

/// Adds one module to the vector behind `modules`.
///
/// # Safety
/// Called by `dl_iterate_phdr` with a module's description and a `Vec<Module>`.
unsafe extern "C" fn add_module(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    modules: *mut c_void,
) -> c_int {
    // SAFETY: the loader's description is complete, and no other code uses the vector.
    let (info, modules) = unsafe { (&*info, &mut *modules.cast::<Vec<Module>>()) };
    // SAFETY: the loader's string and table of program headers.
    let (path, headers) = unsafe {
        (
            OsStr::from_bytes(CStr::from_ptr(info.dlpi_name).to_bytes()),
            slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()),
        )
    };
    let bias = info.dlpi_addr as usize;
    let segments = headers
        .iter()
        .filter(|header| header.p_type == libc::PT_LOAD)
        .map(|header| {
            let start = bias.wrapping_add(header.p_vaddr as usize);
            (start, start + header.p_memsz as usize)
        })
        .collect();
    // The loader has no name for the program itself, which comes first.
    let path = match path.is_empty() && modules.is_empty() {
        true => env::current_exe().unwrap_or_default(),
        false => Path::new(path).to_owned(),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().replace(' ', "\\x20");
    modules.push(Module { name, bias, segments });
    0
}
