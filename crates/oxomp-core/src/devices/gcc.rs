//! gcc's images for devices, and the constructs in gcc's code for them: oxomp's libomptarget, which
//! this library loads for them, executes them by libgomp's plug-ins (`oxomp_sys::connection`).
//!
//! A program without such images, or without a plug-in for them, has no devices, and pays a load
//! and a branch for each construct.

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicPtr};
use std::ffi::{CString, OsStr};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use oxomp_arch::CallSite;
use oxomp_base::diag;
use oxomp_base::os::{self, loader};
use oxomp_sys::connection::{
    oxomp_end_gcc_data_t, oxomp_execute_gcc_construct_t, oxomp_gcc_construct_t, oxomp_gcc_image_t,
    oxomp_register_gcc_image_t, oxomp_unregister_gcc_image_t,
};
use oxomp_sys::gomp::{GOMP_PLUGIN_VERSION, GOMP_PLUGINS};

use super::{MARK, PrivateRoutine};

/// What a constructor of a program with images calls.
pub(super) const REGISTRATION: &CStr = c"GOMP_offload_register_ver";

/// The offload library, in the folder of this one.
const LIBRARY: &str = "libomptarget.so";

/// Whether an image has been registered for which there is a plug-in.
static OFFLOADS: AtomicBool = AtomicBool::new(false);

/// The loader's handle of the offload library that this library has loaded, or null.
static LOADED: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

static REGISTER: PrivateRoutine = PrivateRoutine::new(c"oxomp_register_gcc_image");
static UNREGISTER: PrivateRoutine = PrivateRoutine::new(c"oxomp_unregister_gcc_image");
static EXECUTE: PrivateRoutine = PrivateRoutine::new(c"oxomp_execute_gcc_construct");
static END_DATA: PrivateRoutine = PrivateRoutine::new(c"oxomp_end_gcc_data");

/// Whether constructs of gcc's code may have devices: a load and a branch.
#[inline(always)]
pub fn offloads() -> bool {
    // Relaxed: the code of a library runs after its constructor has registered its image.
    OFFLOADS.load(Relaxed)
}

/// The version of libgomp's interface that the code with an image needs.
fn needed_version(version: c_uint) -> c_uint {
    version >> 16
}

/// Registers an image, unless no plug-in is installed for its devices, or, with a warning, it needs
/// a later interface for plug-ins than this library knows.
///
/// # Safety
/// The image and its table stay until the image is unregistered.
pub unsafe fn register(image: &oxomp_gcc_image_t) {
    let has_plugin = || {
        let found = GOMP_PLUGINS.iter().find(|(device_type, _)| *device_type == image.device_type);
        // The plug-in stays loaded: the offload library takes it from there.
        found
            .is_some_and(|(_, file)| loader::Library::open(file).map(loader::Library::keep).is_ok())
    };
    if !has_plugin() {
        return;
    }
    let version = needed_version(image.version);
    if version > GOMP_PLUGIN_VERSION {
        diag::warning(&format!(
            "the host executes the program's target constructs: their code for devices needs version \
             {version} of libgomp's interface for plug-ins, and oxomp has version \
             {GOMP_PLUGIN_VERSION}, that of gcc up to 12"
        ));
        return;
    }
    load_library();
    let Some(function) = REGISTER.in_libomptarget() else { return };
    // SAFETY: the library's function of that name has this type; the caller's own promise
    // (`# Safety`).
    unsafe {
        transmute::<NonNull<c_void>, oxomp_register_gcc_image_t>(function)(
            image,
            (&raw const OFFLOADS).cast(),
        );
    }
    OFFLOADS.store(true, Relaxed);
}

/// Unregisters an image.
pub fn unregister(image: &oxomp_gcc_image_t) {
    if !offloads() {
        return;
    }
    if let Some(function) = UNREGISTER.in_libomptarget() {
        // SAFETY: the library's function of that name has this type.
        unsafe { transmute::<NonNull<c_void>, oxomp_unregister_gcc_image_t>(function)(image) };
    }
}

/// Loads the offload library, unless the program has loaded one.
fn load_library() {
    if loaded().is_some() || loader::symbol_in_address_space(MARK).is_some() {
        return;
    }
    let Some(file) = file_beside_us() else { return };
    if let Ok(library) = loader::Library::open(&file) {
        // Release: with the Acquire of `loaded`. The library is never closed.
        LOADED.store(library.into_handle().as_ptr(), Release);
    }
}

/// The offload library's handle, if this library has loaded it.
pub(super) fn loaded() -> Option<NonNull<c_void>> {
    // Acquire: with the Release of `load_library`.
    NonNull::new(LOADED.load(Acquire))
}

/// Where the offload library is, if it is beside this one: links to this library may lie elsewhere.
fn file_beside_us() -> Option<CString> {
    let path = os::own_path()?;
    let here = fs::canonicalize(Path::new(OsStr::from_bytes(CStr::to_bytes(&path)))).ok()?;
    let file = here.parent()?.join(LIBRARY);
    file.exists().then(|| CString::new(file.into_os_string().into_vec()).ok())?
}

/// Executes a construct. Returns whether a device has executed it; otherwise the host does.
///
/// # Safety
/// gcc's code encounters the construct: its arrays have as many elements as it says, the memory of
/// its list items is valid, and its function is for them.
pub unsafe fn execute(construct: &oxomp_gcc_construct_t) -> bool {
    let Some(function) = EXECUTE.in_libomptarget() else { return false };
    // SAFETY: the library's function of that name has this type; the caller's own promise
    // (`# Safety`).
    unsafe { transmute::<NonNull<c_void>, oxomp_execute_gcc_construct_t>(function)(construct) != 0 }
}

/// Ends the innermost target data region of the calling thread. Returns whether it was on a device.
pub fn end_data(site: CallSite) -> bool {
    let Some(function) = END_DATA.in_libomptarget() else { return false };
    // SAFETY: the library's function of that name has this type; it takes any address.
    let ended: c_int = unsafe {
        transmute::<NonNull<c_void>, oxomp_end_gcc_data_t>(function)(site.return_address())
    };
    ended != 0
}
