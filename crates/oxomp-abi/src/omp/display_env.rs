//! The display of the environment (OpenMP 5.2 §18.15).

use core::ffi::c_int;

use oxomp_base::icv::display;
use oxomp_base::settings;
use oxomp_core::process;

use crate::argument::ByRef;

/// Prints the initial values of the internal control variables.
fn show(verbose: bool) {
    process::start_for_tool();
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
    pub fn omp_display_env_by_reference = omp_display_env_@["OMP_5.1"](verbose: ByRef<c_int>) {
        show(verbose.get() != 0);
    }

    /// `omp_display_env` called from Fortran with an 8-byte logical.
    pub fn omp_display_env_8_(verbose: ByRef<i64>) {
        show(verbose.get() != 0);
    }
}
