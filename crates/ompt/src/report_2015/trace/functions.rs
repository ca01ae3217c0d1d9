//! The entry points of a device.

use oxomp_sys::report_2015::{
    ompt_target_advance_buffer_cursor_t, ompt_target_buffer_complete_callback_t,
    ompt_target_buffer_get_record_correlation_t, ompt_target_buffer_get_record_native_abstract_t,
    ompt_target_buffer_get_record_native_t, ompt_target_buffer_get_record_ompt_t,
    ompt_target_buffer_get_record_type_t, ompt_target_buffer_request_callback_t,
    ompt_target_get_time_t, ompt_target_pause_trace_t, ompt_target_set_trace_native_t,
    ompt_target_set_trace_ompt_t, ompt_target_start_trace_t, ompt_target_stop_trace_t,
    ompt_target_translate_time_t,
};

use crate::device::functions::functions;
use crate::device::state::DeviceState;

functions! {
    request: ompt_target_buffer_request_callback_t,
    complete: ompt_target_buffer_complete_callback_t;
    get_time, c"ompt_target_get_time", ompt_target_get_time_t;
    translate_time, c"ompt_target_translate_time", ompt_target_translate_time_t;
    set_trace_ompt, c"ompt_target_set_trace_ompt", ompt_target_set_trace_ompt_t;
    set_trace_native, c"ompt_target_set_trace_native", ompt_target_set_trace_native_t;
    start_trace, c"ompt_target_start_trace", ompt_target_start_trace_t;
    pause_trace, c"ompt_target_pause_trace", ompt_target_pause_trace_t;
    stop_trace, c"ompt_target_stop_trace", ompt_target_stop_trace_t;
    advance_buffer_cursor, c"ompt_target_advance_buffer_cursor",
        ompt_target_advance_buffer_cursor_t;
    get_record_type, c"ompt_target_buffer_get_record_type", ompt_target_buffer_get_record_type_t;
    get_record_ompt, c"ompt_target_buffer_get_record_ompt", ompt_target_buffer_get_record_ompt_t;
    get_record_correlation, c"ompt_target_buffer_get_record_correlation",
        ompt_target_buffer_get_record_correlation_t;
    get_record_native, c"ompt_target_buffer_get_record_native",
        ompt_target_buffer_get_record_native_t;
    get_record_native_abstract, c"ompt_target_buffer_get_record_native_abstract",
        ompt_target_buffer_get_record_native_abstract_t;
}

/// A device of the tool's list.
pub(crate) type State = DeviceState<Functions>;
