//! `oxomp-probe`: hands its arguments to `liboxomp_probe.so`, which lies beside it.
//!
//! Tool and probes are one shared object, which the runtime loads by `OMP_TOOL_LIBRARIES`; this
//! program only gives it a process in which no other OpenMP runtime is loaded. A release does
//! without Rust's standard library, which would be all but 6 of its 340 KB.

#![no_main]
#![cfg_attr(all(panic = "abort", not(debug_assertions)), no_std)]

use core::ffi::{CStr, c_char, c_int};

// What the standard library would ask the linker for. In old C libraries dlopen is in libdl.
#[cfg(all(panic = "abort", not(debug_assertions)))]
#[link(name = "dl")]
#[link(name = "c")]
unsafe extern "C" {}

/// The function of the shared object: the arguments without the program's name.
type Main = unsafe extern "C" fn(count: c_int, arguments: *const *const c_char) -> c_int;

/// The shared object.
const LIBRARY: &CStr = c"liboxomp_probe.so";

/// The exit status when no check was begun.
const FAILED: c_int = 125;

/// The path of a file.
type Path = [u8; libc::PATH_MAX as usize];

/// # Safety
///
/// `arguments` points to `count` C strings, the first of which is the program's name.
#[unsafe(no_mangle)]
unsafe extern "C" fn main(count: c_int, arguments: *const *const c_char) -> c_int {
    let mut path: Path = [0; _];
    if beside_the_program(&mut path).is_none() {
        return fail(c"/proc/self/exe", c"does not say where the program is");
    }
    let path = path.as_ptr().cast::<c_char>();
    // SAFETY: the path is a C string; the initialisers that run are those of our own library.
    let handle = unsafe { libc::dlopen(path, libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        // SAFETY: the path is a C string, and so is the loader's reason for a failure.
        return unsafe { fail(CStr::from_ptr(path), CStr::from_ptr(libc::dlerror())) };
    }
    // SAFETY: the handle is valid, the name a C string.
    let symbol = unsafe { libc::dlsym(handle, c"oxomp_probe_main".as_ptr()) };
    if symbol.is_null() {
        // SAFETY: the path is a C string.
        return fail(unsafe { CStr::from_ptr(path) }, c"is of another version");
    }
    // SAFETY: the library defines the function with this type.
    let checks = unsafe { core::mem::transmute::<*mut libc::c_void, Main>(symbol) };
    // SAFETY: the caller passes `count` arguments; without the first, one less is left.
    unsafe { checks(count.wrapping_sub(1), arguments.add(1)) }
}

/// Writes the path of the shared object, as a C string.
fn beside_the_program(path: &mut Path) -> Option<()> {
    let program = c"/proc/self/exe".as_ptr();
    // SAFETY: the name is a C string, and the kernel writes no more than the length says.
    let length = unsafe { libc::readlink(program, path.as_mut_ptr().cast(), path.len()) };
    let own = path.get(..usize::try_from(length).ok()?)?;
    let folder = own.iter().rposition(|byte| *byte == b'/')?;
    let rest = path.get_mut(folder + 1..)?;
    let name = LIBRARY.to_bytes_with_nul();
    rest.get_mut(..name.len())?.copy_from_slice(name);
    Some(())
}

/// Tells the message, and returns the exit status.
fn fail(subject: &CStr, message: &CStr) -> c_int {
    for part in [c"oxomp-probe: ", subject, c": ", message, c"\n"] {
        // SAFETY: as many bytes as the length says belong to the C string. Where the message cannot
        // be written, the status says enough.
        unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.count_bytes()) };
    }
    FAILED
}

#[cfg(all(panic = "abort", not(debug_assertions)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it may be called at any time.
    unsafe { libc::abort() }
}
