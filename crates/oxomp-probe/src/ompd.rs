//! The OMPD libraries that the runtime names.

use std::ffi::{CStr, c_char};

use crate::runtime;

/// The list behind `ompd_dll_locations`.
pub(crate) fn libraries() -> Vec<String> {
    let Some(symbol) = runtime::symbol(c"ompd_dll_locations") else { return Vec::new() };
    // SAFETY: the variable is a pointer to a vector of C strings that NULL ends, or NULL.
    let mut at = unsafe { *symbol.as_ptr().cast::<*const *const c_char>() };
    let mut found = Vec::new();
    while !at.is_null() && found.len() < 100 {
        // SAFETY: `at` is inside the vector, whose last element is NULL.
        let name = unsafe { *at };
        if name.is_null() {
            break;
        }
        // SAFETY: the elements are C strings.
        found.push(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
        // SAFETY: NULL has not been reached.
        at = unsafe { at.add(1) };
    }
    found
}
