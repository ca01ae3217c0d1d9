//! The search for a tool (OpenMP 5.2 §19.2, the report of 2015 §7.1): OMP_TOOL, the address space,
//! OMP_TOOL_LIBRARIES.

use core::ffi::{CStr, c_uint, c_void};
use core::mem::transmute;
use core::ptr::NonNull;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use oxomp_base::icv::tool::{InvalidTool, TOOL_LIBRARIES, ToolIcvs};
use oxomp_base::os::loader::{self, KeptLibrary, Library};
use oxomp_base::version::{OPENMP_VERSION, RUNTIME_VERSION};
use oxomp_base::{diag, os};
use oxomp_protocol::chain::Chain;
use oxomp_sys::ompt::{ompt_start_tool_result_t, ompt_start_tool_t};
use oxomp_sys::report_2015::{ompt_initialize_fn_t, ompt_tool_t};

use super::archer;
use super::found_tool::FoundTool;
use super::log::Log;
use crate::block::Thread;
use crate::race_detector;

/// The function of a tool of OpenMP 5 and 6 that the runtime asks whether the tool wants to run.
const START_TOOL: &CStr = c"ompt_start_tool";
/// The function of a tool of the report of 2015 that answers the same question.
const TOOL: &CStr = c"ompt_tool";

/// When a search is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// A library is loaded, or the program calls a routine that needs no thread.
    Load,
    /// The runtime starts.
    FirstUse,
}

/// The result of a search.
#[derive(Debug)]
pub(super) enum Outcome {
    /// This tool wants to run.
    Tool(FoundTool),
    /// No tool wants to run.
    Nothing,
    /// No tool wants to run before the first use of OpenMP, which is to search again.
    NothingYet,
}

/// Whether there may be a tool that starts while the program is being loaded: one of OpenMP 5 or 6.
///
/// If the program has constructors, a tool in the program itself is asked at the first call of the
/// runtime only, since the constructors have not run yet and may belong to the tool. An invalid
/// OMP_TOOL is reported at that call.
pub(super) fn may_start_at_load() -> bool {
    let Ok((variables, _)) = variables() else { return false };
    if !variables.tool_var {
        return false;
    }
    let newer = in_address_space(START_TOOL);
    if newer.is_none() && variables.tool_libraries_var.is_empty() {
        return false;
    }
    // A tool of the report is asked before the libraries, and after a newer one that declines.
    let asked = [newer, in_address_space(TOOL)];
    // SAFETY: the object contains the tool, which the program loads before OpenMP begins.
    asked.into_iter().flatten().all(|symbol| unsafe { loader::initialize_object_of(symbol) })
}

/// The variables of the process as far as it trusts them, and those that it ignores: a process with
/// more rights than its user loads no library and opens no file that the user names.
fn variables() -> Result<(ToolIcvs, Vec<&'static str>), InvalidTool> {
    let mut variables = ToolIcvs::of_process()?;
    let ignored = if os::is_privileged() { variables.distrust() } else { Vec::new() };
    Ok((variables, ignored))
}

/// Searches for a tool that wants to run. Ends the process if OMP_TOOL is invalid.
///
/// The search at the first use of OpenMP is the same as that at load, variables included: a tool
/// may decline until `main` has set it up, and `main` may load libraries and set variables.
pub(super) fn for_tool(moment: Moment) -> Outcome {
    /// The process has read the variables for a search.
    static HAS_SEARCHED: AtomicBool = AtomicBool::new(false);
    let is_again = HAS_SEARCHED.swap(true, AcqRel);
    let (variables, ignored) = match variables() {
        Ok(read) => read,
        Err(error) => diag::fatal(&error.to_string()),
    };
    for name in ignored.iter().filter(|_| !is_again) {
        diag::warning(&format!(
            "{name} is ignored: the process has more rights than its user (AT_SECURE)"
        ));
    }
    let mut log = Log::open(&variables.tool_verbose_init_var, is_again);
    if !variables.tool_var {
        log.write("OMP tool disabled. \n");
        return Outcome::Nothing;
    }
    log.write("----- START LOGGING OF TOOL REGISTRATION -----\n");
    let found = search_everywhere(moment, &variables, &ignored, &mut log);
    if !matches!(found, Outcome::NothingYet) {
        DECLINED.iter().for_each(KeptLibrary::close);
    }
    log.write(match found {
        Outcome::Tool(_) => "Tool was started and is using the OMPT interface.\n",
        Outcome::Nothing => "No OMP tool loaded.\n",
        Outcome::NothingYet => "No OMP tool loaded. The first use of OpenMP searches again.\n",
    });
    log.write("----- END LOGGING OF TOOL REGISTRATION -----\n");
    found
}

fn search_everywhere(
    moment: Moment,
    variables: &ToolIcvs,
    ignored: &[&str],
    log: &mut Log,
) -> Outcome {
    let libraries = |log: &mut Log| search_libraries(moment, variables, ignored, log);
    let tool = search_address_space(log).or_else(|| libraries(log));
    // The constructor of a library that the search has loaded may have started the runtime.
    let is_last = moment == Moment::FirstUse || Thread::known().is_some();
    if let Some(tool) = tool {
        return Outcome::Tool(tool);
    }
    let needs_archer = is_last && wants_archer();
    let next = if needs_archer { "Using archer tool." } else { "" };
    log.write(&format!("...searching tool libraries failed. {next}\n"));
    match needs_archer.then(|| search_archer(log)).flatten() {
        Some(tool) => Outcome::Tool(tool),
        None if is_last => Outcome::Nothing,
        None => Outcome::NothingYet,
    }
}

/// Searches the program and the libraries that it sees.
fn search_address_space(log: &mut Log) -> Option<FoundTool> {
    log.write("Search for OMP tool in current address space... ");
    if let Some(tool) = in_address_space(START_TOOL).and_then(|symbol| {
        // SAFETY: the object contains the tool, which the program keeps loaded while it is asked.
        unsafe { loader::initialize_object_of(symbol) };
        ask_start_tool(symbol)
    }) {
        log.write("Success.\n");
        return Some(tool);
    }
    log.write("Failed.\n");
    search_for_report_2015(log)
}

/// Searches the address space for a tool of the report of 2015. Without an `ompt_tool` the log has
/// no line about it: readers know the log of LLVM's runtime, which has no such line.
fn search_for_report_2015(log: &mut Log) -> Option<FoundTool> {
    let symbol = in_address_space(TOOL)?;
    // SAFETY: the object contains the tool, which the program keeps loaded while it is asked.
    unsafe { loader::initialize_object_of(symbol) };
    log.write("Search for ompt_tool in current address space... ");
    let tool = ask_tool(symbol);
    log_answer(tool, log);
    tool
}

/// Logs whether a tool that was asked wants to run.
fn log_answer(tool: Option<FoundTool>, log: &mut Log) {
    log.write(match tool {
        Some(_) => "Success.\n",
        None => "Found but not using the OMPT interface.\nContinuing search...\n",
    });
}

/// Searches the libraries of OMP_TOOL_LIBRARIES, from left to right.
fn search_libraries(
    moment: Moment,
    variables: &ToolIcvs,
    ignored: &[&str],
    log: &mut Log,
) -> Option<FoundTool> {
    let libraries = &variables.tool_libraries_var;
    if ignored.contains(&TOOL_LIBRARIES) {
        log.write("OMP_TOOL_LIBRARIES is ignored (AT_SECURE).\n");
    } else if libraries.is_empty() {
        log.write("No OMP_TOOL_LIBRARIES defined.\n");
    } else {
        let names: Vec<_> = libraries.iter().map(|name| name.to_string_lossy()).collect();
        log.write("Searching tool libraries...\n");
        log.write(&format!("OMP_TOOL_LIBRARIES = {}\n", names.join(":")));
        for library in libraries {
            let tool = search_library(library, moment, log);
            if tool.is_some() {
                return tool;
            }
        }
    }
    None
}

/// Whether to search for LLVM's Archer, which tells ThreadSanitizer about OpenMP's synchronization:
/// under that detector, unless the process has more rights than its user.
fn wants_archer() -> bool {
    race_detector::is_there() && !os::is_privileged()
}

/// Asks the first Archer that can be loaded.
fn search_archer(log: &mut Log) -> Option<FoundTool> {
    let load = |path: PathBuf| open(&path, log).map(|library| (path, library));
    let (path, library) = archer::candidates().find_map(load)?;
    let tool = ask_library(&library, &path, log);
    if tool.is_none() {
        library.close();
    }
    tool
}

/// The libraries whose tools declined at load. They stay loaded, so that they keep what they know
/// until the last search, which opens them again, is over.
static DECLINED: Chain<KeptLibrary> = Chain::new();

/// Asks the tools in the library.
fn search_library(path: &Path, moment: Moment, log: &mut Log) -> Option<FoundTool> {
    let library = open(path, log)?;
    let tool = ask_library(&library, path, log);
    match (&tool, moment) {
        (Some(_), _) => {}
        (None, Moment::Load) => drop(DECLINED.add(library.keep())),
        (None, Moment::FirstUse) => library.close(),
    }
    tool
}

/// Loads the library `path` and asks the tool of OpenMP 5 or 6 in it, while the program runs.
/// Otherwise says why there is none.
pub(super) fn attached(path: &Path) -> Result<FoundTool, String> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    let library = Library::open(&name).map_err(|reason| reason.to_string_lossy().into_owned())?;
    let asked = symbol_of(&library, START_TOOL).map(ask_start_tool);
    match asked {
        Ok(Some(tool)) => return Ok(tool),
        _ => library.close(),
    }
    Err(match asked {
        Err(Some(reason)) => reason,
        Err(None) => format!("{}: undefined symbol: ompt_start_tool", path.display()),
        Ok(_) => format!("{}: the tool does not want to run", path.display()),
    })
}

/// Loads the library `path`.
fn open(path: &Path, log: &mut Log) -> Option<Library> {
    let name = CString::new(path.as_os_str().as_bytes()).ok()?;
    log.write(&format!("Opening {}... ", path.display()));
    match Library::open(&name) {
        Ok(library) => {
            log.write("Success. \n");
            Some(library)
        }
        Err(reason) => {
            log.write(&format!("Failed: {}\n", reason.to_string_lossy()));
            None
        }
    }
}

/// Asks the tools in the library `path`.
fn ask_library(library: &Library, path: &Path, log: &mut Log) -> Option<FoundTool> {
    let shown = path.display();
    log.write(&format!("Searching for ompt_start_tool in {shown}... "));
    let asked = match symbol_of(library, START_TOOL) {
        Ok(symbol) => Ok(ask_start_tool(symbol)),
        Err(None) => Err(format!("{shown}: undefined symbol: ompt_start_tool")),
        Err(Some(reason)) => Err(reason),
    };
    match &asked {
        Ok(answer) => log_answer(*answer, log),
        Err(reason) => log.write(&format!("Failed: {reason}\n")),
    }
    asked.ok().flatten().or_else(|| {
        let symbol = symbol_of(library, TOOL).ok()?;
        log.write(&format!("Searching for ompt_tool in {shown}... "));
        let tool = ask_tool(symbol);
        log_answer(tool, log);
        tool
    })
}

/// The library's function of that name. Otherwise the loader's reason; `None` if the look-up has
/// found the runtime's own definition, in a library that is linked with the runtime.
fn symbol_of(library: &Library, name: &CStr) -> Result<NonNull<c_void>, Option<String>> {
    match library.symbol(name) {
        Ok(symbol) if os::is_ours(symbol) => Err(None),
        Ok(symbol) => Ok(symbol),
        Err(reason) => Err(Some(reason.to_string_lossy().into_owned())),
    }
}

/// The first function of that name of the program and its libraries that is not the runtime's own.
/// A library that was loaded with RTLD_LOCAL, and has loaded the runtime, may have a tool of its
/// own: it is searched if the program has none. The C library's dlsym keeps the found object loaded
/// as long as the runtime.
fn in_address_space(name: &CStr) -> Option<NonNull<c_void>> {
    match loader::symbol_in_address_space(name) {
        Some(symbol) if os::is_ours(symbol) => loader::symbol_behind_us(name),
        None => loader::symbol_beside_us(name, c"omp_control_tool"),
        symbol => symbol,
    }
}

/// Whether there may be a tool, of either interface, in the address space or in a library that the
/// user names. An invalid OMP_TOOL is reported by the search.
pub(super) fn may_find_tool() -> bool {
    let (is_enabled, has_libraries) = match variables() {
        Ok((variables, _)) => (variables.tool_var, !variables.tool_libraries_var.is_empty()),
        Err(_) => (true, false),
    };
    let is_there = |name| in_address_space(name).is_some();
    is_enabled && (has_libraries || is_there(START_TOOL) || is_there(TOOL))
}

/// Asks a tool of OpenMP 5 or 6 whether it wants to run.
fn ask_start_tool(symbol: NonNull<c_void>) -> Option<FoundTool> {
    // SAFETY: OpenMP 5.2 §19.2.1 gives the function of that name this type; the version string is
    // static.
    let result = unsafe {
        let start_tool = transmute::<*mut c_void, ompt_start_tool_t>(symbol.as_ptr());
        start_tool(OPENMP_VERSION, RUNTIME_VERSION.as_ptr())
    };
    NonNull::new(result).map(FoundTool::OpenMp5)
}

/// Whether `ompt_tool` of a tool has been called.
static ASKED_2015: AtomicBool = AtomicBool::new(false);

/// Whether a tool of the report of 2015 has been asked, whatever it answered.
pub(super) fn has_asked_2015() -> bool {
    ASKED_2015.load(Acquire)
}

/// Asks a tool of the report of 2015 whether it wants to run.
fn ask_tool(symbol: NonNull<c_void>) -> Option<FoundTool> {
    ASKED_2015.store(true, Release);
    // SAFETY: the report gives the function of that name this type (§7.1).
    let initialize = unsafe { transmute::<*mut c_void, ompt_tool_t>(symbol.as_ptr())() };
    initialize.map(FoundTool::Report2015)
}

/// The runtime's own `ompt_start_tool`, which another runtime may find before the tool's: asks the
/// next definition.
///
/// # Safety
/// The condition of `ompt_start_tool`: the version string lives until the process ends.
pub unsafe fn ask_next(
    omp_version: c_uint,
    runtime_version: *const core::ffi::c_char,
) -> *mut ompt_start_tool_result_t {
    match loader::symbol_behind_us(START_TOOL) {
        // SAFETY: OpenMP 5.2 §19.2.1 gives the function of that name this type; the caller's
        // version string lives until the process ends (`# Safety`).
        Some(symbol) => unsafe {
            let next = transmute::<*mut c_void, ompt_start_tool_t>(symbol.as_ptr());
            next(omp_version, runtime_version)
        },
        None => core::ptr::null_mut(),
    }
}

/// The runtime's own `ompt_tool`, which another runtime may find before the tool's: asks the next
/// definition.
pub fn ask_next_2015() -> Option<ompt_initialize_fn_t> {
    let symbol = loader::symbol_behind_us(TOOL)?;
    // SAFETY: the report gives the function of that name this type (§7.1).
    unsafe { transmute::<*mut c_void, ompt_tool_t>(symbol.as_ptr())() }
}
