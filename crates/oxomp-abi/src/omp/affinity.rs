//! Display of the threads' affinity (OpenMP 5.2 §18.3.7-10).
//!
//! Fortran passes strings by address, their lengths after all arguments.

use core::ffi::{CStr, c_char};
use core::slice;

use oxomp_core::{Thread, affinity_format};

/// A string of C's; null counts as empty.
///
/// # Safety
/// `text` is null or ends with a null character.
unsafe fn c_text<'a>(text: *const c_char) -> &'a [u8] {
    // SAFETY: by contract.
    if text.is_null() { &[] } else { unsafe { CStr::from_ptr(text) }.to_bytes() }
}

/// A string of Fortran's; null counts as empty.
///
/// # Safety
/// `text` is null or as long as is said.
unsafe fn fortran_text<'a>(text: *const c_char, length: usize) -> &'a [u8] {
    // SAFETY: by contract.
    if text.is_null() { &[] } else { unsafe { slice::from_raw_parts(text.cast::<u8>(), length) } }
}

/// Stores as much of `text` as fits, with a null character after it; the length of the whole.
///
/// # Safety
/// `buffer` is null or has room for `size` characters.
unsafe fn store_c(text: &[u8], buffer: *mut c_char, size: usize) -> usize {
    if !buffer.is_null() && size > 0 {
        let length = text.len().min(size - 1);
        // SAFETY: by contract.
        unsafe {
            text.as_ptr().copy_to_nonoverlapping(buffer.cast::<u8>(), length);
            buffer.add(length).write(0);
        }
    }
    text.len()
}

/// Stores as much of `text` as fits, with blanks after it; the length of the whole.
///
/// # Safety
/// `buffer` is null or has room for `size` characters.
unsafe fn store_fortran(text: &[u8], buffer: *mut c_char, size: usize) -> usize {
    if !buffer.is_null() {
        let length = text.len().min(size);
        let buffer = buffer.cast::<u8>();
        // SAFETY: by contract.
        unsafe {
            text.as_ptr().copy_to_nonoverlapping(buffer, length);
            buffer.add(length).write_bytes(b' ', size - length);
        }
    }
    text.len()
}

entry! {
    /// `void omp_set_affinity_format(const char *format)`
    ///
    /// # Safety
    /// `format` ends with a null character, or is null, which sets nothing.
    pub unsafe fn omp_set_affinity_format | ompc_set_affinity_format(format: *const c_char) {
        if !format.is_null() {
            // SAFETY: by contract.
            affinity_format::set(unsafe { c_text(format) });
        }
    }

    /// `size_t omp_get_affinity_format(char *buffer, size_t size)`: the length of the whole format.
    ///
    /// # Safety
    /// `buffer` is null or has room for `size` characters.
    pub unsafe fn omp_get_affinity_format | ompc_get_affinity_format(
        buffer: *mut c_char,
        size: usize,
    ) -> usize {
        // SAFETY: by contract.
        unsafe { store_c(&affinity_format::get(), buffer, size) }
    }

    /// `void omp_display_affinity(const char *format)`
    ///
    /// # Safety
    /// `format` ends with a null character, or is null.
    pub unsafe fn omp_display_affinity | ompc_display_affinity(format: *const c_char) {
        // SAFETY: by contract.
        affinity_format::display(Thread::current(), unsafe { c_text(format) });
    }

    /// `size_t omp_capture_affinity(char *buffer, size_t size, const char *format)`: the length of
    /// the whole text.
    ///
    /// # Safety
    /// `buffer` is null or has room for `size` characters; `format` ends with a null character, or is
    /// null.
    pub unsafe fn omp_capture_affinity | ompc_capture_affinity(
        buffer: *mut c_char,
        size: usize,
        format: *const c_char,
    ) -> usize {
        // SAFETY: by contract.
        unsafe {
            let text = affinity_format::capture(Thread::current(), c_text(format));
            store_c(&text, buffer, size)
        }
    }

    /// `omp_set_affinity_format` called from Fortran.
    ///
    /// # Safety
    /// `format` has `length` characters.
    pub unsafe fn omp_set_affinity_format_(format: *const c_char, length: usize) {
        // SAFETY: by contract.
        affinity_format::set(unsafe { fortran_text(format, length) });
    }

    /// `omp_get_affinity_format` called from Fortran.
    ///
    /// # Safety
    /// `buffer` has room for `size` characters.
    pub unsafe fn omp_get_affinity_format_(buffer: *mut c_char, size: usize) -> usize {
        // SAFETY: by contract.
        unsafe { store_fortran(&affinity_format::get(), buffer, size) }
    }

    /// `omp_display_affinity` called from Fortran.
    ///
    /// # Safety
    /// `format` has `length` characters.
    pub unsafe fn omp_display_affinity_(format: *const c_char, length: usize) {
        // SAFETY: by contract.
        affinity_format::display(Thread::current(), unsafe { fortran_text(format, length) });
    }

    /// `omp_capture_affinity` called from Fortran.
    ///
    /// # Safety
    /// `buffer` has room for `size` characters, `format` has `length`.
    pub unsafe fn omp_capture_affinity_(
        buffer: *mut c_char,
        format: *const c_char,
        size: usize,
        length: usize,
    ) -> usize {
        // SAFETY: by contract.
        unsafe {
            let text = affinity_format::capture(Thread::current(), fortran_text(format, length));
            store_fortran(&text, buffer, size)
        }
    }
}
