//! Timing routines (OpenMP 5.2 §18.10).

use oxomp_base::os;
use oxomp_core::process;

/// Seconds between two ticks of the clock, which counts nanoseconds.
const TICK: f64 = 1e-9;

entry! {
    /// `double omp_get_wtime(void)`: seconds since a moment that stays the same.
    pub fn omp_get_wtime | omp_get_wtime_() -> f64 {
        process::start_for_tool();
        os::wall_time()
    }

    /// `double omp_get_wtick(void)`
    pub fn omp_get_wtick | omp_get_wtick_() -> f64 {
        process::start_for_tool();
        TICK
    }
}
