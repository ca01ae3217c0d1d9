//! The non-host devices (OpenMP 5.2 §18.7): those of libomptarget, if the program has loaded it.

use core::ffi::{CStr, c_int, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use crate::os::loader;

/// A function that every offload runtime for clang exports, and no host runtime does.
const MARK: &CStr = c"__tgt_register_lib";

/// The number of non-host devices, which is also the device number of the host.
pub fn num_devices() -> c_int {
    static KNOWN: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    // Relaxed: the address of code, which needs no publication.
    let mut function = NonNull::new(KNOWN.load(Relaxed));
    if function.is_none() {
        // The program may load the library later.
        function = find();
        KNOWN.store(function.map_or(ptr::null_mut(), NonNull::as_ptr), Relaxed);
    }
    function.map_or(0, |function| {
        // SAFETY: the library's function of that name has this type (OpenMP 5.2 §18.7.4).
        unsafe { transmute::<NonNull<c_void>, extern "C" fn() -> c_int>(function)() }
    })
}

/// The library's own `omp_get_num_devices`.
fn find() -> Option<NonNull<c_void>> {
    let mark = loader::symbol_in_address_space(MARK)?;
    let function = loader::symbol_seen_from(mark.as_ptr(), c"omp_get_num_devices")?;
    (!loader::is_ours(function)).then_some(function)
}
