//! Places and binding (OpenMP 5.2 §18.3), for C and for Fortran.

use core::ffi::c_int;

use oxomp_base::places::ProcSet;
use oxomp_base::settings;
use oxomp_core::Thread;
use oxomp_sys::omp::omp_proc_bind_t;

use crate::argument::{ByRef, Room};

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

/// Stores `count` numbers one after the other, for Fortran as integers of the kind that it uses.
///
/// # Safety
/// A3: the routine is specified to store `count` numbers.
unsafe fn store<T: From<c_int>>(to: Room<T>, count: usize, numbers: impl Iterator<Item = u32>) {
    // SAFETY: A3, as this function demands.
    for (slot, number) in unsafe { to.with(count) }.iter_mut().zip(numbers) {
        slot.write(T::from(number.cast_signed()));
    }
}

/// Stores the processors of a place. Stores nothing if there is no such place.
///
/// # Safety
/// A3: the routine is specified to store them.
unsafe fn store_processors<T: From<c_int>>(to: Room<T>, place_num: c_int) {
    if let Some(place) = place(place_num) {
        // SAFETY: A3, as this function demands.
        unsafe { store(to, place.len(), place.iter()) };
    }
}

/// Stores the numbers of the places of the innermost implicit task's partition.
///
/// # Safety
/// A3: the routine is specified to store them.
unsafe fn store_partition<T: From<c_int>>(to: Room<T>) {
    let places = partition();
    // SAFETY: A3, as this function demands.
    unsafe { store(to, places.len(), places) };
}

/// Numbers of the places of the innermost implicit task's partition.
fn partition() -> core::ops::Range<u32> {
    placed().implicit_task().partition().places()
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

    /// `void omp_get_place_proc_ids(int place_num, int *ids)`: nothing is stored if there is no
    /// such place.
    ///
    /// # Safety
    /// A3: `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids(place_num: c_int, ids: Room<c_int>) {
        // SAFETY: A3 of `ids`.
        unsafe { store_processors(ids, place_num) }
    }

    /// `int omp_get_partition_num_places(void)`
    pub fn omp_get_partition_num_places | omp_get_partition_num_places_() -> c_int {
        partition().len() as c_int
    }

    /// `void omp_get_partition_place_nums(int *place_nums)`
    ///
    /// # Safety
    /// A3: `place_nums` has room for all places of the partition.
    pub unsafe fn omp_get_partition_place_nums | omp_get_partition_place_nums_(
        place_nums: Room<c_int>,
    ) {
        // SAFETY: A3 of `place_nums`.
        unsafe { store_partition(place_nums) }
    }

    /// `omp_get_partition_place_nums` called from Fortran, 8-byte integers.
    ///
    /// # Safety
    /// A3: `place_nums` has room for all places of the partition.
    pub unsafe fn omp_get_partition_place_nums_8_(place_nums: Room<i64>) {
        // SAFETY: A3 of `place_nums`.
        unsafe { store_partition(place_nums) }
    }

    // The place number comes by value at LLVM's node and by reference at GCC's.

    /// `omp_get_place_num_procs` called from Fortran, of LLVM's runtime.
    pub fn omp_get_place_num_procs_@["VERSION"](place_num: c_int) -> c_int {
        omp_get_place_num_procs(place_num)
    }

    /// `omp_get_place_num_procs` called from Fortran, of GCC's runtime.
    pub fn omp_get_place_num_procs_by_reference = omp_get_place_num_procs_@["OMP_4.5"](
        place_num: ByRef<c_int>,
    ) -> c_int {
        omp_get_place_num_procs(place_num.get())
    }

    /// `omp_get_place_num_procs` called from Fortran, 8-byte integers.
    pub fn omp_get_place_num_procs_8_(place_num: ByRef<i64>) -> c_int {
        omp_get_place_num_procs(narrow(place_num.get()))
    }

    /// `omp_get_place_proc_ids` called from Fortran, of LLVM's runtime.
    ///
    /// # Safety
    /// A3: `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids_@["VERSION"](place_num: c_int, ids: Room<c_int>) {
        // SAFETY: A3 of `ids`.
        unsafe { store_processors(ids, place_num) }
    }

    /// `omp_get_place_proc_ids` called from Fortran, of GCC's runtime.
    ///
    /// # Safety
    /// A3: `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids_by_reference = omp_get_place_proc_ids_@["OMP_4.5"](
        place_num: ByRef<c_int>,
        ids: Room<c_int>,
    ) {
        // SAFETY: A3 of `ids`.
        unsafe { store_processors(ids, place_num.get()) }
    }

    /// `omp_get_place_proc_ids` called from Fortran, 8-byte integers.
    ///
    /// # Safety
    /// A3: `ids` has room for all processors of the place.
    pub unsafe fn omp_get_place_proc_ids_8_(place_num: ByRef<i64>, ids: Room<i64>) {
        // SAFETY: A3 of `ids`.
        unsafe { store_processors(ids, narrow(place_num.get())) }
    }
}
