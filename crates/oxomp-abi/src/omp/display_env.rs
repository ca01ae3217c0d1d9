//! The display of the environment (OpenMP 5.2 §18.15).

use core::ffi::c_int;
use std::io::Write;

use oxomp_core::icv::display::display;
use oxomp_core::icv::tool::ToolIcvs;
use oxomp_core::settings;

/// Prints the initial values of the internal control variables, in one write.
fn show(verbose: bool) {
    // An OMP_TOOL that is none would have ended the program.
    let Ok(tool) = ToolIcvs::of_process() else { return };
    let settings = settings::get();
    let text = display(&settings.icvs, &settings.globals, &tool, verbose);
    // A closed stderr is no reason to fail.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

entry! {
    /// `void omp_display_env(int verbose)`
    pub fn omp_display_env(verbose: c_int) {
        show(verbose != 0);
    }

    /// `omp_display_env` called from Fortran: LLVM's library takes the argument by value.
    pub fn omp_display_env_@["VERSION"](verbose: c_int) {
        show(verbose != 0);
    }

    /// `omp_display_env` called from Fortran: GCC's library takes it by reference.
    ///
    /// # Safety
    /// `verbose` points to a logical.
    pub unsafe fn omp_display_env_by_reference = omp_display_env_@["OMP_5.1"](
        verbose: *const c_int,
    ) {
        // SAFETY: by contract.
        show(unsafe { *verbose } != 0);
    }

    /// `omp_display_env` called from Fortran with an 8-byte logical.
    ///
    /// # Safety
    /// `verbose` points to a logical.
    pub unsafe fn omp_display_env_8_(verbose: *const i64) {
        // SAFETY: by contract.
        show(unsafe { *verbose } != 0);
    }
}
