//! Places and binding (OpenMP 5.2 §18.3): the place list is empty, threads are not bound to places.

use core::ffi::c_int;

use oxomp_core::Thread;
use oxomp_sys::omp::omp_proc_bind_t;

entry! {
    /// `omp_proc_bind_t omp_get_proc_bind(void)`
    pub fn omp_get_proc_bind | omp_get_proc_bind_() -> omp_proc_bind_t {
        Thread::current().icvs().bind_var.to_omp()
    }

    /// `int omp_get_num_places(void)`
    pub fn omp_get_num_places | omp_get_num_places_() -> c_int {
        0
    }

    /// `int omp_get_place_num(void)`: -1, the thread is not bound to a place.
    pub fn omp_get_place_num | omp_get_place_num_() -> c_int {
        -1
    }

    /// `int omp_get_place_num_procs(int place_num)`: 0, there is no such place.
    pub fn omp_get_place_num_procs(_place_num: c_int) -> c_int {
        0
    }

    /// `void omp_get_place_proc_ids(int place_num, int *ids)`: no place, so no id is stored.
    pub fn omp_get_place_proc_ids(_place_num: c_int, _ids: *mut c_int) {}

    /// `int omp_get_partition_num_places(void)`
    pub fn omp_get_partition_num_places | omp_get_partition_num_places_() -> c_int {
        0
    }

    /// `void omp_get_partition_place_nums(int *place_nums)`: no place, so no number is stored.
    pub fn omp_get_partition_place_nums | omp_get_partition_place_nums_
        | omp_get_partition_place_nums_8_(_place_nums: *mut c_int) {}

    // The place number is passed by value at LLVM's node and by reference at GCC's; with an empty
    // list neither is looked at.

    /// `omp_get_place_num_procs` called from Fortran.
    pub fn omp_get_place_num_procs_ | omp_get_place_num_procs_8_(_place_num: *const c_int) -> c_int {
        0
    }

    /// `omp_get_place_proc_ids` called from Fortran.
    pub fn omp_get_place_proc_ids_ | omp_get_place_proc_ids_8_(
        _place_num: *const c_int,
        _ids: *mut c_int,
    ) {}
}
