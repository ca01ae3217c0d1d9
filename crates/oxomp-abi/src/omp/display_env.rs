//! The display of the environment (OpenMP 5.2 §18.15).

use core::ffi::c_int;

use oxomp_core::icv::display;
use oxomp_core::settings;

/// Prints the initial values of the internal control variables.
fn show(verbose: bool) {
    let settings = settings::get();
    display::print(&settings.icvs, &settings.globals, verbose);
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
