//! Memory management routines (OpenMP 5.2 §18.13), for C and for Fortran.

use core::ffi::c_int;

use oxomp_core::{allocator, process};
use oxomp_sys::omp::omp_alloctrait_t;

use crate::argument::{AllocatorArgument, Block, ByRef, List};

entry! {
    /// `void *omp_alloc(size_t size, omp_allocator_handle_t allocator)`
    pub fn omp_alloc(size: usize, allocator: usize) -> Block {
        process::start_for_tool();
        Block::new(1, size, allocator)
    }

    /// `void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator)`
    pub fn omp_aligned_alloc(alignment: usize, size: usize, allocator: usize) -> Block {
        process::start_for_tool();
        Block::new(alignment, size, allocator)
    }

    /// `void *omp_calloc(size_t nmemb, size_t size, omp_allocator_handle_t allocator)`
    pub fn omp_calloc(count: usize, size: usize, allocator: usize) -> Block {
        process::start_for_tool();
        Block::zeroed(1, count, size, allocator)
    }

    /// `void *omp_aligned_calloc(size_t alignment, size_t nmemb, size_t size,
    /// omp_allocator_handle_t allocator)`
    pub fn omp_aligned_calloc(
        alignment: usize,
        count: usize,
        size: usize,
        allocator: usize,
    ) -> Block {
        process::start_for_tool();
        Block::zeroed(alignment, count, size, allocator)
    }

    /// `void *omp_realloc(void *ptr, size_t size, omp_allocator_handle_t allocator,
    /// omp_allocator_handle_t free_allocator)`
    pub fn omp_realloc(
        block: Block,
        size: usize,
        allocator: usize,
        free_allocator: usize,
    ) -> Block {
        process::start_for_tool();
        block.resize(size, allocator, free_allocator)
    }

    /// `void omp_free(void *ptr, omp_allocator_handle_t allocator)`
    pub fn omp_free(block: Block, allocator: usize) {
        process::start_for_tool();
        block.free_by(allocator);
    }

    /// `omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t memspace, int ntraits,
    /// const omp_alloctrait_t traits[])`
    ///
    /// # Safety
    /// A3: `ntraits` is the number of traits.
    pub unsafe fn omp_init_allocator(
        memspace: usize,
        ntraits: c_int,
        traits: List<omp_alloctrait_t>,
    ) -> usize {
        process::start_for_tool();
        // SAFETY: A3, as this function demands.
        allocator::create(memspace, unsafe { traits.with(ntraits) }).to_abi()
    }

    /// `omp_init_allocator` called from Fortran.
    ///
    /// # Safety
    /// A3: `ntraits` is the number of traits.
    pub unsafe fn omp_init_allocator_(
        memspace: ByRef<usize>,
        ntraits: ByRef<c_int>,
        traits: List<omp_alloctrait_t>,
    ) -> usize {
        process::start_for_tool();
        // SAFETY: A3, as this function demands.
        allocator::create(memspace.get(), unsafe { traits.with(ntraits.get()) }).to_abi()
    }

    /// `omp_init_allocator` called from Fortran with an 8-byte number of traits.
    ///
    /// # Safety
    /// A3: `ntraits` is the number of traits.
    pub unsafe fn omp_init_allocator_8_(
        memspace: ByRef<usize>,
        ntraits: ByRef<i64>,
        traits: List<omp_alloctrait_t>,
    ) -> usize {
        process::start_for_tool();
        // SAFETY: A3, as this function demands.
        allocator::create(memspace.get(), unsafe { traits.with(ntraits.get()) }).to_abi()
    }

    /// `void omp_destroy_allocator(omp_allocator_handle_t allocator)`
    pub fn omp_destroy_allocator(allocator: usize) {
        process::start_for_tool();
        allocator::destroy(allocator);
    }

    /// `omp_destroy_allocator` called from Fortran: LLVM's library takes the handle by value.
    pub fn omp_destroy_allocator_@["VERSION"](allocator: AllocatorArgument) {
        process::start_for_tool();
        allocator::destroy(allocator.get());
    }

    /// `omp_destroy_allocator` called from Fortran: GCC's library takes it by reference.
    pub fn omp_destroy_allocator_by_reference = omp_destroy_allocator_@["OMP_5.0.1"](
        allocator: ByRef<usize>,
    ) {
        process::start_for_tool();
        allocator::destroy(allocator.get());
    }

    /// `void omp_set_default_allocator(omp_allocator_handle_t allocator)`
    pub fn omp_set_default_allocator(allocator: usize) {
        allocator::set_default_allocator(allocator);
    }

    /// `omp_set_default_allocator` called from Fortran: LLVM's library takes the handle by value.
    pub fn omp_set_default_allocator_@["VERSION"](allocator: AllocatorArgument) {
        allocator::set_default_allocator(allocator.get());
    }

    /// `omp_set_default_allocator` called from Fortran: GCC's library takes it by reference.
    pub fn omp_set_default_allocator_by_reference = omp_set_default_allocator_@["OMP_5.0.1"](
        allocator: ByRef<usize>,
    ) {
        allocator::set_default_allocator(allocator.get());
    }

    /// `omp_allocator_handle_t omp_get_default_allocator(void)`
    pub fn omp_get_default_allocator | omp_get_default_allocator_() -> usize {
        allocator::default_allocator().to_abi()
    }
}
