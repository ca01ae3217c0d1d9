//! Routines about the current task (OpenMP 5.2 §18.5, §18.11).

use core::ffi::c_int;
use oxomp_core::task::{self, EventHandle};
use oxomp_core::{Thread, process};

entry! {
    /// `int omp_in_final(void)`: 1 in a final task.
    pub fn omp_in_final | omp_in_final_() -> c_int {
        c_int::from(Thread::current().task().is_final())
    }

    /// `int omp_in_explicit_task(void)`: 1 in an explicit task.
    pub fn omp_in_explicit_task | omp_in_explicit_task_() -> c_int {
        c_int::from(Thread::current().task().is_explicit())
    }

    /// `void omp_fulfill_event(omp_event_handle_t event)`: on any thread (rule A11). Nothing for a
    /// null handle.
    pub fn omp_fulfill_event | omp_fulfill_event_(event: Option<EventHandle>) {
        process::start_for_tool();
        if let Some(event) = event {
            task::fulfill(event);
        }
    }
}
