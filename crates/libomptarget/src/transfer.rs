//! Copying and filling memory for a routine: at once, or in a task.

use core::ffi::{c_int, c_void};
use core::slice;

use oxomp_target::copy::{self, Call, Memory};
use oxomp_target::deferred;
use oxomp_target::memory;
use oxomp_target::plugin::DeviceError;
use oxomp_target::rectangle::{self, Subvolume};
use oxomp_target::tool::CallSite;

use crate::offload;

const SUCCESS: c_int = 0;
/// Any other answer is a failure.
pub(crate) const FAILURE: c_int = libc::EINVAL;

pub(crate) fn answer(is_done: bool) -> c_int {
    if is_done { SUCCESS } else { FAILURE }
}

/// An address that a task keeps for the program.
#[derive(Clone, Copy)]
struct Kept(*mut c_void);

// SAFETY: the program promises that the memory is valid until the task is done.
unsafe impl Send for Kept {}

/// The call of a routine.
pub(crate) struct Routine {
    pub(crate) name: &'static str,
    pub(crate) site: CallSite,
    /// The depend objects, how many and where, of a routine whose work is a task.
    pub(crate) task: Option<(c_int, *const *mut c_void)>,
}

impl Routine {
    /// Does the work, or makes a task do it after its dependences, on behalf of a device.
    ///
    /// # Safety
    /// The depend objects are the program's. The work is valid until it is done.
    unsafe fn perform(
        self,
        device: c_int,
        work: impl FnOnce(Call) -> Result<(), DeviceError> + Send + 'static,
    ) -> Result<(), DeviceError> {
        let call = Call { site: self.site, is_async: self.task.is_some() };
        let Some((count, objects)) = self.task else { return work(call) };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            let dependences = deferred::dependences(count, objects);
            let work = Box::new(move || report(self.name, work(call)));
            deferred::defer(&dependences, i64::from(device), work);
        }
        Ok(())
    }
}

/// Tells of a failure for which the routine has no answer.
fn report(routine: &str, result: Result<(), DeviceError>) {
    if let Err(error) = result {
        oxomp_target::report::warn(&format!("{routine} failed: {error}"));
    }
}

/// What is copied.
pub(crate) enum Shape {
    /// So many bytes.
    Range(usize),
    /// So many elements by dimension, of `element` bytes each, and where they lie in the arrays.
    Rectangle { volume: Vec<usize>, element: usize, to: Subvolume, from: Subvolume },
}

impl Shape {
    /// A rectangle; `None` if an array is missing, or if an element has no bytes.
    ///
    /// # Safety
    /// The arrays have `dimensions` elements.
    pub(crate) unsafe fn rectangle(
        element: usize,
        dimensions: c_int,
        volume: *const usize,
        [to_offsets, to_dimensions]: [*const usize; 2],
        [from_offsets, from_dimensions]: [*const usize; 2],
    ) -> Option<Self> {
        let count = usize::try_from(dimensions).ok().filter(|&count| count > 0 && element > 0)?;
        let sizes = |array: *const usize| {
            // SAFETY: the caller's own promise (`# Safety`).
            (!array.is_null()).then(|| unsafe { slice::from_raw_parts(array, count) }.to_vec())
        };
        let to = Subvolume { offsets: sizes(to_offsets)?, dimensions: sizes(to_dimensions)? };
        let from = Subvolume { offsets: sizes(from_offsets)?, dimensions: sizes(from_dimensions)? };
        Some(Self::Rectangle { volume: sizes(volume)?, element, to, from })
    }

    /// # Safety
    /// It is valid at the addresses in the memories.
    unsafe fn copy(
        &self,
        (to, Kept(target)): (Memory, Kept),
        (from, Kept(source)): (Memory, Kept),
        call: Call,
    ) -> Result<(), DeviceError> {
        let (offload, source) = (offload(), source.cast_const());
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            match self {
                Self::Range(bytes) => {
                    copy::copy(offload, (to, target), (from, source), *bytes, call)
                }
                Self::Rectangle { volume, element, to: to_part, from: from_part } => {
                    let (to, from) = ((to, target, to_part), (from, source, from_part));
                    rectangle::copy(offload, to, from, (volume, *element), call)
                }
            }
        }
    }
}

/// Copies from an address to another one, each with an offset and the number of its device.
///
/// # Safety
/// As for [`Routine::perform`], and the shape is valid there.
pub(crate) unsafe fn copy(
    routine: Routine,
    (to, to_offset, to_device): (*mut c_void, usize, c_int),
    (from, from_offset, from_device): (*mut c_void, usize, c_int),
    shape: Option<Shape>,
) -> c_int {
    if let Some(Shape::Range(0)) = shape {
        return SUCCESS;
    }
    let memories = Memory::of(offload(), to_device).zip(Memory::of(offload(), from_device));
    let (Some(shape), Some(memories)) = (shape, memories) else { return FAILURE };
    if to.is_null() || from.is_null() {
        return FAILURE;
    }
    let to = (memories.0, Kept(to.wrapping_byte_add(to_offset)));
    let from = (memories.1, Kept(from.wrapping_byte_add(from_offset)));
    // SAFETY: the caller's own promise (`# Safety`).
    let result = unsafe { routine.perform(to_device, move |call| shape.copy(to, from, call)) };
    answer(result.is_ok())
}

/// Fills memory with a byte.
///
/// # Safety
/// As for [`Routine::perform`], and so many bytes are valid in the memory of the device.
pub(crate) unsafe fn fill(
    routine: Routine,
    pointer: *mut c_void,
    (value, bytes): (c_int, usize),
    device: c_int,
) -> *mut c_void {
    let kept = Kept(pointer);
    let work = move |call| {
        let Kept(pointer) = { kept };
        let none = || DeviceError("there is no such device".to_owned());
        let memory = Memory::of(offload(), device).ok_or_else(none)?;
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { memory::fill(offload(), (memory, pointer), (value as u8, bytes), call) }
    };
    if !pointer.is_null() && bytes != 0 {
        let name = routine.name;
        // SAFETY: the caller's own promise (`# Safety`).
        report(name, unsafe { routine.perform(device, work) });
    }
    pointer
}
