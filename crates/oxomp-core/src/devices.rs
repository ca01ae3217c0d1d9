//! The devices that are not the host (OpenMP 5.2 §18.7): those of libomptarget, where
//! the program has it.

use core::ffi::{CStr, c_int, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use crate::os::loader;

/// What every offload runtime for clang's programs exports, and no host runtime.
const MARK: &CStr = c"__tgt_register_lib";

/// Number of the devices; the host's number is the one after them.
pub fn num_devices() -> c_int {
    static KNOWN: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    // Relaxed: the address of code.
    let mut function = NonNull::new(KNOWN.load(Relaxed));
    if function.is_none() {
        // The library may still come.
        function = find();
        KNOWN.store(function.map_or(ptr::null_mut(), NonNull::as_ptr), Relaxed);
    }
    function.map_or(0, |function| {
        // SAFETY: a function of that library under that name has this type (OpenMP 5.2 §18.7.4).
        unsafe { transmute::<NonNull<c_void>, extern "C" fn() -> c_int>(function)() }
    })
}

/// The library's own `omp_get_num_devices`.
fn find() -> Option<NonNull<c_void>> {
    let mark = loader::symbol_in_address_space(MARK)?;
    let function = loader::symbol_seen_from(mark.as_ptr(), c"omp_get_num_devices")?;
    (!loader::is_ours(function)).then_some(function)
}
