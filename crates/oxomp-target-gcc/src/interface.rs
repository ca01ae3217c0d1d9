//! A plug-in of libgomp: the functions that it exports, by their names.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::mem::transmute_copy;
use core::ptr::NonNull;

use oxomp_sys::gomp::{GOMP_PLUGIN_VERSION, gomp_addr_pair};
use oxomp_target::report;

type Copy = unsafe extern "C" fn(c_int, *mut c_void, *const c_void, usize) -> bool;

/// The functions that libgomp calls for OpenMP.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interface {
    pub(crate) get_name: unsafe extern "C" fn() -> *const c_char,
    pub(crate) get_caps: unsafe extern "C" fn() -> c_uint,
    pub(crate) get_type: unsafe extern "C" fn() -> c_int,
    pub(crate) get_num_devices: unsafe extern "C" fn() -> c_int,
    pub(crate) init_device: unsafe extern "C" fn(c_int) -> bool,
    pub(crate) fini_device: unsafe extern "C" fn(c_int) -> bool,
    pub(crate) load_image:
        unsafe extern "C" fn(c_int, c_uint, *const c_void, *mut *mut gomp_addr_pair) -> c_int,
    pub(crate) unload_image: unsafe extern "C" fn(c_int, c_uint, *const c_void) -> bool,
    pub(crate) alloc: unsafe extern "C" fn(c_int, usize) -> *mut c_void,
    pub(crate) free: unsafe extern "C" fn(c_int, *mut c_void) -> bool,
    pub(crate) dev2host: Copy,
    pub(crate) host2dev: Copy,
    /// `None` if the devices have no copies of their own.
    pub(crate) dev2dev: Option<Copy>,
    pub(crate) run: unsafe extern "C" fn(c_int, *mut c_void, *mut c_void, *mut *mut c_void),
    /// Whether a device can execute a function; `None` if it can execute all.
    pub(crate) can_run: Option<unsafe extern "C" fn(*mut c_void) -> bool>,
}

/// A handle of the loader.
#[derive(Clone, Copy)]
struct Handle(NonNull<c_void>);

impl Handle {
    /// The function of that name.
    ///
    /// # Safety
    /// `F` is the type of the function.
    unsafe fn function<F: core::marker::Copy>(self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: a handle of the loader, which is never closed, and a string.
        let address = NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) })?;
        // SAFETY: a function of this type (`# Safety`).
        Some(unsafe { transmute_copy::<NonNull<c_void>, F>(&address) })
    }
}

impl Interface {
    /// The plug-in in that file, which the loader finds as it finds any library. `None` if there is
    /// no such file, or, with a warning, if it is no plug-in that this library can drive.
    pub(crate) fn open(file: &CStr) -> Option<Self> {
        // SAFETY: a string; the plug-in's constructors are those of a library of the system.
        let handle = Handle(NonNull::new(unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_LAZY) })?);
        let refuse = |why: &str| report::warn(&format!("{} is not used: {why}", name_of(file)));
        // SAFETY: every plug-in of libgomp has this function with this type.
        let version: Option<unsafe extern "C" fn() -> c_uint> =
            unsafe { handle.function(c"GOMP_OFFLOAD_version") };
        let Some(version) = version else {
            refuse("it is no plug-in of libgomp");
            return None;
        };
        // SAFETY: the function has no precondition.
        let version = unsafe { version() };
        if version != GOMP_PLUGIN_VERSION {
            refuse(&format!(
                "it has version {version} of libgomp's interface for plug-ins, and oxomp drives \
                 version {GOMP_PLUGIN_VERSION}, that of gcc up to 12"
            ));
            return None;
        }
        // SAFETY: a plug-in of this version.
        let interface = unsafe { Self::of(handle) };
        if interface.is_none() {
            refuse("it lacks a function that devices need");
        }
        interface
    }

    /// # Safety
    /// The handle is of a plug-in of `GOMP_PLUGIN_VERSION`.
    unsafe fn of(handle: Handle) -> Option<Self> {
        // SAFETY: in this version the functions of these names have these types (`# Safety`).
        unsafe {
            Some(Self {
                get_name: handle.function(c"GOMP_OFFLOAD_get_name")?,
                get_caps: handle.function(c"GOMP_OFFLOAD_get_caps")?,
                get_type: handle.function(c"GOMP_OFFLOAD_get_type")?,
                get_num_devices: handle.function(c"GOMP_OFFLOAD_get_num_devices")?,
                init_device: handle.function(c"GOMP_OFFLOAD_init_device")?,
                fini_device: handle.function(c"GOMP_OFFLOAD_fini_device")?,
                load_image: handle.function(c"GOMP_OFFLOAD_load_image")?,
                unload_image: handle.function(c"GOMP_OFFLOAD_unload_image")?,
                alloc: handle.function(c"GOMP_OFFLOAD_alloc")?,
                free: handle.function(c"GOMP_OFFLOAD_free")?,
                dev2host: handle.function(c"GOMP_OFFLOAD_dev2host")?,
                host2dev: handle.function(c"GOMP_OFFLOAD_host2dev")?,
                dev2dev: handle.function(c"GOMP_OFFLOAD_dev2dev"),
                run: handle.function(c"GOMP_OFFLOAD_run")?,
                can_run: handle.function(c"GOMP_OFFLOAD_can_run"),
            })
        }
    }
}

/// The name of a file, for messages.
pub(crate) fn name_of(file: &CStr) -> String {
    file.to_string_lossy().into_owned()
}
