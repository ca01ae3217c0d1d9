//! Devices (OpenMP 5.2 §18.7): the host's number is the one after those of the offload runtime.

use core::ffi::c_int;

use oxomp_core::Thread;
use oxomp_core::devices::{default_device, num_devices};

entry! {
    /// `void omp_set_default_device(int device_num)`
    pub fn omp_set_default_device(device_num: c_int) {
        Thread::current().task().change_icvs(|icvs| icvs.default_device_var = device_num);
    }

    /// `int omp_get_default_device(void)`
    pub fn omp_get_default_device | omp_get_default_device_() -> c_int {
        default_device()
    }

    /// `int omp_get_num_devices(void)`
    pub fn omp_get_num_devices | omp_get_num_devices_() -> c_int {
        num_devices()
    }

    /// `int omp_get_device_num(void)`
    pub fn omp_get_device_num | omp_get_device_num_() -> c_int {
        num_devices()
    }

    /// `int omp_get_initial_device(void)`
    pub fn omp_get_initial_device | omp_get_initial_device_() -> c_int {
        num_devices()
    }

    /// `int omp_is_initial_device(void)`
    pub fn omp_is_initial_device | omp_is_initial_device_() -> c_int {
        1
    }
}
