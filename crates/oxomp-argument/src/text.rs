//! Strings of C.

use core::ffi::{CStr, c_char};
use core::marker::PhantomData;

/// A string that ends with a null character; null if the caller has no string (rule A4).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    first: *const c_char,
    lives: PhantomData<&'a CStr>,
}

impl<'a> Text<'a> {
    /// The string, if there is one.
    pub fn get(self) -> Option<&'a CStr> {
        // SAFETY: A4: a string that nothing changes during the call.
        (!self.first.is_null()).then(|| unsafe { CStr::from_ptr(self.first) })
    }

    /// The address that was passed, which may be null.
    pub fn as_ptr(self) -> *const c_char {
        self.first
    }
}

#[cfg(test)]
mod tests {
    use super::Text;
    use core::ffi::c_char;
    use core::marker::PhantomData;
    use core::ptr;

    fn text(address: *const c_char) -> Text<'static> {
        Text { first: address, lives: PhantomData }
    }

    #[test]
    fn null_is_no_text_and_empty_is_one() {
        assert_eq!(text(ptr::null()).get(), None);
        assert!(text(ptr::null()).as_ptr().is_null());
        assert_eq!(text(c"".as_ptr()).get(), Some(c""));
        assert_eq!(text(c"close".as_ptr()).get(), Some(c"close"));
    }
}
