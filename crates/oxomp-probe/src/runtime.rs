//! The runtime under test: the functions that compilers' code and programs call, by name.

use std::ffi::{CStr, CString, c_void};
use std::mem::{MaybeUninit, transmute_copy};
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::verdict::{Fault, tell};

static RUNTIME: OnceLock<Library> = OnceLock::new();

/// A shared object, loaded for good.
#[derive(Debug)]
pub(crate) struct Library(NonNull<c_void>);

// SAFETY: a handle of dlopen may be used by any thread.
unsafe impl Send for Library {}
// SAFETY: any thread may use a handle of dlopen, and dlsym locks.
unsafe impl Sync for Library {}

impl Library {
    /// Loads `path`, whose symbols later libraries see if `is_global`; the loader's reason if it
    /// refuses.
    pub(crate) fn open(path: &CStr, is_global: bool) -> Result<Self, String> {
        let visibility = if is_global { libc::RTLD_GLOBAL } else { libc::RTLD_LOCAL };
        // SAFETY: the path is a C string. The library's initialisers are code of others, for which
        // the process exists.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | visibility) };
        NonNull::new(handle).map(Self).ok_or_else(|| {
            // SAFETY: dlopen failed, so dlerror gives a C string.
            let reason = unsafe { CStr::from_ptr(libc::dlerror()) };
            reason.to_string_lossy().into_owned()
        })
    }

    /// The address of a symbol of the library, or of those that it needs.
    pub(crate) fn symbol(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the handle is open for good, the name a C string.
        NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) })
    }

    /// The function of that name.
    ///
    /// # Safety
    ///
    /// `F` is the type of pointers to the function of that name.
    pub(crate) unsafe fn function<F: Copy>(&self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: function pointers have the size of a pointer; the caller vouches for the type.
        self.symbol(name).map(|address| unsafe { transmute_copy(&address) })
    }
}

/// Loads the runtime; every later call of this module goes to it.
pub(crate) fn load(path: &CStr) -> Result<(), String> {
    RUNTIME.set(Library::open(path, true)?).map_err(|_| "loaded twice".to_owned())
}

/// The address of a symbol of the runtime.
pub(crate) fn symbol(name: &CStr) -> Option<NonNull<c_void>> {
    RUNTIME.get()?.symbol(name)
}

/// The file that was loaded, as the loader names it.
pub(crate) fn file() -> Option<String> {
    let address = symbol(c"omp_get_max_threads")?;
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is writable; the address belongs to a symbol.
    if unsafe { libc::dladdr(address.as_ptr(), info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: dladdr succeeded; the name lives as long as the object, which is never unloaded.
    let name = unsafe { CStr::from_ptr(info.assume_init().dli_fname) };
    Some(name.to_string_lossy().into_owned())
}

/// A function of the runtime. If the runtime lacks it, reports that the check is impossible, and
/// ends the process.
///
/// # Safety
///
/// `F` is the type of pointers to the function of that name.
pub(crate) unsafe fn function<F: Copy>(name: &str) -> F {
    let c_name = CString::new(name).unwrap_or_default();
    // SAFETY: the caller vouches for the type.
    match RUNTIME.get().and_then(|runtime| unsafe { runtime.function(&c_name) }) {
        Some(function) => function,
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
        // SAFETY: the type is as in the compilers' interface.
        let function = unsafe {
            $crate::runtime::function::<unsafe extern "C" fn($($type),*) $(-> $result)?>(
                stringify!($name),
            )
        };
        // SAFETY: the arguments are as compiled code passes them at this place.
        unsafe { function($($value),*) }
    }};
}

pub(crate) use call;
