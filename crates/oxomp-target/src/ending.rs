//! The end of the process: programs stay loaded then, since other threads may run their kernels.

use core::ffi::{c_int, c_void};
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicBool, AtomicUsize};

unsafe extern "C" {
    /// Registers `function`, which is called with `argument` when the process ends, or earlier by
    /// `__cxa_finalize` of `owner`.
    fn __cxa_atexit(
        function: extern "C" fn(*mut c_void),
        argument: *mut c_void,
        owner: *mut c_void,
    ) -> c_int;
    /// Calls and forgets the functions of `owner`.
    fn __cxa_finalize(owner: *mut c_void);
}

static ENDS: AtomicBool = AtomicBool::new(false);

/// Which registration counts. Its address is the owner's handle.
static LATEST: AtomicUsize = AtomicUsize::new(0);

extern "C" fn ends(registration: *mut c_void) {
    if registration.addr() == LATEST.load(SeqCst) {
        ENDS.store(true, Relaxed);
    }
}

/// Whether the process has begun to end.
pub(crate) fn has_begun() -> bool {
    ENDS.load(Relaxed)
}

/// Watches for the end. The C library calls what was registered last first. A library has
/// registered its destructor, which unloads its programs, before a device loads them; so each load
/// registers anew, to be called before that destructor. The caller holds the lock of the libraries.
pub(crate) fn watch() {
    let owner = ptr::from_ref(&LATEST).cast_mut().cast();
    let registration = LATEST.fetch_add(1, SeqCst) + 1;
    // SAFETY: the functions of this owner are `ends`, and this library is never unloaded.
    unsafe {
        __cxa_finalize(owner);
        __cxa_atexit(ends, ptr::without_provenance_mut(registration), owner);
    }
}
