//! Memory spaces and allocators of devices (OpenMP 6.0 §27.1, §27.2), for C and for Fortran.

use core::ffi::c_int;

use oxomp_core::allocator::{devices_allocator, devices_memspace};
use oxomp_core::devices::num_devices;
use oxomp_core::process;

use crate::argument::{ByRef, List};

fn memspace_of(devices: &[c_int], memspace: usize) -> usize {
    process::start_for_tool();
    devices_memspace(devices, num_devices(), memspace)
}

fn allocator_of(devices: &[c_int], memspace: usize) -> usize {
    process::start_for_tool();
    devices_allocator(devices, num_devices(), memspace).to_abi()
}

/// The devices and the host.
fn and_host(devices: &[c_int]) -> Vec<c_int> {
    [devices, &[num_devices()]].concat()
}

/// All devices, the host included.
fn all_devices() -> Vec<c_int> {
    (0..=num_devices()).collect()
}

entry! {
    /// `omp_memspace_handle_t omp_get_devices_memspace(
    /// int ndevs, const int *devs, omp_memspace_handle_t memspace)`
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_memspace(
        ndevs: c_int,
        devices: List<c_int>,
        memspace: usize,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        memspace_of(unsafe { devices.with(ndevs) }, memspace)
    }

    /// `omp_get_devices_memspace` called from Fortran.
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_memspace_(
        ndevs: ByRef<c_int>,
        devices: List<c_int>,
        memspace: ByRef<usize>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        memspace_of(unsafe { devices.with(ndevs.get()) }, memspace.get())
    }

    /// `omp_memspace_handle_t omp_get_device_memspace(int dev, omp_memspace_handle_t memspace)`
    pub fn omp_get_device_memspace(device: c_int, memspace: usize) -> usize {
        memspace_of(&[device], memspace)
    }

    /// `omp_get_device_memspace` called from Fortran.
    pub fn omp_get_device_memspace_(device: ByRef<c_int>, memspace: ByRef<usize>) -> usize {
        memspace_of(&[device.get()], memspace.get())
    }

    /// `omp_memspace_handle_t omp_get_devices_and_host_memspace(
    /// int ndevs, const int *devs,
    /// omp_memspace_handle_t memspace)`
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_and_host_memspace(
        ndevs: c_int,
        devices: List<c_int>,
        memspace: usize,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        memspace_of(&and_host(unsafe { devices.with(ndevs) }), memspace)
    }

    /// `omp_get_devices_and_host_memspace` called from Fortran.
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_and_host_memspace_(
        ndevs: ByRef<c_int>,
        devices: List<c_int>,
        memspace: ByRef<usize>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        memspace_of(&and_host(unsafe { devices.with(ndevs.get()) }), memspace.get())
    }

    /// `omp_memspace_handle_t omp_get_device_and_host_memspace(
    /// int dev, omp_memspace_handle_t memspace)`
    pub fn omp_get_device_and_host_memspace(device: c_int, memspace: usize) -> usize {
        memspace_of(&and_host(&[device]), memspace)
    }

    /// `omp_get_device_and_host_memspace` called from Fortran.
    pub fn omp_get_device_and_host_memspace_(
        device: ByRef<c_int>,
        memspace: ByRef<usize>,
    ) -> usize {
        memspace_of(&and_host(&[device.get()]), memspace.get())
    }

    /// `omp_memspace_handle_t omp_get_devices_all_memspace(omp_memspace_handle_t memspace)`
    pub fn omp_get_devices_all_memspace(memspace: usize) -> usize {
        memspace_of(&all_devices(), memspace)
    }

    /// `omp_get_devices_all_memspace` called from Fortran.
    pub fn omp_get_devices_all_memspace_(memspace: ByRef<usize>) -> usize {
        memspace_of(&all_devices(), memspace.get())
    }

    /// `omp_allocator_handle_t omp_get_devices_allocator(
    /// int ndevs, const int *devs, omp_memspace_handle_t memspace)`
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_allocator(
        ndevs: c_int,
        devices: List<c_int>,
        memspace: usize,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        allocator_of(unsafe { devices.with(ndevs) }, memspace)
    }

    /// `omp_get_devices_allocator` called from Fortran.
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_allocator_(
        ndevs: ByRef<c_int>,
        devices: List<c_int>,
        memspace: ByRef<usize>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        allocator_of(unsafe { devices.with(ndevs.get()) }, memspace.get())
    }

    /// `omp_allocator_handle_t omp_get_device_allocator(int dev, omp_memspace_handle_t memspace)`
    pub fn omp_get_device_allocator(device: c_int, memspace: usize) -> usize {
        allocator_of(&[device], memspace)
    }

    /// `omp_get_device_allocator` called from Fortran.
    pub fn omp_get_device_allocator_(device: ByRef<c_int>, memspace: ByRef<usize>) -> usize {
        allocator_of(&[device.get()], memspace.get())
    }

    /// `omp_allocator_handle_t omp_get_devices_and_host_allocator(
    /// int ndevs, const int *devs,
    /// omp_memspace_handle_t memspace)`
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_and_host_allocator(
        ndevs: c_int,
        devices: List<c_int>,
        memspace: usize,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        allocator_of(&and_host(unsafe { devices.with(ndevs) }), memspace)
    }

    /// `omp_get_devices_and_host_allocator` called from Fortran.
    ///
    /// # Safety
    /// A3: `ndevs` is the number of devices.
    pub unsafe fn omp_get_devices_and_host_allocator_(
        ndevs: ByRef<c_int>,
        devices: List<c_int>,
        memspace: ByRef<usize>,
    ) -> usize {
        // SAFETY: A3, as this function demands.
        allocator_of(&and_host(unsafe { devices.with(ndevs.get()) }), memspace.get())
    }

    /// `omp_allocator_handle_t omp_get_device_and_host_allocator(
    /// int dev, omp_memspace_handle_t memspace)`
    pub fn omp_get_device_and_host_allocator(device: c_int, memspace: usize) -> usize {
        allocator_of(&and_host(&[device]), memspace)
    }

    /// `omp_get_device_and_host_allocator` called from Fortran.
    pub fn omp_get_device_and_host_allocator_(
        device: ByRef<c_int>,
        memspace: ByRef<usize>,
    ) -> usize {
        allocator_of(&and_host(&[device.get()]), memspace.get())
    }

    /// `omp_allocator_handle_t omp_get_devices_all_allocator(omp_memspace_handle_t memspace)`
    pub fn omp_get_devices_all_allocator(memspace: usize) -> usize {
        allocator_of(&all_devices(), memspace)
    }

    /// `omp_get_devices_all_allocator` called from Fortran.
    pub fn omp_get_devices_all_allocator_(memspace: ByRef<usize>) -> usize {
        allocator_of(&all_devices(), memspace.get())
    }
}
