//! A runtime's description of itself.

use core::ffi::CStr;

/// The runtime that asks whether there is a tool.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// The value of `_OPENMP`, such as 202111 for OpenMP 5.2.
    pub omp_version: u32,
    /// Name and version of the runtime, in its own words.
    pub version: &'static CStr,
}
