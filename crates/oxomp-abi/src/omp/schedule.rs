//! *run-sched-var* (OpenMP 5.2 §18.2.11, §18.2.12).

use core::ffi::c_int;

use oxomp_base::icv::Schedule;
use oxomp_core::Thread;
use oxomp_sys::omp::omp_sched_t;

use crate::argument::Out;
use crate::ignored::ignored;

/// Stores kind and chunk size, for Fortran as an integer of the kind that it uses.
fn store<T: From<c_int>>(kind: Out<omp_sched_t>, chunk_size: Out<T>) {
    let (schedule, chunk) = Thread::current().icvs().run_sched_var.to_omp();
    kind.set(schedule);
    chunk_size.set(T::from(chunk));
}

entry! {
    /// `void omp_set_schedule(omp_sched_t kind, int chunk_size)`
    pub fn omp_set_schedule | ompc_set_schedule(kind: omp_sched_t, chunk_size: c_int) {
        let Some(schedule) = Schedule::from_omp(kind, chunk_size) else {
            let value = (kind.0 & !omp_sched_t::MONOTONIC).cast_signed();
            return ignored("omp_set_schedule", "kind", value, "a schedule");
        };
        Thread::current().task().change_icvs(|icvs| icvs.run_sched_var = schedule);
    }

    /// `void omp_get_schedule(omp_sched_t *kind, int *chunk_size)`
    pub fn omp_get_schedule | omp_get_schedule_(kind: Out<omp_sched_t>, chunk_size: Out<c_int>) {
        store(kind, chunk_size);
    }

    /// `omp_get_schedule` called from Fortran with an 8-byte chunk size.
    pub fn omp_get_schedule_8_(kind: Out<omp_sched_t>, chunk_size: Out<i64>) {
        store(kind, chunk_size);
    }
}
