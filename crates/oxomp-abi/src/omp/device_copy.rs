//! Copies of consecutive bytes of device memory (OpenMP 5.2 §18.8.5, §18.8.7).

use core::ffi::{c_int, c_void};

use oxomp_core::CallSite;
use oxomp_core::devices::{has_libomptarget, is_host_or_allowed};
use oxomp_core::target::CopyBytes;
use oxomp_core::task::DependenceList;

use super::device_operation::{self, Asked, DONE, FAILED, wait_for};
use super::libomptarget::forward;
use crate::argument::{GccDependObject, KmpDependObject, List, gcc_dependences, kmp_dependences};

/// The arguments of `omp_target_memcpy`.
#[derive(Clone, Copy)]
struct Transfer {
    destination: *mut c_void,
    source: *const c_void,
    length: usize,
    destination_offset: usize,
    source_offset: usize,
    destination_device: c_int,
    source_device: c_int,
}

impl Transfer {
    /// The copy, if both devices are the host; otherwise the result of the routine `name`.
    fn on_host(self, name: &str, site: CallSite) -> Asked<CopyBytes> {
        let devices = [self.destination_device, self.source_device];
        if !devices.into_iter().all(|device| is_host_or_allowed(device, name, site)) {
            return Err(FAILED);
        }
        if self.length == 0 {
            return Err(DONE);
        }
        if self.destination.is_null() || self.source.is_null() {
            return Err(FAILED);
        }
        let copy = CopyBytes {
            destination: self.destination.wrapping_byte_add(self.destination_offset),
            source: self.source.wrapping_byte_add(self.source_offset),
            bytes: self.length,
        };
        Ok((copy, Box::default()))
    }

    /// # Safety
    /// The memory is the caller's.
    unsafe fn now(self, name: &str, site: CallSite) -> c_int {
        let Transfer { destination, source, length, destination_offset, source_offset, .. } = self;
        let Transfer { destination_device, source_device, .. } = self;
        forward!(c"omp_target_memcpy"(
            destination: *mut c_void,
            source: *const c_void,
            length: usize,
            destination_offset: usize,
            source_offset: usize,
            destination_device: c_int,
            source_device: c_int,
        ) -> c_int);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { device_operation::now(self.on_host(name, site), site) }
    }

    /// # Safety
    /// The memory is the caller's until the copy is complete.
    unsafe fn later(self, dependences: DependenceList, site: CallSite) -> c_int {
        let asked = self.on_host("omp_target_memcpy_async", site);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { device_operation::later(asked, dependences, site) }
    }
}

entry! {
    /// `int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
    /// size_t src_offset, int dst_device_num, int src_device_num)`: 0 on success.
    ///
    /// # Safety
    /// A21: `length` bytes are readable and writable.
    pub unsafe fn omp_target_memcpy(
        destination: *mut c_void,
        source: *const c_void,
        length: usize,
        destination_offset: usize,
        source_offset: usize,
        destination_device: c_int,
        source_device: c_int,
    ) -> c_int {
        let transfer = Transfer {
            destination,
            source,
            length,
            destination_offset,
            source_offset,
            destination_device,
            source_device,
        };
        // SAFETY: A21 of the arguments.
        unsafe { transfer.now("omp_target_memcpy", CallSite::here()) }
    }

    /// `int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset,
    /// size_t src_offset, int dst_device_num, int src_device_num, int depobj_count,
    /// omp_depend_t *depobj_list)`, for programs of clang and flang.
    ///
    /// # Safety
    /// A21: `length` bytes are readable and writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memcpy_async@["not default VERSION"](
        destination: *mut c_void,
        source: *const c_void,
        length: usize,
        destination_offset: usize,
        source_offset: usize,
        destination_device: c_int,
        source_device: c_int,
        count: c_int,
        objects: List<KmpDependObject>,
    ) -> c_int {
        forward!(c"omp_target_memcpy_async"(
            destination: *mut c_void,
            source: *const c_void,
            length: usize,
            destination_offset: usize,
            source_offset: usize,
            destination_device: c_int,
            source_device: c_int,
            count: c_int,
            objects: List<'_, KmpDependObject>,
        ) -> c_int);
        let transfer = Transfer {
            destination,
            source,
            length,
            destination_offset,
            source_offset,
            destination_device,
            source_device,
        };
        // SAFETY: A3 and A21 of the arguments.
        unsafe { transfer.later(kmp_dependences(count, objects), CallSite::here()) }
    }

    /// `omp_target_memcpy_async` for programs of gcc and gfortran. libomptarget's routine does not
    /// know their depend objects, so the caller waits for these before it.
    ///
    /// # Safety
    /// A21: `length` bytes are readable and writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memcpy_async_of_gcc = omp_target_memcpy_async@["OMP_5.1.1"](
        destination: *mut c_void,
        source: *const c_void,
        length: usize,
        destination_offset: usize,
        source_offset: usize,
        destination_device: c_int,
        source_device: c_int,
        count: c_int,
        objects: List<GccDependObject>,
    ) -> c_int {
        let site = CallSite::here();
        let transfer = Transfer {
            destination,
            source,
            length,
            destination_offset,
            source_offset,
            destination_device,
            source_device,
        };
        // SAFETY: A3 and A21 of the arguments.
        unsafe {
            let dependences = gcc_dependences(count, objects);
            if has_libomptarget() {
                wait_for(dependences, site);
                return transfer.now("omp_target_memcpy_async", site);
            }
            transfer.later(dependences, site)
        }
    }
}
