//! Memory that clang's code asks for itself: of depend objects, and of variables with an allocator
//! (kmpc).
//!
//! Nothing makes allocators here, so a handle is one of the predefined ones, and each of their
//! memory spaces is the C library's heap.

use core::ffi::c_int;

use crate::argument::Allocation;

entry! {
    /// `void *__kmpc_alloc(int gtid, size_t size, omp_allocator_handle_t allocator)`: null if there
    /// is no such memory.
    pub fn __kmpc_alloc(_gtid: c_int, size: usize, _allocator: usize) -> Allocation {
        Allocation::new(size)
    }

    /// `void __kmpc_free(int gtid, void *ptr, omp_allocator_handle_t allocator)`
    pub fn __kmpc_free(_gtid: c_int, memory: Allocation, _allocator: usize) {
        memory.free();
    }
}
