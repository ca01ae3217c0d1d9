//! Copying and filling memory for a routine: at once, or in a task.

use core::ffi::{c_int, c_void};

use oxomp_argument::{Dimension, KmpDependObject, List, Rectangle, RectangleLists};
use oxomp_target::copy::{self, Call, Memory, Rows};
use oxomp_target::deferred;
use oxomp_target::memory;
use oxomp_target::plugin::DeviceError;
use oxomp_target::tool::CallSite;

use crate::arguments::dependences;
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

// SAFETY: T4: the memory is valid until the task is done.
unsafe impl Send for Kept {}

/// The call of a routine.
pub(crate) struct Routine<'a> {
    pub(crate) name: &'static str,
    pub(crate) site: CallSite,
    /// The number of depend objects, and these, of a routine whose work is a task.
    pub(crate) dependences: Option<(c_int, List<'a, KmpDependObject>)>,
}

impl Routine<'_> {
    /// Does the work, or makes a task do it after its dependences, on behalf of a device.
    ///
    /// # Safety
    /// A3: the number of depend objects is the length of their list.
    unsafe fn perform(
        self,
        device: c_int,
        work: impl FnOnce(Call) -> Result<(), DeviceError> + Send + 'static,
    ) -> Result<(), DeviceError> {
        let call = Call { site: self.site, is_async: self.dependences.is_some() };
        let Some((count, objects)) = self.dependences else { return work(call) };
        // SAFETY: A3, as this function demands.
        let dependences = unsafe { dependences(count, objects) };
        let work = Box::new(move || report(self.name, work(call)));
        deferred::defer(&dependences, i64::from(device), work);
        Ok(())
    }
}

/// Tells of a failure for which the routine has no answer.
fn report(routine: &str, result: Result<(), DeviceError>) {
    if let Err(error) = result {
        oxomp_target::report::warn(&format!("{routine} failed: {error}"));
    }
}

/// What is copied: a rectangle, with its dimensions but for the innermost.
struct Shape(Rectangle, Box<[Dimension]>);

impl Shape {
    /// # Safety
    /// T4: the shape is valid at the addresses in the memories.
    unsafe fn copy(
        &self,
        (to, Kept(target)): (Memory, Kept),
        (from, Kept(source)): (Memory, Kept),
        call: Call,
    ) -> Result<(), DeviceError> {
        let Self(rectangle, outer) = self;
        let offsets = rectangle.rows(outer).map(|row| (row.destination, row.source));
        let rows = Rows { row: rectangle.row, bytes: rectangle.bytes, offsets };
        let (to, from) = ((to, target), (from, source.cast_const()));
        // SAFETY: T4, as this function demands.
        unsafe { copy::copy(offload(), to, from, rows, call) }
    }
}

/// Copies so many bytes from an address to another one, each with an offset and the number of its
/// device.
///
/// # Safety
/// T4: the bytes are valid there. A3: that of the routine's depend objects.
pub(crate) unsafe fn copy_range(
    routine: Routine<'_>,
    to: (*mut c_void, usize, c_int),
    from: (*mut c_void, usize, c_int),
    bytes: usize,
) -> c_int {
    if bytes == 0 {
        return SUCCESS;
    }
    let shape = Shape(Rectangle::of_bytes(bytes), Box::default());
    // SAFETY: T4, as this function demands.
    unsafe { copy(routine, to, from, shape) }
}

/// Copies a part of an array from an address to another one, each with the number of its device.
/// Without addresses, returns the greatest number of dimensions.
///
/// # Safety
/// A3: the arrays have `dimensions` elements, and that of the routine's depend objects. T4: the
/// parts are valid there.
pub(crate) unsafe fn copy_rectangle(
    routine: Routine<'_>,
    (to, to_device): (*mut c_void, c_int),
    (from, from_device): (*mut c_void, c_int),
    (element, dimensions): (usize, c_int),
    lists: RectangleLists<'_>,
) -> c_int {
    if to.is_null() && from.is_null() {
        return c_int::MAX;
    }
    // SAFETY: A3, as this function demands.
    let shape = unsafe { lists.with(dimensions, element) };
    let Some((rectangle, outer)) = shape else { return FAILURE };
    let to = (to, rectangle.destination_offset, to_device);
    let from = (from, rectangle.source_offset, from_device);
    // SAFETY: T4, as this function demands.
    unsafe { copy(routine, to, from, Shape(rectangle, outer)) }
}

/// # Safety
/// T4: the shape is valid there.
unsafe fn copy(
    routine: Routine<'_>,
    (to, to_offset, to_device): (*mut c_void, usize, c_int),
    (from, from_offset, from_device): (*mut c_void, usize, c_int),
    shape: Shape,
) -> c_int {
    let memories = Memory::of(offload(), to_device).zip(Memory::of(offload(), from_device));
    let Some(memories) = memories else { return FAILURE };
    if to.is_null() || from.is_null() {
        return FAILURE;
    }
    let to = (memories.0, Kept(to.wrapping_byte_add(to_offset)));
    let from = (memories.1, Kept(from.wrapping_byte_add(from_offset)));
    // SAFETY: T4, as this function demands.
    let work = move |call| unsafe { shape.copy(to, from, call) };
    // SAFETY: A3, as this function demands.
    answer(unsafe { routine.perform(to_device, work) }.is_ok())
}

/// Fills memory with a byte.
///
/// # Safety
/// T4: so many bytes are valid in the memory of the device. A3: that of the routine's depend
/// objects.
pub(crate) unsafe fn fill(
    routine: Routine<'_>,
    pointer: *mut c_void,
    (value, bytes): (c_int, usize),
    device: c_int,
) -> *mut c_void {
    let kept = Kept(pointer);
    let work = move |call| {
        let Kept(pointer) = { kept };
        let none = || DeviceError("there is no such device".to_owned());
        let memory = Memory::of(offload(), device).ok_or_else(none)?;
        // SAFETY: T4, as this function demands.
        unsafe { memory::fill(offload(), (memory, pointer), (value as u8, bytes), call) }
    };
    if !pointer.is_null() && bytes != 0 {
        // SAFETY: A3, as this function demands.
        report(routine.name, unsafe { routine.perform(device, work) });
    }
    pointer
}
