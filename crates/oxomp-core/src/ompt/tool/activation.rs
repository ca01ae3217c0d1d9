//! The search for a tool (OpenMP 5.2 §19.2): OMP_TOOL, the address space, OMP_TOOL_LIBRARIES.

use core::ffi::{CStr, c_uint, c_void};
use core::mem::transmute;
use core::ptr::NonNull;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use oxomp_sys::ompt::{ompt_start_tool_result_t, ompt_start_tool_t};

use super::log::Log;
use crate::diag;
use crate::icv::tool::{InvalidTool, TOOL_LIBRARIES, ToolIcvs};
use crate::os;
use crate::os::loader::{self, Library};
use crate::race_detector;
use crate::version::{OPENMP_VERSION, RUNTIME_VERSION};

const START_TOOL: &CStr = c"ompt_start_tool";

/// The result of `ompt_start_tool` of a tool that wants to run.
pub(super) type ToolResult = NonNull<ompt_start_tool_result_t>;

/// Whether there may be a tool that can be asked while the program is being loaded.
///
/// If the program has constructors, a tool in the program itself is asked at the first call of the
/// runtime only, since the constructors have not run yet and may belong to the tool. An invalid
/// OMP_TOOL is reported at that call.
pub(super) fn may_start_at_load() -> bool {
    let Ok((variables, _)) = variables() else { return false };
    if !variables.tool_var {
        return false;
    }
    match in_address_space() {
        Some(symbol) => loader::initialize_object_of(symbol),
        None => !variables.tool_libraries_var.is_empty(),
    }
}

/// The variables of the process as far as it trusts them, and those that it ignores: a process with
/// more rights than its user loads no library and opens no file that the user names.
fn variables() -> Result<(ToolIcvs, Vec<&'static str>), InvalidTool> {
    let mut variables = ToolIcvs::of_process()?;
    let ignored = if os::is_privileged() { variables.distrust() } else { Vec::new() };
    Ok((variables, ignored))
}

/// Searches for a tool that wants to run. Ends the process if OMP_TOOL is invalid.
pub(super) fn search() -> Option<ToolResult> {
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

fn search_everywhere(variables: &ToolIcvs, ignored: &[&str], log: &mut Log) -> Option<ToolResult> {
    log.write("Search for OMP tool in current address space... ");
    if let Some(tool) = in_address_space().and_then(|symbol| {
        loader::initialize_object_of(symbol);
        ask(symbol)
    }) {
        log.write("Success.\n");
        return Some(tool);
    }
    log.write("Failed.\n");
    search_libraries(variables, ignored, log).or_else(|| search_race_detector(log))
}

/// Searches the libraries of OMP_TOOL_LIBRARIES, from left to right.
fn search_libraries(variables: &ToolIcvs, ignored: &[&str], log: &mut Log) -> Option<ToolResult> {
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

fn search_race_detector(log: &mut Log) -> Option<ToolResult> {
    wants_archer().then(|| search_library(Path::new("libarcher.so"), log))?
}

fn search_library(path: &Path, log: &mut Log) -> Option<ToolResult> {
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
    // In a library that is linked with the runtime, the look-up finds the runtime's own definition.
    let symbol = match library.symbol(START_TOOL) {
        Ok(symbol) if loader::is_ours(symbol) => {
            Err(format!("{shown}: undefined symbol: ompt_start_tool"))
        }
        Ok(symbol) => Ok(symbol),
        Err(reason) => Err(reason.to_string_lossy().into_owned()),
    };
    let tool = match symbol {
        Ok(symbol) => ask(symbol),
        Err(reason) => {
            log.write(&format!("Failed: {reason}\n"));
            library.close();
            return None;
        }
    };
    match tool {
        Some(_) => log.write("Success.\n"),
        None => {
            log.write("Found but not using the OMPT interface.\nContinuing search...\n");
            library.close();
        }
    }
    tool
}

/// The first `ompt_start_tool` of the program and its libraries that is not the runtime's own. A
/// library that was loaded for itself, and the runtime with it, may have brought its tool. The C
/// library's dlsym keeps the found object loaded as long as the runtime.
fn in_address_space() -> Option<NonNull<c_void>> {
    match loader::symbol_in_address_space(START_TOOL) {
        Some(symbol) if loader::is_ours(symbol) => loader::symbol_behind_us(START_TOOL),
        None => loader::symbol_beside_us(START_TOOL, c"omp_control_tool"),
        symbol => symbol,
    }
}

/// Asks a tool whether it wants to run.
fn ask(symbol: NonNull<c_void>) -> Option<ToolResult> {
    // SAFETY: OpenMP 5.2 §19.2.1 gives the function of that name this type; the version string is
    // static.
    unsafe {
        let start_tool = transmute::<*mut c_void, ompt_start_tool_t>(symbol.as_ptr());
        NonNull::new(start_tool(OPENMP_VERSION, RUNTIME_VERSION.as_ptr()))
    }
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
