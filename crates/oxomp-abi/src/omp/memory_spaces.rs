//! Resources of memory spaces (OpenMP 6.0 §27.1), and the groupprivate memory of target regions, of
//! which the host has none (6.1).

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_core::allocator::{self, NULL_SPACE};
use oxomp_core::process;

use crate::argument::{ByRef, List};

/// The number of resources, for C. The null memory space has no resources.
fn num_resources(memspace: usize) -> c_int {
    process::start_for_tool();
    if memspace == NULL_SPACE {
        return 0;
    }
    c_int::try_from(allocator::num_resources(memspace)).unwrap_or(c_int::MAX)
}

/// The part of the memory space. The null memory space has no parts.
fn part_of(memspace: usize, resources: &[c_int]) -> usize {
    process::start_for_tool();
    if memspace == NULL_SPACE { NULL_SPACE } else { allocator::part_of(memspace, resources) }
}

entry! {
    /// `int omp_get_memspace_num_resources(omp_memspace_handle_t memspace)`
    pub fn omp_get_memspace_num_resources(memspace: usize) -> c_int {
        num_resources(memspace)
    }

    /// `omp_get_memspace_num_resources` called from Fortran.
    pub fn omp_get_memspace_num_resources_(memspace: ByRef<usize>) -> c_int {
        num_resources(memspace.get())
    }

    /// `omp_memspace_handle_t omp_get_submemspace(omp_memspace_handle_t memspace,
    /// int num_resources, int *resources)`
    ///
    /// # Safety
    /// A3: `num_resources` is the number of resources.
    pub unsafe fn omp_get_submemspace(
        memspace: usize,
        num_resources: c_int,
        resources: List<c_int>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        part_of(memspace, unsafe { resources.with(num_resources) })
    }

    /// `omp_get_submemspace` called from Fortran.
    ///
    /// # Safety
    /// A3: `num_resources` is the number of resources.
    pub unsafe fn omp_get_submemspace_(
        memspace: ByRef<usize>,
        num_resources: ByRef<c_int>,
        resources: List<c_int>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        part_of(memspace.get(), unsafe { resources.with(num_resources.get()) })
    }

    /// `void *omp_get_dyn_gprivate_ptr(size_t offset, omp_access_t access_group)`: null, as no
    /// region of the host has such memory.
    pub fn omp_get_dyn_gprivate_ptr | omp_get_dyn_gprivate_nofb_ptr(
        _offset: usize,
        _access_group: c_int,
    ) -> *mut c_void {
        process::start_for_tool();
        ptr::null_mut()
    }

    /// `size_t omp_get_dyn_gprivate_size(omp_access_t access_group)`: 0, since there are no bytes
    /// of it.
    pub fn omp_get_dyn_gprivate_size(_access_group: c_int) -> usize {
        process::start_for_tool();
        0
    }

    /// `omp_memspace_handle_t omp_get_dyn_gprivate_memspace(omp_access_t access_group)`: the null
    /// memory space.
    pub fn omp_get_dyn_gprivate_memspace(_access_group: c_int) -> usize {
        process::start_for_tool();
        NULL_SPACE
    }
}
