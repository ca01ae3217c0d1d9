//! The search for the tools of the list: loading, the symbols `ompt_start_tool` and `ompt_tool`,
//! and the answer of `ompt_start_tool`.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::mem::{MaybeUninit, transmute};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{NonNull, null};

use ompt::raw::c::{ompt_start_tool_result_t, ompt_start_tool_t};
use ompt::raw::report_2015::c::ompt_tool_t;

use crate::list::Source;
use crate::log::{Log, warn};
use crate::report_2015::Candidate;

/// The function that a tool of OpenMP's interface has.
const START_TOOL: &CStr = c"ompt_start_tool";
/// The function that a tool of the 2015 report has.
const TOOL: &CStr = c"ompt_tool";

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

/// The answer of an entry of the list.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The first of its alternatives that wants to run as a tool of OpenMP's interface.
    OpenMp(Tool),
    /// No alternative wants that, but these may want to run as tools of the 2015 report. May be
    /// empty.
    Report(Vec<Candidate>),
}

/// The functions by which a tool is found; at least one of them is set.
#[derive(Debug)]
struct Symbols {
    start_tool: Option<NonNull<c_void>>,
    report: Option<NonNull<c_void>>,
}

impl Question {
    /// Asks the alternatives of one entry, until one wants to run.
    pub(crate) fn ask_first(&self, alternatives: &[Source], log: &mut Log) -> Answer {
        let mut candidates = Vec::new();
        for source in alternatives {
            let (name, symbols) = match source {
                Source::Library(path) => (path.display().to_string(), self.symbols_in(path)),
                Source::Next => ("the tool in the address space".to_owned(), next_symbols()),
            };
            let symbols = match symbols {
                Ok(symbols) => symbols,
                Err(reason) => {
                    // A name that leads to no tool is a mistake of the user, so the multiplexer
                    // says it without a log, too.
                    match !log.is_on() && *source != Source::Next {
                        true => warn(&format!("{reason}; the other tools go on")),
                        false => log.line(&reason),
                    }
                    continue;
                }
            };
            if let Some(start_tool) = symbols.start_tool {
                if let Some(result) = self.ask(start_tool) {
                    log.line(&format!("{name}: wants to run"));
                    return Answer::OpenMp(Tool { name, result: result.as_ptr() });
                }
                log.line(&format!("{name}: does not want to run"));
            }
            if let Some(symbol) = symbols.report {
                // SAFETY: the report gives the function of that name this type (§7.1).
                let ompt_tool = unsafe { transmute::<*mut c_void, ompt_tool_t>(symbol.as_ptr()) };
                let is_doubtful = symbols.start_tool.is_some() || *source == Source::Next;
                candidates.push(Candidate { name, ompt_tool, is_doubtful });
            }
        }
        Answer::Report(candidates)
    }

    /// The functions of a library.
    fn symbols_in(&self, path: &Path) -> Result<Symbols, String> {
        let shown = path.display();
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: the user chose the library, and thereby its constructors.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        if library.is_null() {
            return Err(format!("cannot load {shown}: {}", last_error()));
        }
        // In a library that is linked with the runtime, the look-up finds the runtime's own.
        let foreign = |symbol: &NonNull<c_void>| {
            let base = base_of(symbol.as_ptr());
            base != base_of(self.runtime_version.cast()) && base != own_base()
        };
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open.
            NonNull::new(unsafe { libc::dlsym(library, name.as_ptr()) }).filter(foreign)
        };
        let symbols = Symbols { start_tool: symbol(START_TOOL), report: symbol(TOOL) };
        if symbols.start_tool.is_none() && symbols.report.is_none() {
            // SAFETY: the handle is open, and nothing of the library is used.
            unsafe { libc::dlclose(library) };
            return Err(format!("{shown} is no OMPT tool: it has no ompt_start_tool"));
        }
        Ok(symbols)
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

/// The definitions behind the multiplexer's, if the runtime found the multiplexer's in the address
/// space. They may be the runtime's own, which ask the next definition in turn.
fn next_symbols() -> Result<Symbols, String> {
    let next = |name: &CStr| {
        // SAFETY: null stands for the program, which is loaded anyway; dlsym only reads the name.
        let (first, next) = unsafe {
            let program = libc::dlopen(null(), libc::RTLD_LAZY);
            (libc::dlsym(program, name.as_ptr()), libc::dlsym(libc::RTLD_NEXT, name.as_ptr()))
        };
        (base_of(first) == own_base()).then_some(NonNull::new(next))
    };
    let Some(start_tool) = next(START_TOOL) else {
        return Err("@next: the multiplexer is not preloaded, so no tool is behind it".to_owned());
    };
    // A program may define one of the functions itself; the runtime asks that one before the
    // multiplexer.
    let symbols = Symbols { start_tool, report: next(TOOL).flatten() };
    if symbols.start_tool.is_none() && symbols.report.is_none() {
        return Err("@next: no tool is in the address space".to_owned());
    }
    [symbols.start_tool, symbols.report].into_iter().flatten().for_each(initialize_object_of);
    Ok(symbols)
}

/// Whether the runtime with this version string has the interface of the report: such a runtime
/// itself defines the function that it calls, for programs without a tool (§7.1). A runtime that
/// cannot be found counts as having the interface.
pub(crate) fn runtime_has_report(runtime_version: *const c_char) -> bool {
    let Some(object) = object_of(runtime_version.cast()) else { return true };
    // SAFETY: the loader's name of a loaded object; null stands for the program, which has a name
    // but cannot be opened by it.
    unsafe {
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
        let mut runtime = libc::dlopen(object.dli_fname, flags);
        if runtime.is_null() {
            runtime = libc::dlopen(null(), flags);
        }
        let symbol = libc::dlsym(runtime, TOOL.as_ptr());
        libc::dlclose(runtime);
        base_of(symbol) == Some(object.dli_fbase.addr())
    }
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

/// The load address of the object at an address; `None` if no object is there.
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
