//! The tools interface OMPT, OpenMP 5.0 to 6.0 (`omp-tools.h`).

#[macro_use]
mod table;

mod data;
mod entry_point;
mod enumeration;
mod event;
mod event_column;
mod flag;
mod lookup;
mod record;
mod start_tool;
mod tracing;

use core::ffi::{c_char, c_int, c_uint, c_void};

use crate::ompt as c;

pub use data::{
    ompt_addr_none, ompt_buffer_cursor_t, ompt_buffer_t, ompt_data_t, ompt_dependence_t,
    ompt_device_t, ompt_device_time_t, ompt_dispatch_chunk_t, ompt_frame_t, ompt_hwid_t, ompt_id_t,
    ompt_mutex_impl_none, ompt_subvolume_t, ompt_wait_id_t,
};
pub use entry_point::{
    ompt_enumerate_mutex_impls_t, ompt_enumerate_states_t, ompt_finalize_tool_t,
    ompt_get_callback_t, ompt_get_num_devices_t, ompt_get_num_places_t, ompt_get_num_procs_t,
    ompt_get_parallel_info_t, ompt_get_partition_place_nums_t, ompt_get_place_num_t,
    ompt_get_place_proc_ids_t, ompt_get_proc_id_t, ompt_get_state_t, ompt_get_target_info_t,
    ompt_get_task_info_t, ompt_get_task_memory_t, ompt_get_thread_data_t, ompt_get_unique_id_t,
    ompt_set_callback_t,
};
pub use enumeration::{
    ompt_dependence_type_t, ompt_dispatch_t, ompt_mutex_t, ompt_record_native_t, ompt_record_t,
    ompt_scope_endpoint_t, ompt_set_result_t, ompt_severity_t, ompt_state_t, ompt_sync_region_t,
    ompt_target_data_op_t, ompt_target_t, ompt_task_status_t, ompt_thread_t, ompt_work_t,
};
pub use event::{EventRow, ompt_callbacks_t};
pub use event_column::{Duty, Ends, Raised, Side};
pub use flag::{
    ompt_cancel_flag_t, ompt_frame_flag_t, ompt_native_mon_flag_t, ompt_parallel_flag_t,
    ompt_target_map_flag_t, ompt_task_flag_t,
};
pub use lookup::{ompt_function_lookup_t, ompt_interface_fn_t};
pub use record::{
    ompt_record_abstract_t, ompt_record_arguments_t, ompt_record_cancel_t,
    ompt_record_control_tool_t, ompt_record_dependences_t, ompt_record_dispatch_t,
    ompt_record_error_t, ompt_record_flush_t, ompt_record_implicit_task_t, ompt_record_masked_t,
    ompt_record_mutex_acquire_t, ompt_record_mutex_t, ompt_record_nest_lock_t, ompt_record_ompt_t,
    ompt_record_parallel_begin_t, ompt_record_parallel_end_t, ompt_record_sync_region_t,
    ompt_record_target_data_op_t, ompt_record_target_kernel_t, ompt_record_target_map_t,
    ompt_record_target_t, ompt_record_task_create_t, ompt_record_task_dependence_t,
    ompt_record_task_schedule_t, ompt_record_thread_begin_t, ompt_record_work_t,
};
pub use start_tool::{
    ompt_finalize_t, ompt_initialize_t, ompt_start_tool_result_t, ompt_start_tool_t,
};
pub use tracing::{
    ompt_advance_buffer_cursor_t, ompt_callback_buffer_complete_t, ompt_callback_buffer_request_t,
    ompt_flush_trace_t, ompt_get_buffer_limits_t, ompt_get_device_num_procs_t,
    ompt_get_device_time_t, ompt_get_record_abstract_t, ompt_get_record_native_t,
    ompt_get_record_ompt_t, ompt_get_record_type_t, ompt_pause_trace_t, ompt_set_trace_native_t,
    ompt_set_trace_ompt_t, ompt_start_trace_t, ompt_stop_trace_t, ompt_translate_time_t,
};

/// A callback of any signature, as `ompt_set_callback` takes it.
pub type ompt_callback_t = unsafe extern "C" fn();

macro_rules! define_callbacks {
    ($(
        $(#[$doc:meta])*
        $callback:ident(
            $($role:ident $argument:ident: $type:ty),* $(,)? $(=> $answer:ty)?
        ) { $($event:tt;)* }
    )*) => {$(
        $(#[$doc])*
        pub type $callback = unsafe extern "C" fn($($argument: $type),*) $(-> $answer)?;
    )*};
}

for_each_callback!(define_callbacks);
