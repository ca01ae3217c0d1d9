//! Device memory (OpenMP 5.2 §18.8, 6.0 §25): that of the host, which is the one device of this
//! library. If the program has loaded libomptarget, its routines answer.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_core::devices::{is_host, is_host_or_allowed};
use oxomp_core::target::{self, Copy, Fill, Part, Rectangle};
use oxomp_core::task::{self, DependenceList};
use oxomp_core::{CallSite, Thread};

use super::theirs::theirs;
use crate::argument::{GccDependObject, KmpDependObject, List, gcc_dependences, kmp_dependences};

/// Result of a routine that has failed: `EINVAL`.
const FAILED: c_int = 22;
const DONE: c_int = 0;

/// The number of dimensions that the routines take at most.
const MOST_DIMENSIONS: c_int = c_int::MAX;

/// Waits for the dependences, where the routine itself waits for its operation.
fn wait_for(mut dependences: DependenceList, site: CallSite) {
    if !dependences.is_empty() {
        task::taskwait_depend(Thread::current(), &mut dependences, false, site);
    }
}

/// The arguments of `omp_target_memcpy`.
#[derive(Clone, core::marker::Copy)]
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
    /// The copy, if both devices are the host; otherwise the result of the routine.
    fn on_host(self, site: CallSite) -> Result<Copy, c_int> {
        let name = "omp_target_memcpy";
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
        Ok(Copy {
            destination: self.destination.wrapping_byte_add(self.destination_offset),
            source: self.source.wrapping_byte_add(self.source_offset),
            bytes: self.length,
        })
    }

    /// # Safety
    /// The memory is the caller's.
    unsafe fn now(self, site: CallSite) -> c_int {
        let Transfer { destination, source, length, destination_offset, source_offset, .. } = self;
        let Transfer { destination_device, source_device, .. } = self;
        theirs!(c"omp_target_memcpy"(
            destination: *mut c_void,
            source: *const c_void,
            length: usize,
            destination_offset: usize,
            source_offset: usize,
            destination_device: c_int,
            source_device: c_int,
        ) -> c_int);
        match self.on_host(site) {
            Ok(copy) => {
                // SAFETY: the caller's own promise (`# Safety`).
                unsafe { target::now(Thread::current(), &copy, site) };
                DONE
            }
            Err(result) => result,
        }
    }

    /// # Safety
    /// The memory is the caller's until the copy is complete.
    unsafe fn later(self, dependences: DependenceList, site: CallSite) -> c_int {
        match self.on_host(site) {
            Ok(copy) => {
                // SAFETY: the caller's own promise (`# Safety`).
                unsafe { target::later(Thread::current(), copy, dependences, site) };
                DONE
            }
            Err(result) => result,
        }
    }
}

/// The arguments of `omp_target_memcpy_rect`.
#[derive(Clone, core::marker::Copy)]
struct Rect<'a> {
    destination: *mut c_void,
    source: *const c_void,
    element: usize,
    dimensions: c_int,
    volume: List<'a, usize>,
    destination_offsets: List<'a, usize>,
    source_offsets: List<'a, usize>,
    destination_dimensions: List<'a, usize>,
    source_dimensions: List<'a, usize>,
    destination_device: c_int,
    source_device: c_int,
}

impl Rect<'_> {
    /// The copy, if both devices are the host; otherwise the result of the routine.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions.
    unsafe fn on_host(self, site: CallSite) -> Result<Rectangle, c_int> {
        if self.destination.is_null() && self.source.is_null() {
            return Err(MOST_DIMENSIONS);
        }
        let name = "omp_target_memcpy_rect";
        let devices = [self.destination_device, self.source_device];
        if !devices.into_iter().all(|device| is_host_or_allowed(device, name, site)) {
            return Err(FAILED);
        }
        if self.destination.is_null() || self.source.is_null() || self.dimensions < 1 {
            return Err(FAILED);
        }
        let count = self.dimensions;
        // SAFETY: A3, as this function demands.
        let rectangle = unsafe {
            let (offsets, dimensions) =
                (self.destination_offsets.with(count), self.destination_dimensions.with(count));
            let to = (self.destination, Part { offsets, dimensions });
            let (offsets, dimensions) =
                (self.source_offsets.with(count), self.source_dimensions.with(count));
            let from = (self.source, Part { offsets, dimensions });
            Rectangle::new(to, from, self.element, self.volume.with(count))
        };
        rectangle.ok_or(FAILED)
    }

    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions. The memory is the caller's.
    unsafe fn now(self, site: CallSite) -> c_int {
        let Rect { destination, source, element, dimensions, volume, .. } = self;
        let Rect { destination_offsets, source_offsets, destination_dimensions, .. } = self;
        let Rect { source_dimensions, destination_device, source_device, .. } = self;
        theirs!(c"omp_target_memcpy_rect"(
            destination: *mut c_void,
            source: *const c_void,
            element: usize,
            dimensions: c_int,
            volume: List<'_, usize>,
            destination_offsets: List<'_, usize>,
            source_offsets: List<'_, usize>,
            destination_dimensions: List<'_, usize>,
            source_dimensions: List<'_, usize>,
            destination_device: c_int,
            source_device: c_int,
        ) -> c_int);
        // SAFETY: the caller's own promise (`# Safety`).
        match unsafe { self.on_host(site) } {
            Ok(rectangle) => {
                // SAFETY: the caller's own promise (`# Safety`).
                unsafe { target::now(Thread::current(), &rectangle, site) };
                DONE
            }
            Err(result) => result,
        }
    }

    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions. The memory is the caller's
    /// until the copy is complete.
    unsafe fn later(self, dependences: DependenceList, site: CallSite) -> c_int {
        // SAFETY: the caller's own promise (`# Safety`).
        match unsafe { self.on_host(site) } {
            Ok(rectangle) => {
                // SAFETY: the caller's own promise (`# Safety`).
                unsafe { target::later(Thread::current(), rectangle, dependences, site) };
                DONE
            }
            Err(result) => result,
        }
    }
}

/// The operation of `omp_target_memset`, if the device is the host and there is memory.
fn fill(
    destination: *mut c_void,
    value: c_int,
    bytes: usize,
    device: c_int,
    site: CallSite,
) -> Option<Fill> {
    let allowed = is_host_or_allowed(device, "omp_target_memset", site);
    let operation = Fill { destination, value: value as u8, bytes };
    (allowed && !destination.is_null() && bytes != 0).then_some(operation)
}

entry! {
    /// `void *omp_target_alloc(size_t size, int device_num)`
    pub fn omp_target_alloc(size: usize, device_num: c_int) -> *mut c_void {
        let site = CallSite::here();
        theirs!(c"omp_target_alloc"(size: usize, device_num: c_int) -> *mut c_void);
        if !is_host_or_allowed(device_num, "omp_target_alloc", site) {
            return ptr::null_mut();
        }
        target::alloc(Thread::current(), size, site)
    }

    /// `void omp_target_free(void *device_ptr, int device_num)`
    ///
    /// # Safety
    /// A14: null, or memory of `omp_target_alloc` that the program gives back.
    pub unsafe fn omp_target_free(memory: *mut c_void, device_num: c_int) {
        let site = CallSite::here();
        theirs!(c"omp_target_free"(memory: *mut c_void, device_num: c_int) -> ());
        if is_host_or_allowed(device_num, "omp_target_free", site) {
            // SAFETY: A14 of the argument.
            unsafe { target::free(Thread::current(), memory, site) };
        }
    }

    /// `int omp_target_is_present(const void *ptr, int device_num)`
    pub fn omp_target_is_present(address: *const c_void, device_num: c_int) -> c_int {
        theirs!(c"omp_target_is_present"(address: *const c_void, device_num: c_int) -> c_int);
        c_int::from(is_host(device_num))
    }

    /// `int omp_target_is_accessible(const void *ptr, size_t size, int device_num)`
    pub fn omp_target_is_accessible(
        address: *const c_void,
        size: usize,
        device_num: c_int,
    ) -> c_int {
        theirs!(c"omp_target_is_accessible"(
            address: *const c_void,
            size: usize,
            device_num: c_int,
        ) -> c_int);
        c_int::from(is_host(device_num))
    }

    /// `int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
    /// size_t src_offset, int dst_device_num, int src_device_num)`: 0 on success.
    ///
    /// # Safety
    /// A21: so many bytes are readable and writable.
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
        unsafe { transfer.now(CallSite::here()) }
    }

    /// `int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset,
    /// size_t src_offset, int dst_device_num, int src_device_num, int depobj_count,
    /// omp_depend_t *depobj_list)`, for programs of clang and flang.
    ///
    /// # Safety
    /// A21: so many bytes are readable and writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memcpy_async@["VERSION"](
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
        theirs!(c"omp_target_memcpy_async"(
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
    /// A21: so many bytes are readable and writable. A3: `count` is the length of `objects`.
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
            if super::theirs::are_there() {
                wait_for(dependences, site);
                return transfer.now(site);
            }
            transfer.later(dependences, site)
        }
    }

    /// `int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
    /// const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets, const size_t
    /// *dst_dimensions, const size_t *src_dimensions, int dst_device_num, int src_device_num)`: 0 on
    /// success; the greatest number of dimensions if both addresses are null.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions. A21: the parts are readable and
    /// writable.
    pub unsafe fn omp_target_memcpy_rect(
        destination: *mut c_void,
        source: *const c_void,
        element: usize,
        dimensions: c_int,
        volume: List<usize>,
        destination_offsets: List<usize>,
        source_offsets: List<usize>,
        destination_dimensions: List<usize>,
        source_dimensions: List<usize>,
        destination_device: c_int,
        source_device: c_int,
    ) -> c_int {
        let rect = Rect {
            destination,
            source,
            element,
            dimensions,
            volume,
            destination_offsets,
            source_offsets,
            destination_dimensions,
            source_dimensions,
            destination_device,
            source_device,
        };
        // SAFETY: A3 and A21 of the arguments.
        unsafe { rect.now(CallSite::here()) }
    }

    /// `int omp_target_memcpy_rect_async(…, int depobj_count, omp_depend_t *depobj_list)`, for
    /// programs of clang and flang.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions, and `count` is the length of
    /// `objects`. A21: the parts are readable and writable.
    pub unsafe fn omp_target_memcpy_rect_async@["VERSION"](
        destination: *mut c_void,
        source: *const c_void,
        element: usize,
        dimensions: c_int,
        volume: List<usize>,
        destination_offsets: List<usize>,
        source_offsets: List<usize>,
        destination_dimensions: List<usize>,
        source_dimensions: List<usize>,
        destination_device: c_int,
        source_device: c_int,
        count: c_int,
        objects: List<KmpDependObject>,
    ) -> c_int {
        theirs!(c"omp_target_memcpy_rect_async"(
            destination: *mut c_void,
            source: *const c_void,
            element: usize,
            dimensions: c_int,
            volume: List<'_, usize>,
            destination_offsets: List<'_, usize>,
            source_offsets: List<'_, usize>,
            destination_dimensions: List<'_, usize>,
            source_dimensions: List<'_, usize>,
            destination_device: c_int,
            source_device: c_int,
            count: c_int,
            objects: List<'_, KmpDependObject>,
        ) -> c_int);
        let rect = Rect {
            destination,
            source,
            element,
            dimensions,
            volume,
            destination_offsets,
            source_offsets,
            destination_dimensions,
            source_dimensions,
            destination_device,
            source_device,
        };
        // SAFETY: A3 and A21 of the arguments.
        unsafe { rect.later(kmp_dependences(count, objects), CallSite::here()) }
    }

    /// `omp_target_memcpy_rect_async` for programs of gcc and gfortran.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions, and `count` is the length of
    /// `objects`. A21: the parts are readable and writable.
    pub unsafe fn omp_target_memcpy_rect_async_of_gcc = omp_target_memcpy_rect_async
   @["OMP_5.1.1"](
        destination: *mut c_void,
        source: *const c_void,
        element: usize,
        dimensions: c_int,
        volume: List<usize>,
        destination_offsets: List<usize>,
        source_offsets: List<usize>,
        destination_dimensions: List<usize>,
        source_dimensions: List<usize>,
        destination_device: c_int,
        source_device: c_int,
        count: c_int,
        objects: List<GccDependObject>,
    ) -> c_int {
        let site = CallSite::here();
        let rect = Rect {
            destination,
            source,
            element,
            dimensions,
            volume,
            destination_offsets,
            source_offsets,
            destination_dimensions,
            source_dimensions,
            destination_device,
            source_device,
        };
        // SAFETY: A3 and A21 of the arguments.
        unsafe {
            let dependences = gcc_dependences(count, objects);
            if super::theirs::are_there() {
                wait_for(dependences, site);
                return rect.now(site);
            }
            rect.later(dependences, site)
        }
    }

    /// `void *omp_target_memset(void *ptr, int val, size_t count, int device_num)`: `ptr`.
    ///
    /// # Safety
    /// A21: so many bytes are writable.
    pub unsafe fn omp_target_memset(
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device_num: c_int,
    ) -> *mut c_void {
        let site = CallSite::here();
        theirs!(c"omp_target_memset"(
            memory: *mut c_void,
            value: c_int,
            bytes: usize,
            device_num: c_int,
        ) -> *mut c_void);
        if let Some(operation) = fill(memory, value, bytes, device_num, site) {
            // SAFETY: A21 of the arguments.
            unsafe { target::now(Thread::current(), &operation, site) };
        }
        memory
    }

    /// `void *omp_target_memset_async(void *ptr, int val, size_t count, int device_num,
    /// int depobj_count, omp_depend_t *depobj_list)`, for programs of clang and flang.
    ///
    /// # Safety
    /// A21: so many bytes are writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memset_async@["VERSION"](
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device_num: c_int,
        count: c_int,
        objects: List<KmpDependObject>,
    ) -> *mut c_void {
        let site = CallSite::here();
        theirs!(c"omp_target_memset_async"(
            memory: *mut c_void,
            value: c_int,
            bytes: usize,
            device_num: c_int,
            count: c_int,
            objects: List<'_, KmpDependObject>,
        ) -> *mut c_void);
        if let Some(operation) = fill(memory, value, bytes, device_num, site) {
            // SAFETY: A3 and A21 of the arguments.
            unsafe {
                let dependences = kmp_dependences(count, objects);
                target::later(Thread::current(), operation, dependences, site);
            }
        }
        memory
    }

    /// `omp_target_memset_async` for programs of gcc and gfortran.
    ///
    /// # Safety
    /// A21: so many bytes are writable. A3: `count` is the length of `objects`.
    pub unsafe fn omp_target_memset_async_of_gcc = omp_target_memset_async@["GOMP_6.0.1"](
        memory: *mut c_void,
        value: c_int,
        bytes: usize,
        device_num: c_int,
        count: c_int,
        objects: List<GccDependObject>,
    ) -> *mut c_void {
        let site = CallSite::here();
        // SAFETY: A3 of the arguments.
        let dependences = unsafe { gcc_dependences(count, objects) };
        if super::theirs::are_there() {
            wait_for(dependences, site);
            // SAFETY: A21 of the arguments.
            return unsafe { omp_target_memset(memory, value, bytes, device_num) };
        }
        if let Some(operation) = fill(memory, value, bytes, device_num, site) {
            // SAFETY: A21 of the arguments.
            unsafe { target::later(Thread::current(), operation, dependences, site) };
        }
        memory
    }

    /// `int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size,
    /// size_t device_offset, int device_num)`: not 0, since the host's variables are its own.
    pub fn omp_target_associate_ptr(
        host_address: *const c_void,
        device_address: *const c_void,
        size: usize,
        offset: usize,
        device_num: c_int,
    ) -> c_int {
        let site = CallSite::here();
        theirs!(c"omp_target_associate_ptr"(
            host_address: *const c_void,
            device_address: *const c_void,
            size: usize,
            offset: usize,
            device_num: c_int,
        ) -> c_int);
        is_host_or_allowed(device_num, "omp_target_associate_ptr", site);
        FAILED
    }

    /// `int omp_target_disassociate_ptr(const void *ptr, int device_num)`: not 0.
    pub fn omp_target_disassociate_ptr(address: *const c_void, device_num: c_int) -> c_int {
        let site = CallSite::here();
        theirs!(c"omp_target_disassociate_ptr"(
            address: *const c_void,
            device_num: c_int,
        ) -> c_int);
        is_host_or_allowed(device_num, "omp_target_disassociate_ptr", site);
        FAILED
    }

    /// `void *omp_get_mapped_ptr(const void *ptr, int device_num)`: null unless the device is the
    /// host.
    pub fn omp_get_mapped_ptr(address: *mut c_void, device_num: c_int) -> *mut c_void {
        theirs!(c"omp_get_mapped_ptr"(address: *mut c_void, device_num: c_int) -> *mut c_void);
        if is_host(device_num) { address } else { ptr::null_mut() }
    }
}
