//! The error directive (GOMP).

use core::borrow::Borrow;
use core::ffi::{CStr, c_char};
use std::borrow::Cow;
use std::ffi::CString;

use oxomp_base::diag::Location;
use oxomp_core::CallSite;
use oxomp_core::error_directive;
use oxomp_core::ompt::event::Severity;

use crate::argument::List;

entry! {
    /// `void GOMP_warning(const char *msg, size_t msglen)`
    ///
    /// # Safety
    /// A4: `length` is the message's.
    pub unsafe fn GOMP_warning(message: List<u8>, length: usize) {
        // SAFETY: A4 of the arguments.
        unsafe { run(Severity::Warning, message, length, CallSite::here()) }
    }

    /// `void GOMP_error(const char *msg, size_t msglen)`, which does not return.
    ///
    /// # Safety
    /// A4: `length` is the message's.
    pub unsafe fn GOMP_error(message: List<u8>, length: usize) {
        // SAFETY: A4 of the arguments.
        unsafe { run(Severity::Fatal, message, length, CallSite::here()) }
    }
}

/// # Safety
/// A4: `length` is the text's.
unsafe fn run(severity: Severity, text: List<u8>, length: usize, site: CallSite) {
    // SAFETY: A4, as this function demands.
    let text = unsafe { message(text, length) };
    error_directive::run(severity, text.borrow(), Location::at(site), site);
}

/// The directive's message: a string of C if the length is the greatest number, else `length`
/// bytes of Fortran. Empty if the directive has no message.
///
/// # Safety
/// A4: `length` is the text's.
unsafe fn message<'a>(text: List<'a, u8>, length: usize) -> Cow<'a, CStr> {
    if length == usize::MAX && !text.as_ptr().is_null() {
        // SAFETY: A4, as this function demands: a string of C.
        return Cow::Borrowed(unsafe { CStr::from_ptr(text.as_ptr().cast::<c_char>()) });
    }
    // SAFETY: A4, as this function demands: `length` bytes, or null.
    let bytes = unsafe { text.with(length) };
    let until_zero: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
    Cow::Owned(CString::new(until_zero).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::message;
    use crate::argument::List;

    #[test]
    fn messages_are_strings_or_counted() {
        // SAFETY: each text is a string, has at least the bytes of the length, or is null.
        unsafe {
            let text = List::from(c"take care".to_bytes_with_nul());
            assert_eq!(&*message(text, usize::MAX), c"take care");
            assert_eq!(&*message(text, 4), c"take");
            assert_eq!(&*message(List::from(&b"a\0b"[..]), 3), c"a");
            assert_eq!(&*message(List::default(), 0), c"");
            assert_eq!(&*message(List::default(), usize::MAX), c"");
        }
    }
}
