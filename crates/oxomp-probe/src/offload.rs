//! A program that offloads: libomptarget, which lies beside the runtime, is in the process. It has
//! its devices before the program's first use of OpenMP, as after a program's constructor.

use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::runtime::Library;
use crate::verdict::{Fault, Verdict};

/// Of the library's file; some versions have only names that go on with a number.
const NAME: &str = "libomptarget.so";

static LIBRARY: OnceLock<Library> = OnceLock::new();

fn skipped<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Skipped(reason.into()))
}

/// Loads the library that lies beside the runtime: before that, since its order in programs is not
/// fixed, and a runtime may look for it when it is loaded.
pub(crate) fn load(runtime: &CStr) -> Verdict {
    let runtime = Path::new(OsStr::from_bytes(runtime.to_bytes()));
    let Some(file) = runtime.parent().and_then(beside) else {
        return skipped(format!("no device: no {NAME} lies beside the runtime"));
    };
    let path = CString::new(file.as_os_str().as_bytes()).unwrap_or_default();
    match Library::open(&path, true) {
        Ok(library) => {
            LIBRARY.set(library).ok();
            Ok(())
        }
        Err(reason) => skipped(format!("no device: {reason}")),
    }
}

fn beside(folder: &Path) -> Option<PathBuf> {
    let plain = folder.join(NAME);
    if plain.exists() {
        return Some(plain);
    }
    let files = fs::read_dir(folder).ok()?.flatten();
    files.map(|file| file.path()).find(|path| {
        path.file_name().is_some_and(|name| name.as_bytes().starts_with(NAME.as_bytes()))
    })
}

/// A function of the library.
///
/// # Safety
///
/// `F` is the type of pointers to the function of that name.
unsafe fn function<F: Copy>(name: &CStr) -> Result<F, Fault> {
    // SAFETY: the caller vouches for the type.
    match LIBRARY.get().and_then(|library| unsafe { library.function(name) }) {
        Some(function) => Ok(function),
        None => skipped(format!("{NAME} does not export {}", name.to_string_lossy())),
    }
}

/// Makes the library look for its devices, without a program for them. Returns the number of
/// devices.
pub(crate) fn begin() -> Result<c_int, Fault> {
    for name in [c"__tgt_rtl_init", c"__tgt_init_all_rtls"] {
        // SAFETY: both have this type.
        let start: unsafe extern "C" fn() = unsafe { function(name) }?;
        // SAFETY: the calls of a program's constructor, in its order.
        unsafe { start() };
    }
    // SAFETY: the type of `omp_get_num_devices`.
    let number: unsafe extern "C" fn() -> c_int = unsafe { function(c"omp_get_num_devices") }?;
    // SAFETY: allowed at any time.
    match unsafe { number() } {
        0 => skipped(format!("no device: {NAME} has none on this machine")),
        number => Ok(number),
    }
}

/// `omp_get_initial_device` of the program.
pub(crate) fn initial_device() -> Result<c_int, Fault> {
    // SAFETY: the type of the routine.
    let routine: unsafe extern "C" fn() -> c_int = unsafe { function(c"omp_get_initial_device") }?;
    // SAFETY: allowed at any time.
    Ok(unsafe { routine() })
}

/// Memory of a device.
#[derive(Debug)]
pub(crate) struct Memory {
    address: *mut c_void,
    device: c_int,
}

impl Memory {
    /// By `omp_target_alloc`.
    pub(crate) fn of(device: c_int, bytes: usize) -> Result<Self, Fault> {
        type Alloc = unsafe extern "C" fn(usize, c_int) -> *mut c_void;
        // SAFETY: the type of the routine.
        let allocate: Alloc = unsafe { function(c"omp_target_alloc") }?;
        // SAFETY: the device exists.
        let address = unsafe { allocate(bytes, device) };
        if address.is_null() {
            return skipped(format!("omp_target_alloc gives no memory of device {device}"));
        }
        Ok(Self { address, device })
    }

    /// Copies `from`, which is no longer than the memory, by `omp_target_memcpy`.
    pub(crate) fn fill(&self, from: &[u8]) -> Verdict {
        type Copy = unsafe extern "C" fn(
            *mut c_void,
            *const c_void,
            usize,
            usize,
            usize,
            c_int,
            c_int,
        ) -> c_int;
        // SAFETY: the type of the routine.
        let copy: Copy = unsafe { function(c"omp_target_memcpy") }?;
        let (source, bytes) = (from.as_ptr().cast(), from.len());
        let host = initial_device()?;
        // SAFETY: both places have as many bytes.
        match unsafe { copy(self.address, source, bytes, 0, 0, self.device, host) } {
            0 => Ok(()),
            status => skipped(format!("omp_target_memcpy gives {status}")),
        }
    }
}
