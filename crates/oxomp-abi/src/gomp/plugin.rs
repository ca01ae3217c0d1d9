//! What libgomp's plug-ins call of libgomp (GOMP_PLUGIN): memory, messages, and OpenACC's side of
//! libgomp, which this runtime does not have: its answers are those to a thread without OpenACC.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::ptr;
use std::env;

use oxomp_base::diag;

/// Room for a message; a longer one is cut.
const MESSAGE_BYTES: usize = 1024;

unsafe extern "C" {
    /// The C library's, which takes the address of a `va_list` on every processor of ours.
    fn vsnprintf(
        text: *mut c_char,
        bytes: usize,
        format: *const c_char,
        list: *mut c_void,
    ) -> c_int;
}

/// The text of a message.
///
/// # Safety
/// A27: a format of C, and the list of its arguments.
unsafe fn text(format: *const c_char, list: *mut c_void) -> String {
    let mut text = [0; MESSAGE_BYTES];
    // SAFETY: the room has these bytes, the last of which the function writes as 0; A27.
    unsafe {
        vsnprintf(text.as_mut_ptr(), text.len(), format, list);
        CStr::from_ptr(text.as_ptr()).to_string_lossy().trim_end().to_owned()
    }
}

unsafe extern "C" fn debug(_kind: usize, format: *const c_char, list: *mut c_void) {
    if env::var("GOMP_DEBUG").is_ok_and(|value| value.trim() != "0") {
        // SAFETY: A27 of the arguments.
        diag::info(&unsafe { text(format, list) });
    }
}

unsafe extern "C" fn error(format: *const c_char, _: usize, list: *mut c_void) {
    // SAFETY: A27 of the arguments.
    diag::warning(&format!("libgomp's plug-in: {}", unsafe { text(format, list) }));
}

unsafe extern "C" fn fatal(format: *const c_char, _: usize, list: *mut c_void) -> ! {
    // SAFETY: A27 of the arguments.
    diag::fatal(&format!("libgomp's plug-in: {}", unsafe { text(format, list) }))
}

/// The block, unless it is null though there are bytes for it: plug-ins rely on their memory.
fn certain(block: *mut c_void, bytes: usize) -> *mut c_void {
    if block.is_null() && bytes != 0 {
        diag::fatal(&format!("no memory ({bytes} bytes) for libgomp's plug-in"));
    }
    block
}

entry! {
    /// `void *GOMP_PLUGIN_malloc(size_t size)`
    pub fn GOMP_PLUGIN_malloc(bytes: usize) -> *mut c_void {
        // SAFETY: malloc has no precondition.
        certain(unsafe { libc::malloc(bytes) }, bytes)
    }

    /// `void *GOMP_PLUGIN_malloc_cleared(size_t size)`
    pub fn GOMP_PLUGIN_malloc_cleared(bytes: usize) -> *mut c_void {
        // SAFETY: calloc has no precondition.
        certain(unsafe { libc::calloc(1, bytes) }, bytes)
    }

    /// `void *GOMP_PLUGIN_realloc(void *ptr, size_t size)`
    ///
    /// # Safety
    /// A27: null, or memory of these functions, which the plug-in gives up.
    pub unsafe fn GOMP_PLUGIN_realloc(block: *mut c_void, bytes: usize) -> *mut c_void {
        // SAFETY: A27 of the arguments.
        certain(unsafe { libc::realloc(block, bytes) }, bytes)
    }

    /// `void GOMP_PLUGIN_debug(int kind, const char *format, ...)`: prints if GOMP_DEBUG is set.
    ///
    /// # Safety
    /// A27: the format, and its arguments.
    pub unsafe naked fn GOMP_PLUGIN_debug() {
        oxomp_arch::pass_list!(debug, 2)
    }

    /// `void GOMP_PLUGIN_error(const char *format, ...)`
    ///
    /// # Safety
    /// A27: the format, and its arguments.
    pub unsafe naked fn GOMP_PLUGIN_error() {
        oxomp_arch::pass_list!(error, 1)
    }

    /// `void GOMP_PLUGIN_fatal(const char *format, ...)`, which does not return.
    ///
    /// # Safety
    /// A27: the format, and its arguments.
    pub unsafe naked fn GOMP_PLUGIN_fatal() {
        oxomp_arch::pass_list!(fatal, 1)
    }

    /// `void GOMP_PLUGIN_target_task_completion(void *data)`: a kernel is done that libgomp has
    /// begun by `GOMP_OFFLOAD_async_run`; this runtime begins kernels by `GOMP_OFFLOAD_run` alone.
    pub fn GOMP_PLUGIN_target_task_completion(_data: *mut c_void) {
        diag::fatal("libgomp's plug-in reports the end of a kernel that does not run");
    }

    /// `struct goacc_thread *GOMP_PLUGIN_goacc_thread(void)`: null, as for a thread of libgomp that
    /// executes no OpenACC.
    pub fn GOMP_PLUGIN_goacc_thread | GOMP_PLUGIN_acc_thread() -> *mut c_void {
        ptr::null_mut()
    }

    /// `int GOMP_PLUGIN_acc_default_dim(unsigned dim)`: 0, for OpenACC has set none.
    pub fn GOMP_PLUGIN_acc_default_dim(_dimension: c_uint) -> c_int {
        0
    }

    /// `void GOMP_PLUGIN_async_unmap_vars(void *ptr, int async)`: of OpenACC, whose constructs this
    /// runtime does not have.
    pub fn GOMP_PLUGIN_async_unmap_vars(_memory: *mut c_void, _queue: c_int) {
        diag::fatal("libgomp's plug-in unmaps variables of OpenACC, which oxomp does not support");
    }

    /// `void GOMP_PLUGIN_goacc_profiling_dispatch(acc_prof_info *, acc_event_info *, acc_api_info
    /// *)`: nobody listens to events of OpenACC.
    pub fn GOMP_PLUGIN_goacc_profiling_dispatch(
        _profile: *mut c_void,
        _event: *mut c_void,
        _api: *mut c_void,
    ) {
    }
}
