//! Initialization, versions, and the end (OpenMP 6.0 chapter 39).

use core::ffi::{CStr, c_char};

use oxomp_sys::ompd::{ompd_callbacks_t, ompd_rc_t, ompd_word_t};

use super::arguments::Out;
use crate::library::{NEWEST_VERSION, answer};

/// Name and version of the library.
const VERSION_STRING: &CStr = match CStr::from_bytes_with_nul(
    concat!("oxomp libompd ", env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
) {
    Ok(text) => text,
    Err(_) => panic!("the version contains no zero byte"),
};

/// `ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks)`
#[unsafe(no_mangle)]
extern "C" fn ompd_initialize(
    api_version: ompd_word_t,
    callbacks: *const ompd_callbacks_t,
) -> ompd_rc_t {
    answer(|library| {
        // SAFETY: the debugger passes the address of its table, or null.
        let table = unsafe { callbacks.as_ref() }.ok_or(ompd_rc_t::BAD_INPUT)?;
        library.initialize(api_version, table)
    })
}

/// `ompd_rc_t ompd_get_api_version(ompd_word_t *version)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_api_version(version: Out<ompd_word_t>) -> ompd_rc_t {
    match version.place() {
        Ok(version) => {
            version.set(NEWEST_VERSION);
            ompd_rc_t::OK
        }
        Err(code) => code,
    }
}

/// `ompd_rc_t ompd_get_version_string(const char **string)`
#[unsafe(no_mangle)]
extern "C" fn ompd_get_version_string(string: Out<*const c_char>) -> ompd_rc_t {
    match string.place() {
        Ok(string) => {
            string.set(VERSION_STRING.as_ptr());
            ompd_rc_t::OK
        }
        Err(code) => code,
    }
}

/// `ompd_rc_t ompd_finalize(void)`
#[unsafe(no_mangle)]
extern "C" fn ompd_finalize() -> ompd_rc_t {
    answer(|library| library.finalize())
}
