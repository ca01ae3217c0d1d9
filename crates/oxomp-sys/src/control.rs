//! Commands of `omp_control_tool` beyond those of the specification (OpenMP 5.2, section 19.2.3:
//! numbers from 64 on are the tool's own), which `oxomp.h` and the profiler share.

use core::ffi::c_int;

/// A phase of the program begins. The argument is its name, as bytes; the modifier is their number,
/// or 0 if a zero byte ends them.
pub const PHASE_BEGIN: c_int = 0x6f78;
/// The phase that began last ends. Modifier and argument have no meaning.
pub const PHASE_END: c_int = 0x6f79;
