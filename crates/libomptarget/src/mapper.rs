//! What compilers' mapper functions call.

use core::ffi::c_void;

use oxomp_target::components::{Component, Components};

export! {
    /// `void __tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size,
    /// int64_t type, void *name)`
    ///
    /// # Safety
    /// The handle is the one that the calling mapper was given.
    pub (unsafe) fn __tgt_push_mapper_component(
        handle: *mut c_void,
        base: *mut c_void,
        begin: *mut c_void,
        size: i64,
        map_type: i64,
        name: *mut c_void,
    ) {
        let component = Component { base, begin, size, map_type, name };
        // SAFETY: the caller's own promise (`# Safety`); nobody else uses the list.
        unsafe { (*handle.cast::<Components>()).push(component) };
    }

    /// `int64_t __tgt_mapper_num_components(void *handle)`
    ///
    /// # Safety
    /// As for `__tgt_push_mapper_component`.
    pub (unsafe) fn __tgt_mapper_num_components(handle: *mut c_void) -> i64 {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { (*handle.cast::<Components>()).items().len() as i64 }
    }
}
