//! The search for the tools of the list: loading, the symbol `ompt_start_tool`, and its answer.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::mem::{MaybeUninit, transmute};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{NonNull, null};

use ompt::raw::c::{ompt_start_tool_result_t, ompt_start_tool_t};

use crate::list::Source;
use crate::log::{Log, warn};

const START_TOOL: &CStr = c"ompt_start_tool";

/// The runtime's question: the arguments of `ompt_start_tool`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) omp_version: c_uint,
    pub(crate) runtime_version: *const c_char,
}

/// A tool that wants to run.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) result: *mut ompt_start_tool_result_t,
}

impl Question {
    /// Asks the alternatives of one entry, until one wants to run.
    pub(crate) fn ask_first(&self, alternatives: &[Source], log: &mut Log) -> Option<Tool> {
        alternatives.iter().find_map(|source| {
            let name = match source {
                Source::Library(path) => path.display().to_string(),
                Source::Next => "the tool in the address space".to_owned(),
            };
            let symbol = match source {
                Source::Library(path) => self.symbol_in(path),
                Source::Next => next_in_address_space(),
            };
            let answer = symbol.map(|symbol| self.ask(symbol));
            match &answer {
                // A name that leads to no tool is a mistake, so it is said unasked.
                Err(reason) if !log.is_on() && *source != Source::Next => {
                    warn(&format!("{reason}; the other tools go on"));
                }
                Err(reason) => log.line(reason),
                Ok(None) => log.line(&format!("{name}: does not want to run")),
                Ok(Some(_)) => log.line(&format!("{name}: wants to run")),
            }
            let result = answer.ok()??.as_ptr();
            Some(Tool { name, result })
        })
    }

    /// `ompt_start_tool` of a library.
    fn symbol_in(&self, path: &Path) -> Result<NonNull<c_void>, String> {
        let shown = path.display();
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: the user chose the library, and thereby its constructors.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        if library.is_null() {
            return Err(format!("cannot load {shown}: {}", last_error()));
        }
        // SAFETY: the handle is open.
        let symbol = NonNull::new(unsafe { libc::dlsym(library, START_TOOL.as_ptr()) });
        // In a library that is linked with the runtime, the look-up finds the runtime's own.
        let foreign = |symbol: &NonNull<c_void>| {
            let base = base_of(symbol.as_ptr());
            base != base_of(self.runtime_version.cast()) && base != own_base()
        };
        symbol.filter(foreign).ok_or_else(|| {
            // SAFETY: the handle is open, and nothing of the library is used.
            unsafe { libc::dlclose(library) };
            format!("{shown} is no OMPT tool: it has no ompt_start_tool")
        })
    }

    fn ask(&self, symbol: NonNull<c_void>) -> Option<NonNull<ompt_start_tool_result_t>> {
        // SAFETY: OpenMP 5.2 §19.2.1 gives the function of that name this type; the version string
        // is the runtime's, and stays.
        unsafe {
            let start_tool = transmute::<*mut c_void, ompt_start_tool_t>(symbol.as_ptr());
            NonNull::new(start_tool(self.omp_version, self.runtime_version))
        }
    }
}

/// The definition behind the multiplexer's, if the runtime found the multiplexer's in the address
/// space. It may be the runtime's own, which asks the next in turn.
fn next_in_address_space() -> Result<NonNull<c_void>, String> {
    // SAFETY: null stands for the program, which is loaded anyway; dlsym only reads the name.
    let first = unsafe {
        let program = libc::dlopen(null(), libc::RTLD_LAZY);
        libc::dlsym(program, START_TOOL.as_ptr())
    };
    if base_of(first) != own_base() {
        return Err("@next: the multiplexer is not preloaded, so no tool is behind it".to_owned());
    }
    // SAFETY: dlsym only reads the name.
    let next = NonNull::new(unsafe { libc::dlsym(libc::RTLD_NEXT, START_TOOL.as_ptr()) });
    let next = next.ok_or_else(|| "@next: no tool is in the address space".to_owned())?;
    initialize_object_of(next);
    Ok(next)
}

/// Runs the constructors of the object at an address, unless they have run: while a program starts,
/// the runtime may be initialized before the tool.
fn initialize_object_of(address: NonNull<c_void>) {
    if let Some(name) = object_of(address.as_ptr()).map(|info| info.dli_fname) {
        // SAFETY: the loader's name of a loaded object. The reference keeps the tool loaded.
        unsafe { libc::dlopen(name, libc::RTLD_LAZY) };
    }
}

fn object_of(address: *const c_void) -> Option<libc::Dl_info> {
    let mut info = MaybeUninit::uninit();
    // SAFETY: dladdr writes `info` unless it returns 0.
    unsafe { (libc::dladdr(address, info.as_mut_ptr()) != 0).then(|| info.assume_init()) }
}

/// The load address of the object at an address; none if no object is there.
fn base_of(address: *const c_void) -> Option<usize> {
    object_of(address).map(|info| info.dli_fbase.addr())
}

fn own_base() -> Option<usize> {
    base_of(own_base as fn() -> Option<usize> as *const c_void)
}

/// The loader's message about this thread's call that has just failed.
fn last_error() -> String {
    // SAFETY: dlerror returns null or a string that lives until the thread's next loader call.
    unsafe {
        let message = libc::dlerror();
        match message.is_null() {
            true => "the loader does not say why".to_owned(),
            false => CStr::from_ptr(message).to_string_lossy().into_owned(),
        }
    }
}
