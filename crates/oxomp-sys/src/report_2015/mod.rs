//! The predecessor of OMPT: the tools interface of the technical report of 2015 ("version 2").
//!
//! Names, numbers and layouts are the report's: a name that [`ompt`](crate::ompt) has as well may
//! stand for another number, another layout or another signature here. The report prints the entry
//! points as prototypes and one union without a name; the names of these types are the entry
//! points' with `_t`, and [`ompt_record_arguments_t`].

#[macro_use]
mod table;

mod data;
mod entry_point;
mod enumeration;
mod event;
mod event_column;
mod flag;
mod record;
mod tracing;

use core::ffi::{c_int, c_void};

use crate::report_2015 as c;

pub use data::{
    OMPT_VERSION, ompt_atomic_type_first, ompt_atomic_type_t, ompt_bool, ompt_dev_task_none,
    ompt_frame_t, ompt_hwid_none, ompt_lock_hint_t, ompt_lock_type_first, ompt_lock_type_t,
    ompt_parallel_id_t, ompt_target_activity_id_t, ompt_target_buffer_cursor_t,
    ompt_target_buffer_t, ompt_target_device_t, ompt_target_map_entry_t, ompt_target_time_t,
    ompt_task_dependence_t, ompt_task_id_t, ompt_thread_id_t, ompt_time_none, ompt_wait_id_t,
};
pub use entry_point::{
    ompt_control_t, ompt_enumerate_atomic_type_t, ompt_enumerate_lock_type_t,
    ompt_enumerate_lock_types_t, ompt_enumerate_state_t, ompt_function_lookup_t,
    ompt_get_callback_t, ompt_get_device_info_t, ompt_get_idle_frame_t, ompt_get_num_devices_t,
    ompt_get_parallel_id_t, ompt_get_parallel_team_size_t, ompt_get_state_t, ompt_get_task_frame_t,
    ompt_get_task_id_t, ompt_get_task_info_t, ompt_get_thread_id_t, ompt_initialize_fn_t,
    ompt_interface_fn_t, ompt_set_callback_t, ompt_target_get_device_id_t,
    ompt_target_get_device_info_t, ompt_tool_t,
};
pub use enumeration::{
    ompt_invoker_t, ompt_record_native_class_t, ompt_record_type_t, ompt_state_t,
    ompt_target_task_type_t, ompt_task_type_t, ompt_thread_type_t,
};
pub use event::{EventRow, ompt_event_t};
pub use event_column::{Class, SetResult};
pub use flag::{ompt_native_mon_flags_t, ompt_target_map_flag_t, ompt_task_dependence_flag_t};
pub use record::{
    ompt_record_arguments_t, ompt_record_correlation_t, ompt_record_data_map_begin_t,
    ompt_record_data_map_done_t, ompt_record_native_abstract_t, ompt_record_ompt_t,
    ompt_record_parallel_begin_t, ompt_record_parallel_t, ompt_record_target_data_begin_t,
    ompt_record_target_task_begin_t, ompt_record_task_begin_t, ompt_record_task_dependences_t,
    ompt_record_task_pair_t, ompt_record_task_t, ompt_record_thread_t, ompt_record_thread_type_t,
    ompt_record_wait_id_t, ompt_record_workshare_begin_t,
};
pub use tracing::{
    ompt_target_advance_buffer_cursor_t, ompt_target_buffer_complete_callback_t,
    ompt_target_buffer_get_record_correlation_t, ompt_target_buffer_get_record_native_abstract_t,
    ompt_target_buffer_get_record_native_t, ompt_target_buffer_get_record_ompt_t,
    ompt_target_buffer_get_record_type_t, ompt_target_buffer_request_callback_t,
    ompt_target_get_time_t, ompt_target_pause_trace_t, ompt_target_set_trace_native_t,
    ompt_target_set_trace_ompt_t, ompt_target_start_trace_t, ompt_target_stop_trace_t,
    ompt_target_translate_time_t,
};

macro_rules! define_callbacks {
    ($(
        $(#[$doc:meta])*
        $callback:ident($($argument:ident: $type:ty),* $(,)?) { $($event:tt;)* }
    )*) => {$(
        $(#[$doc])*
        pub type $callback = unsafe extern "C" fn($($argument: $type),*);
    )*};
}

for_each_callback_2015!(define_callbacks);
