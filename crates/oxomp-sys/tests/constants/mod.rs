//! The constants of the crate, by C's names.

use std::ffi::CStr;

use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t, ompd_team_generator_t};
use oxomp_sys::ompt::{
    ompt_callbacks_t, ompt_cancel_flag_t, ompt_dependence_type_t, ompt_dispatch_t,
    ompt_frame_flag_t, ompt_mutex_t, ompt_native_mon_flag_t, ompt_parallel_flag_t,
    ompt_record_native_t, ompt_record_t, ompt_scope_endpoint_t, ompt_set_result_t, ompt_severity_t,
    ompt_state_t, ompt_sync_region_t, ompt_target_data_op_t, ompt_target_map_flag_t, ompt_target_t,
    ompt_task_flag_t, ompt_task_status_t, ompt_thread_t, ompt_work_t,
};

/// All names with their values.
pub(crate) fn all_constants() -> Vec<(&'static str, u32)> {
    fn text(name: &'static CStr) -> &'static str {
        name.to_str().expect("C names are ASCII")
    }
    let mut all = Vec::new();
    macro_rules! collect {
        ($($name:ident),* $(,)?) => {
            $(all.extend($name::NAMES.iter().map(|(value, name)| (text(name), value.0 as u32)));)*
        };
    }
    collect!(
        ompd_rc_t,
        ompd_scope_t,
        ompd_team_generator_t,
        ompt_callbacks_t,
        ompt_cancel_flag_t,
        ompt_dependence_type_t,
        ompt_dispatch_t,
        ompt_frame_flag_t,
        ompt_mutex_t,
        ompt_native_mon_flag_t,
        ompt_parallel_flag_t,
        ompt_record_native_t,
        ompt_record_t,
        ompt_scope_endpoint_t,
        ompt_set_result_t,
        ompt_severity_t,
        ompt_state_t,
        ompt_sync_region_t,
        ompt_target_data_op_t,
        ompt_target_map_flag_t,
        ompt_target_t,
        ompt_task_flag_t,
        ompt_task_status_t,
        ompt_thread_t,
        ompt_work_t,
    );
    all
}
