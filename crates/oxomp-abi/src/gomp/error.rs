//! The error directive (GOMP).

use core::borrow::Borrow;
use core::ffi::{CStr, c_char};
use std::borrow::Cow;
use std::ffi::CString;

use oxomp_core::CallSite;
use oxomp_core::diag::Location;
use oxomp_core::error_directive;
use oxomp_core::ompt::event::Severity;

entry! {
    /// `void GOMP_warning(const char *msg, size_t msglen)`
    ///
    /// # Safety
    /// As for `message`.
    pub unsafe fn GOMP_warning(message: *const c_char, length: usize) {
        // SAFETY: by contract.
        unsafe { run(Severity::Warning, message, length, CallSite::here()) }
    }

    /// `void GOMP_error(const char *msg, size_t msglen)`, which does not return.
    ///
    /// # Safety
    /// As for `message`.
    pub unsafe fn GOMP_error(message: *const c_char, length: usize) {
        // SAFETY: by contract.
        unsafe { run(Severity::Fatal, message, length, CallSite::here()) }
    }
}

/// # Safety
/// As for `message`.
unsafe fn run(severity: Severity, text: *const c_char, length: usize, site: CallSite) {
    // SAFETY: by contract.
    let text = unsafe { message(text, length) };
    error_directive::run(severity, text.borrow(), Location::at(site), site);
}

/// The directive's message.
///
/// # Safety
/// `text` is null, or has `length` bytes (Fortran), or is a string if that is the greatest number (C).
unsafe fn message<'a>(text: *const c_char, length: usize) -> Cow<'a, CStr> {
    if text.is_null() {
        return Cow::Borrowed(c"");
    }
    if length == usize::MAX {
        // SAFETY: by contract.
        return Cow::Borrowed(unsafe { CStr::from_ptr(text) });
    }
    // SAFETY: by contract.
    let bytes = unsafe { core::slice::from_raw_parts(text.cast::<u8>(), length) };
    let until_zero: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
    Cow::Owned(CString::new(until_zero).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::message;
    use core::ptr;

    #[test]
    fn messages_are_strings_or_counted() {
        // SAFETY: a string, so many bytes, or nothing.
        unsafe {
            assert_eq!(&*message(c"take care".as_ptr(), usize::MAX), c"take care");
            assert_eq!(&*message(c"take care".as_ptr(), 4), c"take");
            assert_eq!(&*message(b"a\0b".as_ptr().cast(), 3), c"a");
            assert_eq!(&*message(ptr::null(), 0), c"");
        }
    }
}
