//! Texts and arrays in memory of the debugger.

use core::ffi::c_char;
use core::ptr::NonNull;

use crate::Answer;
use crate::callbacks::Callbacks;

/// `text` up to its first zero byte, with one after it, in memory of the debugger, which frees it.
pub(crate) fn give(callbacks: Callbacks, text: &[u8]) -> Answer<NonNull<c_char>> {
    let length = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
    let text = text.get(..length).unwrap_or_default();
    let memory = callbacks.allocate(length.saturating_add(1))?;
    // SAFETY: the memory is new, and has a byte more than the text.
    unsafe {
        memory.as_ptr().copy_from_nonoverlapping(text.as_ptr(), length);
        memory.as_ptr().add(length).write(0);
    }
    Ok(memory.cast())
}

/// The numbers, in memory of the debugger, which frees it.
pub(crate) fn give_numbers(callbacks: Callbacks, numbers: &[u64]) -> Answer<NonNull<u64>> {
    let memory: NonNull<u64> = callbacks.allocate(size_of_val(numbers))?.cast();
    for (at, number) in numbers.iter().enumerate() {
        // SAFETY: the memory is new, and has a place for each of the numbers.
        unsafe { memory.as_ptr().add(at).write_unaligned(*number) };
    }
    Ok(memory)
}
