//! Copies of rectangular parts of arrays in device memory (OpenMP 5.2 §18.8.6, §18.8.8).

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_argument::{Dimension, Rectangle, RectangleLists};
use oxomp_core::CallSite;
use oxomp_core::devices::{has_libomptarget, is_host_or_allowed};
use oxomp_core::target::{Description, Operation};
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

/// A copy on the host from the first byte of a rectangle to that of another.
#[derive(Clone, Copy)]
struct CopyRectangle {
    destination: *mut c_void,
    source: *const c_void,
    rectangle: Rectangle,
}

impl Operation for CopyRectangle {
    type Item = Dimension;

    fn description(&self) -> Description {
        Description::of_copy(self.destination, self.source, self.rectangle.bytes)
    }

    unsafe fn perform(&self, outer: &[Dimension]) {
        for row in self.rectangle.rows(outer) {
            let to = self.destination.wrapping_byte_add(row.destination).cast::<u8>();
            let from = self.source.wrapping_byte_add(row.source).cast::<u8>();
            // SAFETY: A21: a row of the parts, which may overlap.
            unsafe { ptr::copy(from, to, self.rectangle.row) };
        }
    }
}

impl Rect<'_> {
    /// The copy, if both devices are the host; otherwise the result of the routine `name`.
    ///
    /// # Safety
    /// A3: the arrays have as many elements as there are dimensions.
    unsafe fn on_host(self, name: &str, site: CallSite) -> Asked<CopyRectangle> {
        if self.destination.is_null() && self.source.is_null() {
            return Err(MOST_DIMENSIONS);
        }
        let devices = [self.destination_device, self.source_device];
        if !devices.into_iter().all(|device| is_host_or_allowed(device, name, site)) {
            return Err(FAILED);
        }
        if self.destination.is_null() || self.source.is_null() {
            return Err(FAILED);
        }
        let lists = RectangleLists {
            volume: self.volume,
            destination_offsets: self.destination_offsets,
            source_offsets: self.source_offsets,
            destination_dimensions: self.destination_dimensions,
            source_dimensions: self.source_dimensions,
        };
        // SAFETY: A3, as this function demands.
        let rectangle = unsafe { lists.with(self.dimensions, self.element) };
        let (rectangle, outer) = rectangle.ok_or(FAILED)?;
        let copy = CopyRectangle {
            destination: self.destination.wrapping_byte_add(rectangle.destination_offset),
            source: self.source.wrapping_byte_add(rectangle.source_offset),
            rectangle,
        };
        Ok((copy, outer))
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

#[cfg(test)]
mod tests {
    use super::{CopyRectangle, Operation, RectangleLists};
    use crate::argument::List;

    #[test]
    fn a_block_of_a_matrix_is_copied_to_its_place_in_another() {
        let source: Vec<u16> = (0..5 * 7).collect();
        let mut destination = [0_u16; 4 * 3];
        let lists = RectangleLists {
            volume: List::from(&[3, 2][..]),
            destination_offsets: List::from(&[1, 0][..]),
            source_offsets: List::from(&[2, 4][..]),
            destination_dimensions: List::from(&[4, 3][..]),
            source_dimensions: List::from(&[5, 7][..]),
        };
        // SAFETY: each array has two elements.
        let (rectangle, outer) = unsafe { lists.with(2, 2) }.expect("the parts lie in the arrays");
        let copy = CopyRectangle {
            destination: destination[3..].as_mut_ptr().cast(),
            source: source[2 * 7 + 4..].as_ptr().cast(),
            rectangle,
        };
        // SAFETY: the parts lie in the arrays.
        unsafe { copy.perform(&outer) };
        assert_eq!(destination, [0, 0, 0, 18, 19, 0, 25, 26, 0, 32, 33, 0]);
    }
}
