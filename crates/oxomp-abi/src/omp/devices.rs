//! Devices (OpenMP 5.2 §18.7): the host's number is the one after those of the offload runtime.

use core::ffi::c_int;

use oxomp_core::devices::{
    INVALID_DEVICE, INVALID_DEVICE_OF_LLVM, default_device, device_num, num_devices,
};
use oxomp_core::{CallSite, Thread, process};

/// The default device, where `omp_invalid_device` has LLVM's number.
fn default_device_of_llvm() -> c_int {
    match default_device() {
        INVALID_DEVICE => INVALID_DEVICE_OF_LLVM,
        device => device,
    }
}

entry! {
    /// `void omp_set_default_device(int device_num)`
    pub fn omp_set_default_device(device_num: c_int) {
        Thread::current().task().change_icvs(|icvs| icvs.default_device_var = device_num);
    }

    /// `int omp_get_default_device(void)`
    pub fn omp_get_default_device@["VERSION"]() -> c_int {
        default_device_of_llvm()
    }

    /// `omp_get_default_device` for programs of gcc.
    pub fn omp_get_default_device_of_gcc = omp_get_default_device@["OMP_4.0"]() -> c_int {
        default_device()
    }

    /// `omp_get_default_device` called from Fortran.
    pub fn omp_get_default_device_@["VERSION"]() -> c_int {
        default_device_of_llvm()
    }

    /// `omp_get_default_device` called from gfortran's code.
    pub fn omp_get_default_device_of_gfortran = omp_get_default_device_@["OMP_4.0"]() -> c_int {
        default_device()
    }

    /// `int omp_get_num_devices(void)`
    pub fn omp_get_num_devices | omp_get_num_devices_() -> c_int {
        process::start_for_tool();
        num_devices()
    }

    /// `int omp_get_device_num(void)`
    pub fn omp_get_device_num | omp_get_device_num_() -> c_int {
        let site = CallSite::here();
        process::start_for_tool();
        device_num(site)
    }

    /// `int omp_get_initial_device(void)`
    pub fn omp_get_initial_device | omp_get_initial_device_() -> c_int {
        process::start_for_tool();
        num_devices()
    }

    /// `int omp_is_initial_device(void)`
    pub fn omp_is_initial_device | omp_is_initial_device_() -> c_int {
        process::start_for_tool();
        1
    }
}
