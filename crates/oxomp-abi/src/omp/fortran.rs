//! Routines whose Fortran form differs from C in nothing but that integers come by reference.

use core::ffi::c_int;

use oxomp_sys::omp::omp_sched_t;

use super::devices::omp_set_default_device;
use super::levels::{
    omp_get_ancestor_thread_num, omp_get_team_size, omp_set_max_active_levels, omp_set_nested,
};
use super::schedule::omp_set_schedule;
use super::teams::{omp_set_num_teams, omp_set_teams_thread_limit};
use super::threads::{omp_set_dynamic, omp_set_num_threads};
use crate::argument::ByRef;

/// The `int` of C nearest to an 8-byte integer.
fn narrow(value: i64) -> c_int {
    value.clamp(i64::from(c_int::MIN), i64::from(c_int::MAX)) as c_int
}

/// For each routine of one integer its forms for default and for 8-byte integers.
macro_rules! by_reference {
    ($($routine:ident($argument:ident) $(-> $ret:ty)?: $name:ident, $wide:ident;)*) => {
        $(entry! {
            #[doc = concat!("`", stringify!($routine), "` called from Fortran.")]
            pub fn $name($argument: ByRef<c_int>) $(-> $ret)? {
                $routine($argument.get())
            }

            #[doc = concat!("`", stringify!($routine), "` called from Fortran, 8-byte integers.")]
            pub fn $wide($argument: ByRef<i64>) $(-> $ret)? {
                $routine(narrow($argument.get()))
            }
        })*
    };
}

by_reference! {
    omp_set_num_threads(num_threads): omp_set_num_threads_, omp_set_num_threads_8_;
    omp_set_dynamic(dynamic): omp_set_dynamic_, omp_set_dynamic_8_;
    omp_set_nested(nested): omp_set_nested_, omp_set_nested_8_;
    omp_set_max_active_levels(max_levels):
        omp_set_max_active_levels_, omp_set_max_active_levels_8_;
    omp_set_num_teams(num_teams): omp_set_num_teams_, omp_set_num_teams_8_;
    omp_set_teams_thread_limit(thread_limit):
        omp_set_teams_thread_limit_, omp_set_teams_thread_limit_8_;
    omp_set_default_device(device_num): omp_set_default_device_, omp_set_default_device_8_;
    omp_get_ancestor_thread_num(level) -> c_int:
        omp_get_ancestor_thread_num_, omp_get_ancestor_thread_num_8_;
    omp_get_team_size(level) -> c_int: omp_get_team_size_, omp_get_team_size_8_;
}

entry! {
    /// `omp_set_schedule` called from Fortran.
    pub fn omp_set_schedule_(kind: ByRef<omp_sched_t>, chunk_size: ByRef<c_int>) {
        omp_set_schedule(kind.get(), chunk_size.get());
    }

    /// `omp_set_schedule` called from Fortran with an 8-byte chunk size.
    pub fn omp_set_schedule_8_(kind: ByRef<omp_sched_t>, chunk_size: ByRef<i64>) {
        omp_set_schedule(kind.get(), narrow(chunk_size.get()));
    }
}
