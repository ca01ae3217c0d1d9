//! Annotations for ThreadSanitizer: memory of a task that the runtime reuses for another task.
//!
//! A tool (LLVM's Archer) tells the detector about the synchronization of the program's constructs.
//! The reuse of a task's block after the task is complete is internal to the runtime: no construct
//! implies it, and the detector does not see the runtime's atomics, since the runtime is not
//! compiled for it.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_base::os::loader;

/// `void AnnotateHappensBefore(const char *file, int line, const volatile void *address)`, and
/// `AnnotateHappensAfter` with the same arguments: code before the former happens before code after
/// a later call of the latter with that address, on any thread.
type Annotate = unsafe extern "C" fn(*const c_char, c_int, *const c_void);

static HAPPENS_BEFORE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
static HAPPENS_AFTER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Whether the program runs under ThreadSanitizer.
pub(crate) fn is_there() -> bool {
    loader::symbol_in_address_space(c"__tsan_init").is_some()
}

/// Looks up the detector's functions, since a tool runs that may need the annotations.
pub(crate) fn prepare() {
    if is_there() {
        let find = |name: &CStr| {
            loader::symbol_in_address_space(name).map_or(ptr::null_mut(), NonNull::as_ptr)
        };
        // Relaxed: a thread that does not see a function yet makes no annotation.
        HAPPENS_BEFORE.store(find(c"AnnotateHappensBefore"), Relaxed);
        HAPPENS_AFTER.store(find(c"AnnotateHappensAfter"), Relaxed);
    }
}

/// Annotates that the calling thread no longer uses the memory at `address`.
pub(crate) fn leave(address: *const c_void) {
    annotate(&HAPPENS_BEFORE, address);
}

/// Annotates that the calling thread uses the memory at `address`, after the threads that called
/// `leave`.
pub(crate) fn take(address: *const c_void) {
    annotate(&HAPPENS_AFTER, address);
}

fn annotate(function: &AtomicPtr<c_void>, address: *const c_void) {
    let function = function.load(Relaxed);
    if !function.is_null() {
        // SAFETY: the detector's function of that name has this type, and only records the address.
        unsafe { transmute::<*mut c_void, Annotate>(function)(c"".as_ptr(), 0, address) };
    }
}
