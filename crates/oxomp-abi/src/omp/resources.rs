//! Resource relinquishing (OpenMP 5.2 §18.6).

use core::ffi::c_int;

use oxomp_core::devices::num_devices;
use oxomp_core::{Thread, process};
use oxomp_sys::omp::omp_pause_resource_t;

use crate::argument::ByRef;

/// Ends the idle threads of the host: 0 on success. The runtime goes on as if it had just started
/// them; soft and hard differ in nothing that it keeps. The hard kind also ends the session of a
/// tool of the 2015 report.
fn pause(kind: omp_pause_resource_t) -> c_int {
    let outside = Thread::current().team().parent().is_none();
    let known = kind == omp_pause_resource_t::SOFT || kind == omp_pause_resource_t::HARD;
    if !outside || !known {
        return 1;
    }
    process::end_workers();
    if kind == omp_pause_resource_t::HARD {
        process::pause_tool();
    }
    0
}

/// Ends the idle threads if the device is the host, whose number is the one after those of the
/// devices.
fn pause_device(kind: omp_pause_resource_t, device_num: c_int) -> c_int {
    process::start_for_tool();
    if device_num == num_devices() { pause(kind) } else { 1 }
}

entry! {
    /// `int omp_pause_resource(omp_pause_resource_t kind, int device_num)`
    pub fn omp_pause_resource(kind: omp_pause_resource_t, device_num: c_int) -> c_int {
        pause_device(kind, device_num)
    }

    /// `int omp_pause_resource_all(omp_pause_resource_t kind)`, and `__kmpc_pause_resource`
    pub fn omp_pause_resource_all | __kmpc_pause_resource(kind: omp_pause_resource_t) -> c_int {
        pause(kind)
    }

    /// `omp_pause_resource` called from Fortran: LLVM's library takes the arguments by value.
    pub fn omp_pause_resource_@["VERSION"](kind: omp_pause_resource_t, device_num: c_int) -> c_int {
        pause_device(kind, device_num)
    }

    /// `omp_pause_resource` called from Fortran: GCC's library takes them by reference.
    pub fn omp_pause_resource_by_reference = omp_pause_resource_@["OMP_5.0"](
        kind: ByRef<omp_pause_resource_t>,
        device_num: ByRef<c_int>,
    ) -> c_int {
        pause_device(kind.get(), device_num.get())
    }

    /// `omp_pause_resource_all` called from Fortran: LLVM's library takes the argument by value.
    pub fn omp_pause_resource_all_@["VERSION"](kind: omp_pause_resource_t) -> c_int {
        pause(kind)
    }

    /// `omp_pause_resource_all` called from Fortran: GCC's library takes it by reference.
    pub fn omp_pause_resource_all_by_reference = omp_pause_resource_all_@["OMP_5.0"](
        kind: ByRef<omp_pause_resource_t>,
    ) -> c_int {
        pause(kind.get())
    }
}
