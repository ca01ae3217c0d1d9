//! The variable to which a request to attach a tool is written (`oxomp_sys::attach`).

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use oxomp_sys::attach::{STARTING, VERSION, oxomp_attach_t};

use crate::ompt::event::{ACTIVE, emit, mask_word};

/// The exported variable; null before `install`.
static VARIABLE: AtomicPtr<oxomp_attach_t> = AtomicPtr::new(ptr::null_mut());

/// The variable; `None` before it is installed.
pub(super) fn variable() -> Option<&'static oxomp_attach_t> {
    // SAFETY: null, or the variable that `install` was given, which lives for ever.
    unsafe { VARIABLE.load(Acquire).as_ref() }
}

/// Makes `variable` the one that requests are written to. Called when the library is loaded.
pub fn install(variable: &'static oxomp_attach_t) {
    variable.mask.store(ptr::from_ref(mask_word()).cast_mut(), Relaxed);
    variable.events.store(emit::EMITTED | ACTIVE, Relaxed);
    variable.version.store(VERSION, Release);
    VARIABLE.store(ptr::from_ref(variable).cast_mut(), Release);
}

/// The request for the tool that is being initialized; `None` if it was found by a search.
pub(super) fn request() -> Option<&'static oxomp_attach_t> {
    variable().filter(|variable| variable.state.load(Acquire) == STARTING)
}

/// `oxomp_attach_request`.
pub(super) extern "C" fn tell_request() -> *const oxomp_attach_t {
    request().map_or(ptr::null(), ptr::from_ref)
}
