//! `oxomp-probe`: hands its arguments to `liboxomp_probe.so`, which lies beside it.
//!
//! Tool and probes are one shared object, which the runtime loads by `OMP_TOOL_LIBRARIES`; this
//! program only gives it a process in which no other OpenMP runtime is loaded.

use std::env;
use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;

/// The function of the shared object: the arguments without the program's name.
type Main = unsafe extern "C" fn(count: c_int, arguments: *const *const c_char) -> c_int;

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(u8::try_from(status).unwrap_or(u8::MAX)),
        Err(message) => {
            eprintln!("oxomp-probe: {message}");
            ExitCode::from(125)
        }
    }
}

fn run() -> Result<c_int, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let library = program.with_file_name("liboxomp_probe.so");
    let path = text(library.clone().into_os_string())?;
    // SAFETY: the path is a C string; the initialisers that run are those of our own library.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(format!("cannot load {}", library.display()));
    }
    // SAFETY: the handle is valid, the name a C string.
    let symbol = unsafe { libc::dlsym(handle, c"oxomp_probe_main".as_ptr()) };
    if symbol.is_null() {
        return Err(format!("{} is of another version", library.display()));
    }
    let arguments = env::args_os().skip(1).map(text).collect::<Result<Vec<_>, _>>()?;
    let pointers: Vec<*const c_char> = arguments.iter().map(|word| word.as_ptr()).collect();
    let count = c_int::try_from(pointers.len()).map_err(|error| error.to_string())?;
    // SAFETY: the library defines the function with this type.
    let main = unsafe { std::mem::transmute::<*mut libc::c_void, Main>(symbol) };
    // SAFETY: `pointers` holds `count` C strings, which live until the call returns.
    Ok(unsafe { main(count, pointers.as_ptr()) })
}

fn text(word: OsString) -> Result<CString, String> {
    let shown = OsString::from_vec(word.as_bytes().to_vec());
    CString::new(word.into_vec()).map_err(|_| format!("{}: contains a null byte", shown.display()))
}
