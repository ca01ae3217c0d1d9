//! What compilers' mapper functions call.

use core::ffi::c_void;

use oxomp_target::components::{Component, Components};

/// The handle that the calling mapper was given (rule T6).
#[repr(transparent)]
#[derive(Debug)]
pub struct Handle(*mut Components);

impl Handle {
    fn with<T>(self, act: impl FnOnce(&mut Components) -> T) -> T {
        // SAFETY: T6: the list of the mapper, which nobody else uses.
        act(unsafe { &mut *self.0 })
    }
}

export! {
    /// `void __tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size,
    /// int64_t type, void *name)`
    pub fn __tgt_push_mapper_component(
        handle: Handle,
        base: *mut c_void,
        begin: *mut c_void,
        size: i64,
        map_type: i64,
        name: *mut c_void,
    ) {
        let component = Component { base, begin, size, map_type, name };
        handle.with(|components| components.push(component));
    }

    /// `int64_t __tgt_mapper_num_components(void *handle)`
    pub fn __tgt_mapper_num_components(handle: Handle) -> i64 {
        handle.with(|components| components.items().len() as i64)
    }
}
