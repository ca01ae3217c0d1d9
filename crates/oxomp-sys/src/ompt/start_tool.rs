//! The start of a tool, and its end (OpenMP 5.0 §4.2, §4.4.1; 6.0 chapter 32).

use core::ffi::{c_char, c_int, c_uint};
use core::mem::{offset_of, size_of};

use super::{ompt_data_t, ompt_function_lookup_t};

/// A tool's `ompt_start_tool`: null if the tool does not want to run.
pub type ompt_start_tool_t = unsafe extern "C" fn(
    omp_version: c_uint,
    runtime_version: *const c_char,
) -> *mut ompt_start_tool_result_t;

/// A tool's `initialize`: non-zero if the tool goes on.
pub type ompt_initialize_t = unsafe extern "C" fn(
    lookup: ompt_function_lookup_t,
    initial_device_num: c_int,
    tool_data: *mut ompt_data_t,
) -> c_int;

/// A tool's `finalize`.
pub type ompt_finalize_t = unsafe extern "C" fn(tool_data: *mut ompt_data_t);

/// What a tool's `ompt_start_tool` returns (OpenMP 5.0 §4.4.1).
///
/// The runtime passes `&mut tool_data` to both functions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ompt_start_tool_result_t {
    /// Called once the runtime is ready and before any event.
    pub initialize: Option<ompt_initialize_t>,
    /// Called after the last event.
    pub finalize: Option<ompt_finalize_t>,
    /// The tool's own word.
    pub tool_data: ompt_data_t,
}

const _: () = {
    assert!(size_of::<ompt_start_tool_result_t>() == 24);
    assert!(offset_of!(ompt_start_tool_result_t, initialize) == 0);
    assert!(offset_of!(ompt_start_tool_result_t, finalize) == 8);
    assert!(offset_of!(ompt_start_tool_result_t, tool_data) == 16);
};
