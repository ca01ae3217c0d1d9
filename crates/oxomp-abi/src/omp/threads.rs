//! Threads of a team, dynamic adjustment, cancellation, priorities (OpenMP 5.2 §18.2, §18.5).

use core::ffi::c_int;

use oxomp_base::settings;
use oxomp_core::{Thread, process};

use crate::ignored::ignored;

entry! {
    /// `void omp_set_num_threads(int num_threads)`
    pub fn omp_set_num_threads | ompc_set_num_threads(num_threads: c_int) {
        if num_threads < 1 {
            return ignored("omp_set_num_threads", "num_threads", num_threads, "positive");
        }
        let task = Thread::current().task();
        task.change_icvs(|icvs| {
            icvs.nthreads_var = num_threads.unsigned_abs();
            icvs.nthreads_is_set = true;
        });
    }

    /// `int omp_get_num_threads(void)`
    pub fn omp_get_num_threads | omp_get_num_threads_() -> c_int {
        Thread::current().team().size().cast_signed()
    }

    /// `int omp_get_max_threads(void)`
    pub fn omp_get_max_threads | omp_get_max_threads_() -> c_int {
        Thread::current().icvs().nthreads_var.cast_signed()
    }

    /// `int omp_get_thread_num(void)`
    pub fn omp_get_thread_num | omp_get_thread_num_() -> c_int {
        Thread::current().implicit_task().thread_num().cast_signed()
    }

    /// `int omp_get_thread_limit(void)`
    pub fn omp_get_thread_limit | omp_get_thread_limit_() -> c_int {
        Thread::current().icvs().thread_limit_var.cast_signed()
    }

    /// `int omp_get_num_procs(void)`
    pub fn omp_get_num_procs | omp_get_num_procs_() -> c_int {
        process::start_for_tool();
        settings::get().globals.num_procs_var.cast_signed()
    }

    /// `void omp_set_dynamic(int dynamic_threads)`
    pub fn omp_set_dynamic | ompc_set_dynamic(dynamic_threads: c_int) {
        Thread::current().task().change_icvs(|icvs| icvs.dyn_var = dynamic_threads != 0);
    }

    /// `int omp_get_dynamic(void)`
    pub fn omp_get_dynamic | omp_get_dynamic_() -> c_int {
        c_int::from(Thread::current().icvs().dyn_var)
    }

    /// `int omp_get_cancellation(void)`
    pub fn omp_get_cancellation | omp_get_cancellation_() -> c_int {
        process::start_for_tool();
        c_int::from(settings::get().globals.cancel_var)
    }

    /// `int omp_get_max_task_priority(void)`
    pub fn omp_get_max_task_priority | omp_get_max_task_priority_() -> c_int {
        process::start_for_tool();
        settings::get().globals.max_task_priority_var.cast_signed()
    }
}
