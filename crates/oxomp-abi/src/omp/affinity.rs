//! Display of the threads' affinity (OpenMP 5.2 §18.3.7-10).
//!
//! Fortran passes strings by address, their lengths after all arguments.

use core::mem::MaybeUninit;

use oxomp_core::{Thread, affinity_format, process};

use crate::argument::{List, Room, Text};

/// A string of C's; null counts as empty.
fn c_text(text: Text<'_>) -> &[u8] {
    text.get().unwrap_or_default().to_bytes()
}

/// Stores as much of `text` as fits. Returns the number of characters stored.
fn store(text: &[u8], buffer: &mut [MaybeUninit<u8>]) -> usize {
    let length = text.len().min(buffer.len());
    buffer[..length].write_copy_of_slice(&text[..length]);
    length
}

/// Stores as much of `text` as fits, with a null character after it. Returns the length of the
/// whole.
fn store_c(text: &[u8], buffer: &mut [MaybeUninit<u8>]) -> usize {
    if let Some(most) = buffer.len().checked_sub(1) {
        let length = store(text, &mut buffer[..most]);
        buffer[length].write(0);
    }
    text.len()
}

/// Stores as much of `text` as fits, with blanks after it. Returns the length of the whole.
fn store_fortran(text: &[u8], buffer: &mut [MaybeUninit<u8>]) -> usize {
    let length = store(text, buffer);
    buffer[length..].fill(MaybeUninit::new(b' '));
    text.len()
}

entry! {
    /// `void omp_set_affinity_format(const char *format)`: null sets nothing.
    pub fn omp_set_affinity_format | ompc_set_affinity_format(format: Text) {
        process::start_for_tool();
        if let Some(format) = format.get() {
            affinity_format::set(format.to_bytes());
        }
    }

    /// `size_t omp_get_affinity_format(char *buffer, size_t size)`: the length of the whole format.
    ///
    /// # Safety
    /// A3: each length is of its text or buffer.
    pub unsafe fn omp_get_affinity_format | ompc_get_affinity_format(
        buffer: Room<u8>,
        size: usize,
    ) -> usize {
        process::start_for_tool();
        // SAFETY: A3 of the arguments.
        store_c(&affinity_format::get(), unsafe { buffer.with(size) })
    }

    /// `void omp_display_affinity(const char *format)`
    pub fn omp_display_affinity | ompc_display_affinity(format: Text) {
        affinity_format::display(Thread::current(), c_text(format));
    }

    /// `size_t omp_capture_affinity(char *buffer, size_t size, const char *format)`: the length of
    /// the whole text.
    ///
    /// # Safety
    /// A3: each length is of its text or buffer.
    pub unsafe fn omp_capture_affinity | ompc_capture_affinity(
        buffer: Room<u8>,
        size: usize,
        format: Text,
    ) -> usize {
        let text = affinity_format::capture(Thread::current(), c_text(format));
        // SAFETY: A3 of the arguments; the format, which may lie in the buffer, is read no more.
        store_c(&text, unsafe { buffer.with(size) })
    }

    /// `omp_set_affinity_format` called from Fortran.
    ///
    /// # Safety
    /// A3: each length is of its text or buffer.
    pub unsafe fn omp_set_affinity_format_(format: List<u8>, length: usize) {
        process::start_for_tool();
        // SAFETY: A3 of the arguments.
        affinity_format::set(unsafe { format.with(length) });
    }

    /// `omp_get_affinity_format` called from Fortran.
    ///
    /// # Safety
    /// A3: each length is of its text or buffer.
    pub unsafe fn omp_get_affinity_format_(buffer: Room<u8>, size: usize) -> usize {
        process::start_for_tool();
        // SAFETY: A3 of the arguments.
        store_fortran(&affinity_format::get(), unsafe { buffer.with(size) })
    }

    /// `omp_display_affinity` called from Fortran.
    ///
    /// # Safety
    /// A3: each length is of its text or buffer.
    pub unsafe fn omp_display_affinity_(format: List<u8>, length: usize) {
        // SAFETY: A3 of the arguments.
        affinity_format::display(Thread::current(), unsafe { format.with(length) });
    }

    /// `omp_capture_affinity` called from Fortran.
    ///
    /// # Safety
    /// A3: each length is of its text or buffer.
    pub unsafe fn omp_capture_affinity_(
        buffer: Room<u8>,
        format: List<u8>,
        size: usize,
        length: usize,
    ) -> usize {
        // SAFETY: A3 of the arguments.
        let text = affinity_format::capture(Thread::current(), unsafe { format.with(length) });
        // SAFETY: A3 of the arguments; the format, which may lie in the buffer, is read no more.
        store_fortran(&text, unsafe { buffer.with(size) })
    }
}

#[cfg(test)]
mod tests {
    use super::{store_c, store_fortran};
    use core::mem::MaybeUninit;

    type Store = fn(&[u8], &mut [MaybeUninit<u8>]) -> usize;

    /// The result of `store` on a buffer of `SIZE` characters, which are `-` before, and the text
    /// that the buffer has afterwards.
    fn stored<const SIZE: usize>(store: Store, text: &str) -> (usize, String) {
        let mut buffer = [MaybeUninit::new(b'-'); SIZE];
        let length = store(text.as_bytes(), &mut buffer);
        // SAFETY: every character was written, here or by `store`.
        let bytes = buffer.iter().map(|byte| unsafe { byte.assume_init() });
        (length, bytes.map(char::from).collect())
    }

    #[test]
    fn c_gets_a_null_character_where_there_is_room() {
        assert_eq!(stored::<6>(store_c, "abc"), (3, "abc\0--".into()));
        assert_eq!(stored::<3>(store_c, "abc"), (3, "ab\0".into()));
        assert_eq!(stored::<1>(store_c, "abc"), (3, "\0".into()));
        assert_eq!(stored::<0>(store_c, "abc"), (3, String::new()));
    }

    #[test]
    fn fortran_gets_blanks() {
        assert_eq!(stored::<6>(store_fortran, "abc"), (3, "abc   ".into()));
        assert_eq!(stored::<2>(store_fortran, "abc"), (3, "ab".into()));
        assert_eq!(stored::<0>(store_fortran, "abc"), (3, String::new()));
    }
}
