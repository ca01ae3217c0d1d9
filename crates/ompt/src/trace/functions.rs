//! The entry points of a device.

use oxomp_sys::ompt::{
    ompt_advance_buffer_cursor_t, ompt_callback_buffer_complete_t, ompt_callback_buffer_request_t,
    ompt_flush_trace_t, ompt_get_buffer_limits_t, ompt_get_device_num_procs_t,
    ompt_get_device_time_t, ompt_get_record_abstract_t, ompt_get_record_native_t,
    ompt_get_record_ompt_t, ompt_get_record_type_t, ompt_pause_trace_t, ompt_set_trace_native_t,
    ompt_set_trace_ompt_t, ompt_start_trace_t, ompt_stop_trace_t, ompt_translate_time_t,
};

use crate::device::functions::functions;
use crate::device::state::DeviceState;

functions! {
    request: ompt_callback_buffer_request_t, complete: ompt_callback_buffer_complete_t;
    get_device_num_procs, c"ompt_get_device_num_procs", ompt_get_device_num_procs_t;
    get_time, c"ompt_get_device_time", ompt_get_device_time_t;
    translate_time, c"ompt_translate_time", ompt_translate_time_t;
    set_trace_ompt, c"ompt_set_trace_ompt", ompt_set_trace_ompt_t;
    set_trace_native, c"ompt_set_trace_native", ompt_set_trace_native_t;
    get_buffer_limits, c"ompt_get_buffer_limits", ompt_get_buffer_limits_t;
    start_trace, c"ompt_start_trace", ompt_start_trace_t;
    pause_trace, c"ompt_pause_trace", ompt_pause_trace_t;
    flush_trace, c"ompt_flush_trace", ompt_flush_trace_t;
    stop_trace, c"ompt_stop_trace", ompt_stop_trace_t;
    advance_buffer_cursor, c"ompt_advance_buffer_cursor", ompt_advance_buffer_cursor_t;
    get_record_type, c"ompt_get_record_type", ompt_get_record_type_t;
    get_record_ompt, c"ompt_get_record_ompt", ompt_get_record_ompt_t;
    get_record_native, c"ompt_get_record_native", ompt_get_record_native_t;
    get_record_abstract, c"ompt_get_record_abstract", ompt_get_record_abstract_t;
}

/// A device of the tool's list.
pub(crate) type State = DeviceState<Functions>;
