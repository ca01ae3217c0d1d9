//! The values behind the pointers that a callback gets.

use core::ffi::{CStr, c_char};
use core::slice;

use oxomp_sys::ompt::{ompt_data_t, ompt_id_t};

use crate::DataWord;

/// The word behind a callback's argument.
///
/// # Safety
/// `word` is a callback's argument, and the result is not used after the callback.
#[inline]
pub(super) unsafe fn word<'a>(word: *mut ompt_data_t) -> Option<&'a DataWord> {
    // SAFETY: a runtime passes null or a word that is alive during the callback.
    unsafe { DataWord::from_raw(word) }
}

/// The word behind a pointer to an operation's id.
///
/// # Safety
/// As for [`word`].
#[inline]
pub(super) unsafe fn id_word<'a>(id: *mut ompt_id_t) -> Option<&'a DataWord> {
    // SAFETY: an id is a word of the same layout, alive during the callback.
    unsafe { DataWord::from_raw(id.cast()) }
}

/// The slice behind a callback's pointer and length; empty if the pointer is null, or the length 0
/// or below.
///
/// # Safety
/// `start` is null or points to `length` elements, and the result is not used after the callback.
#[inline]
pub(crate) unsafe fn elements<'a, E>(start: *const E, length: impl TryInto<usize>) -> &'a [E] {
    match start.is_null() {
        true => &[],
        // SAFETY: as the caller promises.
        false => unsafe { slice::from_raw_parts(start, length.try_into().unwrap_or(0)) },
    }
}

/// The string behind a callback's argument.
///
/// # Safety
/// `text` is null or a string, and the result is not used after the callback.
pub(super) unsafe fn string<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: as the caller promises.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}
