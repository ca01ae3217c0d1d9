//! Memory that clang's code asks for itself: of depend objects, and of variables with an allocator
//! (kmpc). The handles are those of the user's routines.

use core::ffi::c_int;

use oxomp_core::allocator;
use oxomp_sys::omp::omp_alloctrait_t;

use crate::argument::{Block, List};

entry! {
    /// `void *__kmpc_alloc(int gtid, size_t size, omp_allocator_handle_t allocator)`: null if there
    /// is no such memory.
    pub fn __kmpc_alloc(_gtid: c_int, size: usize, allocator: usize) -> Block {
        Block::new(1, size, allocator)
    }

    /// `void *__kmpc_aligned_alloc(int gtid, size_t algn, size_t size,
    /// omp_allocator_handle_t allocator)`
    pub fn __kmpc_aligned_alloc(
        _gtid: c_int,
        alignment: usize,
        size: usize,
        allocator: usize,
    ) -> Block {
        Block::new(alignment, size, allocator)
    }

    /// `void *__kmpc_calloc(int gtid, size_t nmemb, size_t size, omp_allocator_handle_t allocator)`
    pub fn __kmpc_calloc(_gtid: c_int, count: usize, size: usize, allocator: usize) -> Block {
        Block::zeroed(1, count, size, allocator)
    }

    /// `void *__kmpc_realloc(int gtid, void *ptr, size_t size, omp_allocator_handle_t allocator,
    /// omp_allocator_handle_t free_allocator)`
    pub fn __kmpc_realloc(
        _gtid: c_int,
        block: Block,
        size: usize,
        allocator: usize,
        free_allocator: usize,
    ) -> Block {
        block.resize(size, allocator, free_allocator)
    }

    /// `void __kmpc_free(int gtid, void *ptr, omp_allocator_handle_t allocator)`
    pub fn __kmpc_free(_gtid: c_int, block: Block, _allocator: usize) {
        block.free();
    }

    /// `omp_allocator_handle_t __kmpc_init_allocator(int gtid, omp_memspace_handle_t ms,
    /// int ntraits, omp_alloctrait_t *traits)`
    ///
    /// # Safety
    /// A3: `ntraits` is the number of traits.
    pub unsafe fn __kmpc_init_allocator(
        _gtid: c_int,
        memspace: usize,
        ntraits: c_int,
        traits: List<omp_alloctrait_t>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        allocator::create(memspace, unsafe { traits.with(ntraits) }).to_abi()
    }

    /// `void __kmpc_destroy_allocator(int gtid, omp_allocator_handle_t allocator)`
    pub fn __kmpc_destroy_allocator(_gtid: c_int, allocator: usize) {
        allocator::destroy(allocator);
    }

    /// `void __kmpc_set_default_allocator(int gtid, omp_allocator_handle_t allocator)`
    pub fn __kmpc_set_default_allocator(_gtid: c_int, allocator: usize) {
        allocator::set_default_allocator(allocator);
    }

    /// `omp_allocator_handle_t __kmpc_get_default_allocator(int gtid)`
    pub fn __kmpc_get_default_allocator(_gtid: c_int) -> usize {
        allocator::default_allocator().to_abi()
    }
}
