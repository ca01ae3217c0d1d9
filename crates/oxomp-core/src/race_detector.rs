//! ThreadSanitizer, as far as the runtime itself has to speak to it: of memory that goes
//! from task to task.
//!
//! What synchronizes the program a tool tells it (LLVM's Archer). But that a block of memory is
//! used for another task only when the one before is over is the runtime's own business: no
//! construct says so, and what the runtime does with atomics the detector does not see, for the
//! runtime is not compiled for it.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use crate::os::loader;

/// `void AnnotateHappensBefore(const char *file, int line, const volatile void *address)`, and the
/// same for `AnnotateHappensAfter`: what comes after the one on any thread has seen what came
/// before the other.
type Annotate = unsafe extern "C" fn(*const c_char, c_int, *const c_void);

static HAPPENS_BEFORE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
static HAPPENS_AFTER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Whether the program runs under ThreadSanitizer.
pub(crate) fn is_there() -> bool {
    loader::symbol_in_address_space(c"__tsan_init").is_some()
}

/// A tool runs, so that what follows is asked for.
pub(crate) fn prepare() {
    if is_there() {
        let find = |name: &CStr| {
            loader::symbol_in_address_space(name).map_or(ptr::null_mut(), NonNull::as_ptr)
        };
        // Relaxed: who misses one tells nothing yet.
        HAPPENS_BEFORE.store(find(c"AnnotateHappensBefore"), Relaxed);
        HAPPENS_AFTER.store(find(c"AnnotateHappensAfter"), Relaxed);
    }
}

/// The calling thread has done with the memory at `address`.
pub(crate) fn leave(address: *const c_void) {
    annotate(&HAPPENS_BEFORE, address);
}

/// The calling thread goes on with memory that others have left.
pub(crate) fn take(address: *const c_void) {
    annotate(&HAPPENS_AFTER, address);
}

fn annotate(function: &AtomicPtr<c_void>, address: *const c_void) {
    let function = function.load(Relaxed);
    if !function.is_null() {
        // SAFETY: a function under that name has this type; it only notes the address.
        unsafe { transmute::<*mut c_void, Annotate>(function)(c"".as_ptr(), 0, address) };
    }
}
