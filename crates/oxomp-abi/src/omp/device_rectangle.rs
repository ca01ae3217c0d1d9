//! Copies of rectangular parts of arrays in device memory (OpenMP 5.2 §18.8.6, §18.8.8).

use core::ffi::{c_int, c_void};

use oxomp_core::CallSite;
use oxomp_core::devices::{has_libomptarget, is_host_or_allowed};
use oxomp_core::target::{Part, Rectangle};
use oxomp_core::task::DependenceList;

use super::device_operation::{self, Asked, FAILED, wait_for};
use super::libomptarget::forward;
use crate::argument::{GccDependObject, KmpDependObject, List, gcc_dependences, kmp_dependences};

/// The number of dimensions that the routines take at most.
const MOST_DIMENSIONS: c_int = c_int::MAX;

/// The arguments of `omp_target_memcpy_rect`.
#[derive(Clone, Copy)]
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
    /// The copy, if both devices are the host; otherwise the result of the routine `name`.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions.
    unsafe fn on_host(self, name: &str, site: CallSite) -> Asked<Rectangle> {
        if self.destination.is_null() && self.source.is_null() {
            return Err(MOST_DIMENSIONS);
        }
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
    unsafe fn now(self, name: &str, site: CallSite) -> c_int {
        let Rect { destination, source, element, dimensions, volume, .. } = self;
        let Rect { destination_offsets, source_offsets, destination_dimensions, .. } = self;
        let Rect { source_dimensions, destination_device, source_device, .. } = self;
        forward!(c"omp_target_memcpy_rect"(
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
        unsafe { device_operation::now(self.on_host(name, site), site) }
    }

    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions. The memory is the caller's
    /// until the copy is complete.
    unsafe fn later(self, dependences: DependenceList, site: CallSite) -> c_int {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let asked = self.on_host("omp_target_memcpy_rect_async", site);
            device_operation::later(asked, dependences, site)
        }
    }
}

entry! {
    /// `int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
    /// const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets, const size_t
    /// *dst_dimensions, const size_t *src_dimensions, int dst_device_num, int src_device_num)`:
    /// 0 on success; the greatest number of dimensions if both addresses are null.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions. A21: the parts are readable
    /// and writable.
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
        unsafe { rect.now("omp_target_memcpy_rect", CallSite::here()) }
    }

    /// `int omp_target_memcpy_rect_async(…, int depobj_count, omp_depend_t *depobj_list)`, for
    /// programs of clang and flang.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions, and `count` is the length of
    /// `objects`. A21: the parts are readable and writable.
    pub unsafe fn omp_target_memcpy_rect_async@["not default VERSION"](
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
        forward!(c"omp_target_memcpy_rect_async"(
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
            if has_libomptarget() {
                wait_for(dependences, site);
                return rect.now("omp_target_memcpy_rect_async", site);
            }
            rect.later(dependences, site)
        }
    }
}
