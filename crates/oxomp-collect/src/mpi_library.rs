//! The library that stands before MPI's in the process, and the calls that it has added up itself.

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicPtr, AtomicU64};
use std::{ptr, slice};

use oxomp_sys::mpi::{
    VERSION, oxomp_mpi_ended_t, oxomp_mpi_function_t, oxomp_mpi_sums_t, oxomp_mpi_t,
    oxomp_mpi_world_t,
};
use oxomp_trace::{MpiElsewhere, MpiWorld};

/// The library's variable; null if the process has no such library.
static LIBRARY: AtomicPtr<oxomp_mpi_t> = AtomicPtr::new(ptr::null_mut());

/// Finds the library, and has it call `ended` at the end of each call of MPI.
pub(crate) fn listen(ended: oxomp_mpi_ended_t) {
    // SAFETY: the name is a C string, and what it names is an `oxomp_mpi_t` or nothing.
    let library = unsafe {
        libc::dlsym(libc::RTLD_DEFAULT, c"oxomp_mpi".as_ptr()).cast::<oxomp_mpi_t>().as_ref()
    };
    let Some(library) = library.filter(|library| library.version == VERSION) else { return };
    LIBRARY.store(ptr::from_ref(library).cast_mut(), Ordering::Relaxed);
    // Release: pairs with the Acquire of the library, which then finds all that `ended` needs.
    library.ended.store(ended as *mut (), Ordering::Release);
}

fn library() -> Option<&'static oxomp_mpi_t> {
    // SAFETY: null, or the variable of a library that is never unloaded.
    unsafe { LIBRARY.load(Ordering::Relaxed).as_ref() }
}

/// The functions of MPI by number, if the process has called one.
pub(crate) fn functions() -> Option<&'static [oxomp_mpi_function_t]> {
    let library = library().filter(|library| library.used.load(Relaxed) != 0)?;
    // SAFETY: the library has an array of so many.
    Some(unsafe { slice::from_raw_parts(library.functions, library.count as usize) })
}

/// The process in `MPI_COMM_WORLD`, if the library knows it.
pub(crate) fn world() -> Option<MpiWorld> {
    let world = world_of(library()?);
    // Acquire: pairs with the library's Release, which stores the size last.
    let size = world.size.load(Ordering::Acquire);
    let (rank, left_out) = (world.rank.load(Relaxed), world.left_out.load(Relaxed));
    (size > 0).then_some(MpiWorld { rank, size, left_out })
}

fn world_of(library: &'static oxomp_mpi_t) -> &'static oxomp_mpi_world_t {
    // SAFETY: the library's variable, of atomics alone.
    unsafe { &*library.world }
}

/// The calls that the library has added up, by function and thread.
pub(crate) fn elsewhere() -> impl Iterator<Item = MpiElsewhere> {
    let halves = library().into_iter().flat_map(|library| {
        [(library.main_thread, true), (library.other_threads, false)].into_iter().flat_map(
            |(sums, on_main_thread)| {
                of_threads(library, sums)
                    .iter()
                    .zip(0..)
                    .map(move |(sums, function)| read(sums, function, on_main_thread))
            },
        )
    });
    halves.filter(|sums| sums.calls > 0)
}

fn of_threads(
    library: &'static oxomp_mpi_t,
    sums: *const oxomp_mpi_sums_t,
) -> &'static [oxomp_mpi_sums_t] {
    // SAFETY: the library has an array of so many, of atomics alone.
    unsafe { slice::from_raw_parts(sums, library.count as usize) }
}

fn read(sums: &oxomp_mpi_sums_t, function: u64, on_main_thread: bool) -> MpiElsewhere {
    // The numbers may be of different moments, as those of threads that go on always are.
    MpiElsewhere {
        function,
        on_main_thread,
        calls: sums.calls.load(Relaxed),
        time_ns: sums.time_ns.load(Relaxed),
        longest_ns: sums.longest_ns.load(Relaxed),
        bytes: sums.bytes.load(Relaxed),
    }
}

/// In a child of fork(2): the calls were those of its parent.
pub(crate) fn begin_child() {
    let Some(library) = library() else { return };
    library.used.store(0, Relaxed);
    let world = world_of(library);
    world.size.store(0, Relaxed);
    world.left_out.store(0, Relaxed);
    for sums in [library.main_thread, library.other_threads] {
        for sums in of_threads(library, sums) {
            let all = [&sums.calls, &sums.time_ns, &sums.longest_ns, &sums.bytes];
            all.into_iter().for_each(|sum: &AtomicU64| sum.store(0, Relaxed));
        }
    }
}
