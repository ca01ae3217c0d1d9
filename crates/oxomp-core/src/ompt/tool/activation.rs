//! The search for a tool (OpenMP 5.2 §19.2, the report of 2015 §7.1): OMP_TOOL, the address space,
//! OMP_TOOL_LIBRARIES.

use core::ffi::{CStr, c_uint, c_void};
use core::mem::transmute;
use core::ptr::NonNull;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::{Acquire, Release};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use oxomp_sys::ompt::{ompt_start_tool_result_t, ompt_start_tool_t};
use oxomp_sys::report_2015::{ompt_initialize_fn_t, ompt_tool_t};

use super::interface::Interface;
use super::log::Log;
use crate::diag;
use crate::icv::tool::{InvalidTool, TOOL_LIBRARIES, ToolIcvs};
use crate::os;
use crate::os::loader::{self, Library};
use crate::race_detector;
use crate::version::{OPENMP_VERSION, RUNTIME_VERSION};

/// The function of a tool of OpenMP 5 and 6 that the runtime asks whether the tool wants to run.
const START_TOOL: &CStr = c"ompt_start_tool";
/// The function of a tool of the report of 2015 for the same.
const TOOL: &CStr = c"ompt_tool";

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
    asked.into_iter().flatten().all(loader::initialize_object_of)
}

/// The variables of the process as far as it trusts them, and those that it ignores: a process with
/// more rights than its user loads no library and opens no file that the user names.
fn variables() -> Result<(ToolIcvs, Vec<&'static str>), InvalidTool> {
    let mut variables = ToolIcvs::of_process()?;
    let ignored = if os::is_privileged() { variables.distrust() } else { Vec::new() };
    Ok((variables, ignored))
}

/// Searches for a tool that wants to run. Ends the process if OMP_TOOL is invalid.
pub(super) fn search() -> Option<Interface> {
    let (variables, ignored) = match variables() {
        Ok(read) => read,
        Err(error) => diag::fatal(&error.to_string()),
    };
    for name in &ignored {
        diag::warning(&format!(
            "{name} is ignored: the process has more rights than its user (AT_SECURE)"
        ));
    }
    let mut log = Log::open(&variables.tool_verbose_init_var);
    if !variables.tool_var {
        log.write("OMP tool disabled. \n");
        return None;
    }
    log.write("----- START LOGGING OF TOOL REGISTRATION -----\n");
    let tool = search_everywhere(&variables, &ignored, &mut log);
    log.write(match tool {
        Some(_) => "Tool was started and is using the OMPT interface.\n",
        None => "No OMP tool loaded.\n",
    });
    log.write("----- END LOGGING OF TOOL REGISTRATION -----\n");
    tool
}

fn search_everywhere(variables: &ToolIcvs, ignored: &[&str], log: &mut Log) -> Option<Interface> {
    log.write("Search for OMP tool in current address space... ");
    if let Some(tool) = in_address_space(START_TOOL).and_then(|symbol| {
        loader::initialize_object_of(symbol);
        ask_start_tool(symbol)
    }) {
        log.write("Success.\n");
        return Some(tool);
    }
    log.write("Failed.\n");
    search_for_report_2015(log)
        .or_else(|| search_libraries(variables, ignored, log))
        .or_else(|| search_race_detector(log))
}

/// Searches the address space for a tool of the report of 2015. Without an `ompt_tool` the log has
/// no line about it: readers of the log know that of LLVM's runtime.
fn search_for_report_2015(log: &mut Log) -> Option<Interface> {
    let symbol = in_address_space(TOOL)?;
    loader::initialize_object_of(symbol);
    log.write("Search for ompt_tool in current address space... ");
    let tool = ask_tool(symbol);
    log_answer(tool, log);
    tool
}

/// Logs whether a tool that was asked wants to run.
fn log_answer(tool: Option<Interface>, log: &mut Log) {
    log.write(match tool {
        Some(_) => "Success.\n",
        None => "Found but not using the OMPT interface.\nContinuing search...\n",
    });
}

/// Searches the libraries of OMP_TOOL_LIBRARIES, from left to right.
fn search_libraries(variables: &ToolIcvs, ignored: &[&str], log: &mut Log) -> Option<Interface> {
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
            let tool = search_library(library, log);
            if tool.is_some() {
                return tool;
            }
        }
    }
    let next = if wants_archer() { "Using archer tool." } else { "" };
    log.write(&format!("...searching tool libraries failed. {next}\n"));
    None
}

/// Whether to search for LLVM's Archer, which tells ThreadSanitizer about OpenMP's synchronization:
/// under that detector, unless the process has more rights than its user.
fn wants_archer() -> bool {
    race_detector::is_there() && !os::is_privileged()
}

fn search_race_detector(log: &mut Log) -> Option<Interface> {
    wants_archer().then(|| search_library(Path::new("libarcher.so"), log))?
}

fn search_library(path: &Path, log: &mut Log) -> Option<Interface> {
    let shown = path.display();
    let name = CString::new(path.as_os_str().as_bytes()).ok()?;
    log.write(&format!("Opening {shown}... "));
    let library = match Library::open(&name) {
        Ok(library) => library,
        Err(reason) => {
            log.write(&format!("Failed: {}\n", reason.to_string_lossy()));
            return None;
        }
    };
    log.write(&format!("Success. \nSearching for ompt_start_tool in {shown}... "));
    let asked = match symbol_of(&library, START_TOOL) {
        Ok(symbol) => Ok(ask_start_tool(symbol)),
        Err(None) => Err(format!("{shown}: undefined symbol: ompt_start_tool")),
        Err(Some(reason)) => Err(reason),
    };
    match &asked {
        Ok(answer) => log_answer(*answer, log),
        Err(reason) => log.write(&format!("Failed: {reason}\n")),
    }
    let tool = asked.ok().flatten().or_else(|| {
        let symbol = symbol_of(&library, TOOL).ok()?;
        log.write(&format!("Searching for ompt_tool in {shown}... "));
        let tool = ask_tool(symbol);
        log_answer(tool, log);
        tool
    });
    if tool.is_none() {
        library.close();
    }
    tool
}

/// The library's function of that name. Otherwise the loader's reason; none if the look-up has
/// found the runtime's own definition, in a library that is linked with the runtime.
fn symbol_of(library: &Library, name: &CStr) -> Result<NonNull<c_void>, Option<String>> {
    match library.symbol(name) {
        Ok(symbol) if loader::is_ours(symbol) => Err(None),
        Ok(symbol) => Ok(symbol),
        Err(reason) => Err(Some(reason.to_string_lossy().into_owned())),
    }
}

/// The first function of that name of the program and its libraries that is not the runtime's own.
/// A library that was loaded for itself, and the runtime with it, may have brought its tool. The C
/// library's dlsym keeps the found object loaded as long as the runtime.
fn in_address_space(name: &CStr) -> Option<NonNull<c_void>> {
    match loader::symbol_in_address_space(name) {
        Some(symbol) if loader::is_ours(symbol) => loader::symbol_behind_us(name),
        None => loader::symbol_beside_us(name, c"omp_control_tool"),
        symbol => symbol,
    }
}

/// Whether a tool of the report of 2015 may be in the address space. An invalid OMP_TOOL is
/// reported by the search.
pub(super) fn is_in_address_space() -> bool {
    let is_enabled = variables().map_or(true, |(variables, _)| variables.tool_var);
    is_enabled && in_address_space(TOOL).is_some()
}

/// Asks a tool of OpenMP 5 or 6 whether it wants to run.
fn ask_start_tool(symbol: NonNull<c_void>) -> Option<Interface> {
    // SAFETY: OpenMP 5.2 §19.2.1 gives the function of that name this type; the version string is
    // static.
    let result = unsafe {
        let start_tool = transmute::<*mut c_void, ompt_start_tool_t>(symbol.as_ptr());
        start_tool(OPENMP_VERSION, RUNTIME_VERSION.as_ptr())
    };
    NonNull::new(result).map(Interface::OpenMp5)
}

/// Whether `ompt_tool` of a tool has been called.
static ASKED_2015: AtomicBool = AtomicBool::new(false);

/// Whether a tool of the report of 2015 has been asked, whatever it answered.
pub(super) fn has_asked_2015() -> bool {
    ASKED_2015.load(Acquire)
}

/// Asks a tool of the report of 2015 whether it wants to run.
fn ask_tool(symbol: NonNull<c_void>) -> Option<Interface> {
    ASKED_2015.store(true, Release);
    // SAFETY: the report gives the function of that name this type (§7.1).
    let initialize = unsafe { transmute::<*mut c_void, ompt_tool_t>(symbol.as_ptr())() };
    initialize.map(Interface::Report2015)
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
