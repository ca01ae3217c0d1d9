//! Places and binding (OpenMP 5.2 §18.3), for C and for Fortran.

use core::ffi::c_int;

use oxomp_core::places::ProcSet;
use oxomp_core::{Thread, settings};
use oxomp_sys::omp::omp_proc_bind_t;

/// The calling thread, which is at its place from now on.
fn placed() -> &'static Thread {
    let thread = Thread::current();
    thread.take_place();
    thread
}

/// A place of the list, which is made when the runtime starts.
fn place(place_num: c_int) -> Option<&'static ProcSet> {
    placed();
    settings::get().places.get(place_num)
}

/// Stores numbers one after the other, for Fortran as integers of the kind that it uses.
///
/// # Safety
/// `to` has room for all numbers, or is null: then nothing is stored.
unsafe fn store<T: From<c_int>>(to: *mut T, numbers: impl Iterator<Item = u32>) {
    if to.is_null() {
        return;
    }
    for (index, number) in numbers.enumerate() {
        // SAFETY: by contract.
        unsafe { to.add(index).write(T::from(number.cast_signed())) };
    }
}

/// Numbers of the places of the innermost implicit task's partition.
fn partition() -> core::ops::Range<u32> {
    placed().implicit_task().partition().places()
}

/// The processors of a place; none if there is no such place.
fn processors(place_num: c_int) -> impl Iterator<Item = u32> {
    place(place_num).into_iter().flat_map(ProcSet::iter)
}

/// An 8-byte place number; -1, which no place has, for one that is too large.
fn narrow(place_num: i64) -> c_int {
    c_int::try_from(place_num).unwrap_or(-1)
}

entry! {
    /// `omp_proc_bind_t omp_get_proc_bind(void)`
    pub fn omp_get_proc_bind | omp_get_proc_bind_() -> omp_proc_bind_t {
        Thread::current().icvs().bind_var.to_omp()
    }

    /// `int omp_get_num_places(void)`
    pub fn omp_get_num_places | omp_get_num_places_() -> c_int {
        placed();
        settings::get().places.len().cast_signed()
    }

    /// `int omp_get_place_num(void)`: -1 if the thread is not bound to a place.
    pub fn omp_get_place_num | omp_get_place_num_() -> c_int {
        placed().place().to_omp()
    }

    /// `int omp_get_place_num_procs(int place_num)`: 0 if there is no such place.
    pub fn omp_get_place_num_procs(place_num: c_int) -> c_int {
        place(place_num).map_or(0, |place| place.len() as c_int)
    }

    /// `void omp_get_place_proc_ids(int place_num, int *ids)`: nothing is stored if there is no such
    /// place.
    ///
    /// # Safety
    /// `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids(place_num: c_int, ids: *mut c_int) {
        // SAFETY: by contract.
        unsafe { store(ids, processors(place_num)) }
    }

    /// `int omp_get_partition_num_places(void)`
    pub fn omp_get_partition_num_places | omp_get_partition_num_places_() -> c_int {
        partition().len() as c_int
    }

    /// `void omp_get_partition_place_nums(int *place_nums)`
    ///
    /// # Safety
    /// `place_nums` has room for all places of the partition.
    pub unsafe fn omp_get_partition_place_nums | omp_get_partition_place_nums_(
        place_nums: *mut c_int,
    ) {
        // SAFETY: by contract.
        unsafe { store(place_nums, partition()) }
    }

    /// `omp_get_partition_place_nums` called from Fortran, 8-byte integers.
    ///
    /// # Safety
    /// `place_nums` has room for all places of the partition.
    pub unsafe fn omp_get_partition_place_nums_8_(place_nums: *mut i64) {
        // SAFETY: by contract.
        unsafe { store(place_nums, partition()) }
    }

    // The place number comes by value at LLVM's node and by reference at GCC's.

    /// `omp_get_place_num_procs` called from Fortran, of LLVM's runtime.
    pub fn omp_get_place_num_procs_@["VERSION"](place_num: c_int) -> c_int {
        omp_get_place_num_procs(place_num)
    }

    /// `omp_get_place_num_procs` called from Fortran, of GCC's runtime.
    ///
    /// # Safety
    /// The argument points to an integer.
    pub unsafe fn omp_get_place_num_procs_by_reference = omp_get_place_num_procs_@["OMP_4.5"](
        place_num: *const c_int,
    ) -> c_int {
        // SAFETY: by contract.
        omp_get_place_num_procs(unsafe { *place_num })
    }

    /// `omp_get_place_num_procs` called from Fortran, 8-byte integers.
    ///
    /// # Safety
    /// The argument points to an integer.
    pub unsafe fn omp_get_place_num_procs_8_(place_num: *const i64) -> c_int {
        // SAFETY: by contract.
        omp_get_place_num_procs(narrow(unsafe { *place_num }))
    }

    /// `omp_get_place_proc_ids` called from Fortran, of LLVM's runtime.
    ///
    /// # Safety
    /// `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids_@["VERSION"](place_num: c_int, ids: *mut c_int) {
        // SAFETY: by contract.
        unsafe { store(ids, processors(place_num)) }
    }

    /// `omp_get_place_proc_ids` called from Fortran, of GCC's runtime.
    ///
    /// # Safety
    /// `place_num` points to an integer, and `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids_by_reference = omp_get_place_proc_ids_@["OMP_4.5"](
        place_num: *const c_int,
        ids: *mut c_int,
    ) {
        // SAFETY: by contract.
        unsafe { store(ids, processors(*place_num)) }
    }

    /// `omp_get_place_proc_ids` called from Fortran, 8-byte integers.
    ///
    /// # Safety
    /// `place_num` points to an integer, and `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids_8_(place_num: *const i64, ids: *mut i64) {
        // SAFETY: by contract.
        unsafe { store(ids, processors(narrow(*place_num))) }
    }
}
