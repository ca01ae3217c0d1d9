//! Routines for device memory (OpenMP 5.2 §18.8).

use core::ffi::{c_int, c_void};

use oxomp_argument::{KmpDependObject, List, RectangleLists};
use oxomp_target::plugin::{Address, MemoryKind};
use oxomp_target::tool::CallSite;
use oxomp_target::{associate, memory};

use crate::transfer::{FAILURE, Routine, answer, copy_range, copy_rectangle, fill};
use crate::{offload, start_for_tool};

export! {
    /// `void *omp_target_alloc(size_t size, int device_num)`
    pub fn omp_target_alloc(bytes: usize, device: c_int) -> *mut c_void {
        start_for_tool();
        memory::alloc(offload(), bytes, device, MemoryKind::Device, CallSite::here())
    }

    /// `void omp_target_free(void *device_ptr, int device_num)`
    ///
    /// # Safety
    /// T4: null, or memory that `omp_target_alloc` returned for that device.
    pub (unsafe) fn omp_target_free(pointer: *mut c_void, device: c_int) {
        start_for_tool();
        let site = CallSite::here();
        // SAFETY: T4 of the arguments.
        unsafe { memory::free(offload(), pointer, device, MemoryKind::Device, site) };
    }

    /// `int omp_target_is_present(const void *ptr, int device_num)`
    pub fn omp_target_is_present(pointer: *const c_void, device: c_int) -> c_int {
        start_for_tool();
        c_int::from(memory::is_present(offload(), pointer, device))
    }

    /// `int omp_target_is_accessible(const void *ptr, size_t size, int device_num)`
    pub fn omp_target_is_accessible(
        pointer: *const c_void,
        _bytes: usize,
        device: c_int,
    ) -> c_int {
        start_for_tool();
        c_int::from(memory::is_accessible(offload(), pointer, device))
    }

    /// `void *omp_get_mapped_ptr(const void *ptr, int device_num)`
    pub fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void {
        start_for_tool();
        memory::mapped(offload(), pointer, device)
    }

    /// `int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
    /// size_t src_offset, int dst_device, int src_device)`
    ///
    /// # Safety
    /// T4: the ranges are valid in the memories of the devices.
    pub (unsafe) fn omp_target_memcpy(
        to: *mut c_void,
        from: *mut c_void,
        bytes: usize,
        to_offset: usize,
        from_offset: usize,
        to_device: c_int,
        from_device: c_int,
    ) -> c_int {
        start_for_tool();
        let (name, site) = ("omp_target_memcpy", CallSite::here());
        let routine = Routine { name, site, dependences: None };
        let (to, from) = ((to, to_offset, to_device), (from, from_offset, from_device));
        // SAFETY: T4 of the arguments.
        unsafe { copy_range(routine, to, from, bytes) }
    }

    /// `int omp_target_memcpy_async(…, int depobj_count, omp_depend_t *depobj_list)`
    ///
    /// # Safety
    /// T4: the ranges are valid in the memories of the devices. A3: `depend_count` is the length of
    /// `depend_objects`.
    pub (unsafe) fn omp_target_memcpy_async(
        to: *mut c_void,
        from: *mut c_void,
        bytes: usize,
        to_offset: usize,
        from_offset: usize,
        to_device: c_int,
        from_device: c_int,
        depend_count: c_int,
        depend_objects: List<KmpDependObject>,
    ) -> c_int {
        start_for_tool();
        let (name, site) = ("omp_target_memcpy_async", CallSite::here());
        let dependences = Some((depend_count, depend_objects));
        let (to, from) = ((to, to_offset, to_device), (from, from_offset, from_device));
        // SAFETY: A3 and T4 of the arguments.
        unsafe { copy_range(Routine { name, site, dependences }, to, from, bytes) }
    }

    /// `int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
    /// const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets,
    /// const size_t *dst_dimensions, const size_t *src_dimensions, int dst_device,
    /// int src_device)`: without arrays, the greatest number of dimensions.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions. T4: the subvolumes are valid
    /// in the memories of the devices.
    pub (unsafe) fn omp_target_memcpy_rect(
        to: *mut c_void,
        from: *mut c_void,
        element: usize,
        dimensions: c_int,
        volume: List<usize>,
        destination_offsets: List<usize>,
        source_offsets: List<usize>,
        destination_dimensions: List<usize>,
        source_dimensions: List<usize>,
        to_device: c_int,
        from_device: c_int,
    ) -> c_int {
        start_for_tool();
        let (name, site) = ("omp_target_memcpy_rect", CallSite::here());
        let routine = Routine { name, site, dependences: None };
        let (to, from, shape) = ((to, to_device), (from, from_device), (element, dimensions));
        let lists = RectangleLists {
            volume,
            destination_offsets,
            source_offsets,
            destination_dimensions,
            source_dimensions,
        };
        // SAFETY: A3 and T4 of the arguments.
        unsafe { copy_rectangle(routine, to, from, shape, lists) }
    }

    /// `int omp_target_memcpy_rect_async(…, int depobj_count, omp_depend_t *depobj_list)`
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions, and `depend_count` is the
    /// length of `depend_objects`. T4: the subvolumes are valid in the memories of the devices.
    pub (unsafe) fn omp_target_memcpy_rect_async(
        to: *mut c_void,
        from: *mut c_void,
        element: usize,
        dimensions: c_int,
        volume: List<usize>,
        destination_offsets: List<usize>,
        source_offsets: List<usize>,
        destination_dimensions: List<usize>,
        source_dimensions: List<usize>,
        to_device: c_int,
        from_device: c_int,
        depend_count: c_int,
        depend_objects: List<KmpDependObject>,
    ) -> c_int {
        start_for_tool();
        let (name, site) = ("omp_target_memcpy_rect_async", CallSite::here());
        let dependences = Some((depend_count, depend_objects));
        let (to, from, shape) = ((to, to_device), (from, from_device), (element, dimensions));
        let lists = RectangleLists {
            volume,
            destination_offsets,
            source_offsets,
            destination_dimensions,
            source_dimensions,
        };
        // SAFETY: A3 and T4 of the arguments.
        unsafe { copy_rectangle(Routine { name, site, dependences }, to, from, shape, lists) }
    }

    /// `void *omp_target_memset(void *ptr, int value, size_t count, int device_num)`
    ///
    /// # Safety
    /// T4: `bytes` bytes are valid in the memory of the device.
    pub (unsafe) fn omp_target_memset(
        pointer: *mut c_void,
        value: c_int,
        bytes: usize,
        device: c_int,
    ) -> *mut c_void {
        start_for_tool();
        let (name, site) = ("omp_target_memset", CallSite::here());
        let routine = Routine { name, site, dependences: None };
        // SAFETY: T4 of the arguments.
        unsafe { fill(routine, pointer, (value, bytes), device) }
    }

    /// `void *omp_target_memset_async(…, int depobj_count, omp_depend_t *depobj_list)`
    ///
    /// # Safety
    /// T4: `bytes` bytes are valid in the memory of the device. A3: `depend_count` is the length of
    /// `depend_objects`.
    pub (unsafe) fn omp_target_memset_async(
        pointer: *mut c_void,
        value: c_int,
        bytes: usize,
        device: c_int,
        depend_count: c_int,
        depend_objects: List<KmpDependObject>,
    ) -> *mut c_void {
        start_for_tool();
        let (name, site) = ("omp_target_memset_async", CallSite::here());
        let dependences = Some((depend_count, depend_objects));
        // SAFETY: A3 and T4 of the arguments.
        unsafe { fill(Routine { name, site, dependences }, pointer, (value, bytes), device) }
    }

    /// `int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size,
    /// size_t device_offset, int device_num)`
    pub fn omp_target_associate_ptr(
        host: *const c_void,
        device_pointer: *const c_void,
        bytes: usize,
        offset: usize,
        device: c_int,
    ) -> c_int {
        start_for_tool();
        if device_pointer.is_null() {
            return FAILURE;
        }
        let address = Address(device_pointer.expose_provenance()).plus(offset);
        answer(associate::associate(offload(), host, address, bytes, device, CallSite::here()))
    }

    /// `int omp_target_disassociate_ptr(const void *ptr, int device_num)`
    pub fn omp_target_disassociate_ptr(host: *const c_void, device: c_int) -> c_int {
        start_for_tool();
        answer(associate::disassociate(offload(), host, device, CallSite::here()))
    }
}
