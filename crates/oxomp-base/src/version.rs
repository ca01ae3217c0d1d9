//! The versions of OpenMP and of the runtime, for programs, tools and debuggers.

use core::ffi::CStr;

/// `_OPENMP` of the version that the runtime implements: 5.2.
pub const OPENMP_VERSION: u32 = 202_111;

/// The name that is reported to tools and debuggers.
pub const RUNTIME_VERSION: &CStr = {
    const NAME: &str = concat!("oxomp ", env!("CARGO_PKG_VERSION"), "\0");
    match CStr::from_bytes_with_nul(NAME.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("the name has one NUL, at its end"),
    }
};
