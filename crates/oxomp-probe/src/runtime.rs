//! The runtime under test: the functions that compilers' code and programs call, by name.

use std::ffi::{CStr, CString, c_void};
use std::mem::{MaybeUninit, transmute_copy};
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::verdict::{Fault, tell};

static HANDLE: OnceLock<Handle> = OnceLock::new();

struct Handle(NonNull<c_void>);

// SAFETY: a handle of dlopen may be used by any thread.
unsafe impl Send for Handle {}
// SAFETY: as above; dlsym locks.
unsafe impl Sync for Handle {}

/// Loads the runtime; every later call of this module goes to it.
pub(crate) fn load(path: &CStr) -> Result<(), String> {
    // SAFETY: the path is a C string. The runtime's initialisers are code of others, for which the
    // process exists.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    let Some(handle) = NonNull::new(handle) else {
        // SAFETY: dlopen failed, so dlerror gives a C string.
        let reason = unsafe { CStr::from_ptr(libc::dlerror()) };
        return Err(reason.to_string_lossy().into_owned());
    };
    HANDLE.set(Handle(handle)).map_err(|_| "loaded twice".to_owned())
}

/// The address of a symbol of the runtime.
pub(crate) fn symbol(name: &CStr) -> Option<NonNull<c_void>> {
    let handle = HANDLE.get()?;
    // SAFETY: the handle is open for good, the name a C string.
    NonNull::new(unsafe { libc::dlsym(handle.0.as_ptr(), name.as_ptr()) })
}

/// The file that was loaded, as the loader names it.
pub(crate) fn file() -> Option<String> {
    let address = symbol(c"omp_get_max_threads")?;
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is writable; the address is that of a symbol.
    if unsafe { libc::dladdr(address.as_ptr(), info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: dladdr succeeded; the name lives as long as the object, which is never unloaded.
    let name = unsafe { CStr::from_ptr(info.assume_init().dli_fname) };
    Some(name.to_string_lossy().into_owned())
}

/// A function of the runtime. If there is none, the check is told to be impossible, and the process
/// ends.
///
/// # Safety
///
/// `F` is the type of pointers to the function of that name.
pub(crate) unsafe fn function<F: Copy>(name: &str) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    let c_name = CString::new(name).unwrap_or_default();
    match symbol(&c_name) {
        // SAFETY: function pointers have the size of a pointer; the caller vouches for the type.
        Some(address) => unsafe { transmute_copy(&address) },
        None => {
            tell(&Err(Fault::Skipped(format!("the runtime does not export {name}"))));
            // SAFETY: ends the process at once, without handlers of the runtime.
            unsafe { libc::_exit(0) }
        }
    }
}

/// Calls a function of the runtime: `call!(omp_get_num_threads() -> i32)`,
/// `call!(GOMP_critical_name_start(name: *mut *mut c_void))`.
macro_rules! call {
    ($name:ident($($value:expr => $type:ty),* $(,)?) $(-> $result:ty)?) => {{
        // SAFETY: the type is that of the compilers' interface.
        let function = unsafe {
            $crate::runtime::function::<unsafe extern "C" fn($($type),*) $(-> $result)?>(
                stringify!($name),
            )
        };
        // SAFETY: the arguments are those of compiled code at this place.
        unsafe { function($($value),*) }
    }};
}

pub(crate) use call;
