//! The tools interface: the routines by which a program steers its tool, the defaults that a tool
//! replaces, and the start of the runtime under a tool (OpenMP 5.2 §18.14, §19.2; the report of
//! 2015 §7, §8).

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr;

use oxomp_base::diag;
use oxomp_core::CallSite;
use oxomp_core::ompt::tool;
use oxomp_core::process;
use oxomp_sys::ompt::ompt_start_tool_result_t;
use oxomp_sys::report_2015::ompt_initialize_fn_t;

use crate::argument::ByRef;

entry! {
    /// `int omp_control_tool(int command, int modifier, void *arg)`
    pub fn omp_control_tool(command: c_int, modifier: c_int, arg: *mut c_void) -> c_int {
        tool::control(command, modifier, arg, CallSite::here())
    }

    /// `integer function omp_control_tool(command, modifier)`: the tool gets no argument.
    pub fn omp_control_tool_(command: ByRef<c_int>, modifier: ByRef<c_int>) -> c_int {
        tool::control(command.get(), modifier.get(), ptr::null_mut(), CallSite::here())
    }

    /// `void ompt_control(uint64_t command, uint64_t modifier)`: the control of the report of 2015.
    pub fn ompt_control(command: u64, modifier: u64) {
        tool::control_2015(command, modifier, CallSite::here());
    }

    /// `subroutine ompt_control(command, modifier)`, with arguments of the type `integer*8`.
    pub fn ompt_control_(command: ByRef<u64>, modifier: ByRef<u64>) {
        tool::control_2015(command.get(), modifier.get(), CallSite::here());
    }

    /// `ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char
    /// *runtime_version)`
    ///
    /// A program that finds it before the tool's own, because the runtime comes first in the search
    /// order, is given the tool's answer.
    ///
    /// # Safety
    /// A4: the version is a string that stays until the process ends.
    pub unsafe weak fn ompt_start_tool(
        omp_version: c_uint,
        runtime_version: *const c_char,
    ) -> *mut ompt_start_tool_result_t {
        // SAFETY: A4 of the argument.
        unsafe { tool::ask_next(omp_version, runtime_version) }
    }

    /// `ompt_initialize_fn_t ompt_tool(void)`
    ///
    /// The default of the report's function; it gives the tool's answer as `ompt_start_tool` does.
    ///
    /// # Safety
    /// The next definition of the name in search order is that of a tool.
    pub unsafe weak fn ompt_tool() -> Option<ompt_initialize_fn_t> {
        tool::ask_next_2015()
    }

    /// `void ompt_libomp_connect(ompt_start_tool_result_t *result)`: an offload runtime asks for
    /// the tool's callbacks, when it is loaded. The runtime does not start for it.
    ///
    /// # Safety
    /// A22: null, or a structure that stays as it is while the process runs.
    pub unsafe fn ompt_libomp_connect(result: *mut ompt_start_tool_result_t) {
        process::start_tool();
        // SAFETY: A22 of the argument.
        unsafe { tool::connect(result) }
    }
}

/// Runs when the library is loaded.
extern "C" fn at_load() {
    diag::watch_panics();
    process::at_load();
}

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;
