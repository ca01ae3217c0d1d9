//! Routines for device memory (OpenMP 5.2 §18.8).

use core::ffi::{c_int, c_void};
use core::slice;

use oxomp_target::copy::{self, Call, Memory};
use oxomp_target::deferred;
use oxomp_target::plugin::{Address, DeviceError, MemoryKind};
use oxomp_target::rectangle::{self, Subvolume};
use oxomp_target::tool::CallSite;
use oxomp_target::{associate, memory};

use crate::offload;

const SUCCESS: c_int = 0;
/// Any other answer is a failure.
const FAILURE: c_int = libc::EINVAL;

fn answer(is_done: bool) -> c_int {
    if is_done { SUCCESS } else { FAILURE }
}

/// The memories of two devices; none if there is no such device.
fn memories((to, from): (c_int, c_int)) -> Option<(Memory, Memory)> {
    Memory::of(offload(), to).zip(Memory::of(offload(), from))
}

/// An address that a task keeps for the program.
#[derive(Clone, Copy)]
struct Kept(*mut c_void);

// SAFETY: the program promises that the memory is valid until the task is done.
unsafe impl Send for Kept {}

/// # Safety
/// The ranges are valid in the memories of the devices.
unsafe fn copy(to: Kept, from: Kept, bytes: usize, devices: (c_int, c_int), call: Call) -> bool {
    if bytes == 0 {
        return true;
    }
    if to.0.is_null() || from.0.is_null() {
        return false;
    }
    let Some((target, source)) = memories(devices) else { return false };
    let (to, from) = ((target, to.0), (source, from.0.cast_const()));
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { copy::copy(offload(), to, from, bytes, call) }.is_ok()
}

/// A rectangular copy, in memory of its own: a task outlives the arrays of the call.
struct Rectangle {
    to: Kept,
    from: Kept,
    element: usize,
    volume: Vec<usize>,
    to_part: [Vec<usize>; 2],
    from_part: [Vec<usize>; 2],
    devices: (c_int, c_int),
}

impl Rectangle {
    /// # Safety
    /// The subvolumes are valid in the memories of the devices.
    unsafe fn copy(&self, call: Call) -> Result<(), DeviceError> {
        let none = || DeviceError("there is no such device".to_owned());
        let (to, from) = memories(self.devices).ok_or_else(none)?;
        let part = |[offsets, dimensions]: &'_ [Vec<usize>; 2]| {
            // SAFETY: vectors of as many elements as there are dimensions.
            unsafe { Subvolume::new(offsets.as_ptr(), dimensions.as_ptr(), self.volume.len()) }
        };
        let target = (to, self.to.0, part(&self.to_part));
        let source = (from, self.from.0.cast_const(), part(&self.from_part));
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { rectangle::copy(offload(), target, source, (&self.volume, self.element), call) }
    }
}

/// # Safety
/// `array` has `count` elements, or there are none.
unsafe fn sizes(array: *const usize, count: c_int) -> Option<Vec<usize>> {
    let count = usize::try_from(count).ok().filter(|&count| count > 0)?;
    // SAFETY: the caller's own promise (`# Safety`).
    (!array.is_null()).then(|| unsafe { slice::from_raw_parts(array, count) }.to_vec())
}

export! {
    /// `void *omp_target_alloc(size_t size, int device_num)`
    pub fn omp_target_alloc(bytes: usize, device: c_int) -> *mut c_void {
        memory::alloc(offload(), bytes, device, MemoryKind::Device, CallSite::here())
    }

    /// `void omp_target_free(void *device_ptr, int device_num)`
    ///
    /// # Safety
    /// `omp_target_alloc` returned the pointer for that device, or it is null.
    pub (unsafe) fn omp_target_free(pointer: *mut c_void, device: c_int) {
        let site = CallSite::here();
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { memory::free(offload(), pointer, device, MemoryKind::Device, site) };
    }

    /// `int omp_target_is_present(const void *ptr, int device_num)`
    pub fn omp_target_is_present(pointer: *const c_void, device: c_int) -> c_int {
        c_int::from(memory::is_present(offload(), pointer, device))
    }

    /// `int omp_target_is_accessible(const void *ptr, size_t size, int device_num)`
    pub fn omp_target_is_accessible(
        pointer: *const c_void,
        _bytes: usize,
        device: c_int,
    ) -> c_int {
        c_int::from(memory::is_accessible(offload(), pointer, device))
    }

    /// `void *omp_get_mapped_ptr(const void *ptr, int device_num)`
    pub fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void {
        memory::mapped(offload(), pointer, device)
    }

    /// `int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
    /// size_t src_offset, int dst_device, int src_device)`
    ///
    /// # Safety
    /// The ranges are valid in the memories of the devices.
    pub (unsafe) fn omp_target_memcpy(
        to: *mut c_void,
        from: *mut c_void,
        bytes: usize,
        to_offset: usize,
        from_offset: usize,
        to_device: c_int,
        from_device: c_int,
    ) -> c_int {
        if (to.is_null() || from.is_null()) && bytes != 0 {
            return FAILURE;
        }
        let (to, from) = (to.wrapping_byte_add(to_offset), from.wrapping_byte_add(from_offset));
        let call = Call { site: CallSite::here(), is_async: false };
        let devices = (to_device, from_device);
        // SAFETY: the caller's own promise (`# Safety`).
        answer(unsafe { copy(Kept(to), Kept(from), bytes, devices, call) })
    }

    /// `int omp_target_memcpy_async(…, int depobj_count, omp_depend_t *depobj_list)`
    ///
    /// # Safety
    /// As for `omp_target_memcpy`, until the task is done; and so many depend objects stand there.
    pub (unsafe) fn omp_target_memcpy_async(
        to: *mut c_void,
        from: *mut c_void,
        bytes: usize,
        to_offset: usize,
        from_offset: usize,
        to_device: c_int,
        from_device: c_int,
        depend_count: c_int,
        depend_objects: *const *mut c_void,
    ) -> c_int {
        let memories = (Memory::of(offload(), to_device), Memory::of(offload(), from_device));
        let is_possible = !to.is_null() && !from.is_null() && bytes != 0;
        let (true, (Some(_), Some(_))) = (is_possible, memories) else {
            return answer(bytes == 0);
        };
        let to = Kept(to.wrapping_byte_add(to_offset));
        let from = Kept(from.wrapping_byte_add(from_offset));
        let (device, devices) = (i64::from(to_device), (to_device, from_device));
        let call = Call { site: CallSite::here(), is_async: true };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let dependences = deferred::dependences(depend_count, depend_objects);
            let work = move || {
                let is_copied = copy(to, from, bytes, devices, call);
                report(is_copied, "omp_target_memcpy_async");
            };
            deferred::defer(&dependences, device, Box::new(work));
        }
        SUCCESS
    }

    /// `int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
    /// const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets,
    /// const size_t *dst_dimensions, const size_t *src_dimensions, int dst_device,
    /// int src_device)`: without arrays, the greatest number of dimensions.
    ///
    /// # Safety
    /// The arrays have as many elements as there are dimensions, and the subvolumes are valid in
    /// the memories of the devices.
    pub (unsafe) fn omp_target_memcpy_rect(
        to: *mut c_void,
        from: *mut c_void,
        element: usize,
        dimensions: c_int,
        volume: *const usize,
        to_offsets: *const usize,
        from_offsets: *const usize,
        to_dimensions: *const usize,
        from_dimensions: *const usize,
        to_device: c_int,
        from_device: c_int,
    ) -> c_int {
        if to.is_null() && from.is_null() {
            return c_int::MAX;
        }
        let call = Call { site: CallSite::here(), is_async: false };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let to_part = [to_offsets, to_dimensions];
            let from_part = [from_offsets, from_dimensions];
            let ends = (to, from, element, (to_device, from_device));
            let rectangle = rectangle(ends, dimensions, volume, to_part, from_part);
            answer(rectangle.is_some_and(|rectangle| rectangle.copy(call).is_ok()))
        }
    }

    /// `int omp_target_memcpy_rect_async(…, int depobj_count, omp_depend_t *depobj_list)`
    ///
    /// # Safety
    /// As for `omp_target_memcpy_rect`, the memories until the task is done; and so many depend
    /// objects stand there.
    pub (unsafe) fn omp_target_memcpy_rect_async(
        to: *mut c_void,
        from: *mut c_void,
        element: usize,
        dimensions: c_int,
        volume: *const usize,
        to_offsets: *const usize,
        from_offsets: *const usize,
        to_dimensions: *const usize,
        from_dimensions: *const usize,
        to_device: c_int,
        from_device: c_int,
        depend_count: c_int,
        depend_objects: *const *mut c_void,
    ) -> c_int {
        if to.is_null() && from.is_null() {
            return c_int::MAX;
        }
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let to_part = [to_offsets, to_dimensions];
            let from_part = [from_offsets, from_dimensions];
            let ends = (to, from, element, (to_device, from_device));
            let rectangle = rectangle(ends, dimensions, volume, to_part, from_part);
            let Some(rectangle) = rectangle else { return FAILURE };
            let dependences = deferred::dependences(depend_count, depend_objects);
            let device = i64::from(to_device);
            let call = Call { site: CallSite::here(), is_async: true };
            let work = move || {
                report(rectangle.copy(call).is_ok(), "omp_target_memcpy_rect_async");
            };
            deferred::defer(&dependences, device, Box::new(work));
        }
        SUCCESS
    }

    /// `void *omp_target_memset(void *ptr, int value, size_t count, int device_num)`
    ///
    /// # Safety
    /// The memory is valid in the memory of the device.
    pub (unsafe) fn omp_target_memset(
        pointer: *mut c_void,
        value: c_int,
        bytes: usize,
        device: c_int,
    ) -> *mut c_void {
        if !pointer.is_null() && bytes != 0 {
            let call = Call { site: CallSite::here(), is_async: false };
            let data = (value as u8, bytes);
            // SAFETY: the caller's own promise (`# Safety`).
            let is_done = unsafe { memory::fill(offload(), pointer, data, device, call) };
            report(is_done, "omp_target_memset");
        }
        pointer
    }

    /// `void *omp_target_memset_async(…, int depobj_count, omp_depend_t *depobj_list)`
    ///
    /// # Safety
    /// As for `omp_target_memset`, until the task is done; and so many depend objects stand there.
    pub (unsafe) fn omp_target_memset_async(
        pointer: *mut c_void,
        value: c_int,
        bytes: usize,
        device: c_int,
        depend_count: c_int,
        depend_objects: *const *mut c_void,
    ) -> *mut c_void {
        if pointer.is_null() || bytes == 0 {
            return pointer;
        }
        let kept = Kept(pointer);
        let call = Call { site: CallSite::here(), is_async: true };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let dependences = deferred::dependences(depend_count, depend_objects);
            let work = move || {
                let Kept(pointer) = { kept };
                let data = (value as u8, bytes);
                let is_done = memory::fill(offload(), pointer, data, device, call);
                report(is_done, "omp_target_memset_async");
            };
            deferred::defer(&dependences, i64::from(device), Box::new(work));
        }
        pointer
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
        if device_pointer.is_null() {
            return FAILURE;
        }
        let address = Address(device_pointer.expose_provenance()).plus(offset);
        answer(associate::associate(offload(), host, address, bytes, device, CallSite::here()))
    }

    /// `int omp_target_disassociate_ptr(const void *ptr, int device_num)`
    pub fn omp_target_disassociate_ptr(host: *const c_void, device: c_int) -> c_int {
        answer(associate::disassociate(offload(), host, device, CallSite::here()))
    }
}

/// The two ends of a rectangular copy, the size of an element, and the devices.
type Ends = (*mut c_void, *mut c_void, usize, (c_int, c_int));

/// # Safety
/// The arrays have `dimensions` elements.
unsafe fn rectangle(
    (to, from, element, devices): Ends,
    dimensions: c_int,
    volume: *const usize,
    [to_offsets, to_dimensions]: [*const usize; 2],
    [from_offsets, from_dimensions]: [*const usize; 2],
) -> Option<Rectangle> {
    if to.is_null() || from.is_null() || element == 0 {
        return None;
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe {
        Some(Rectangle {
            to: Kept(to),
            from: Kept(from),
            element,
            volume: sizes(volume, dimensions)?,
            to_part: [sizes(to_offsets, dimensions)?, sizes(to_dimensions, dimensions)?],
            from_part: [sizes(from_offsets, dimensions)?, sizes(from_dimensions, dimensions)?],
            devices,
        })
    }
}

/// Tells of a failure for which the routine has no answer.
fn report(is_done: bool, routine: &str) {
    if !is_done {
        oxomp_target::report::warn(&format!("{routine} failed: there is no such device"));
    }
}
