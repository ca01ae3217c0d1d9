//! The functions that a tool gets by name (OpenMP 5.2 §19.6.1), for OpenMP 5.0 to 6.0.
//!
//! A tool may call them from a signal handler on any thread, so they take no lock, allocate
//! nothing, and never start the runtime. Those about the calling thread return the value for "none"
//! on a native thread that the runtime does not know.

mod ancestry;
mod current;
mod machine;
mod registration;

use core::ffi::{CStr, c_char};

use oxomp_sys::attach::oxomp_attach_request_t;
use oxomp_sys::ompt::{
    ompt_enumerate_mutex_impls_t, ompt_enumerate_states_t, ompt_finalize_tool_t,
    ompt_get_callback_t, ompt_get_num_devices_t, ompt_get_num_places_t, ompt_get_num_procs_t,
    ompt_get_parallel_info_t, ompt_get_partition_place_nums_t, ompt_get_place_num_t,
    ompt_get_place_proc_ids_t, ompt_get_proc_id_t, ompt_get_state_t, ompt_get_target_info_t,
    ompt_get_task_info_t, ompt_get_task_memory_t, ompt_get_thread_data_t, ompt_get_unique_id_t,
    ompt_interface_fn_t, ompt_set_callback_t,
};
use oxomp_sys::under_way::oxomp_hear_under_way_t;
use oxomp_sys::unreported::oxomp_lend_unreported_t;

pub(super) use machine::get_unique_id;
pub(super) use registration::get_callback;

use super::entry_point::entry_points;
use super::{request, under_way};

entry_points! {
    c"ompt_enumerate_states" => machine::enumerate_states: ompt_enumerate_states_t;
    c"ompt_enumerate_mutex_impls" =>
        machine::enumerate_mutex_impls: ompt_enumerate_mutex_impls_t;
    c"ompt_set_callback" => registration::set_callback: ompt_set_callback_t;
    c"ompt_get_callback" => registration::get_callback: ompt_get_callback_t;
    c"ompt_get_thread_data" => current::get_thread_data: ompt_get_thread_data_t;
    c"ompt_get_num_places" => machine::get_num_places: ompt_get_num_places_t;
    c"ompt_get_place_proc_ids" => machine::get_place_proc_ids: ompt_get_place_proc_ids_t;
    c"ompt_get_place_num" => current::get_place_num: ompt_get_place_num_t;
    c"ompt_get_partition_place_nums" =>
        current::get_partition_place_nums: ompt_get_partition_place_nums_t;
    c"ompt_get_proc_id" => current::get_proc_id: ompt_get_proc_id_t;
    c"ompt_get_state" => current::get_state: ompt_get_state_t;
    c"ompt_get_parallel_info" => ancestry::get_parallel_info: ompt_get_parallel_info_t;
    c"ompt_get_task_info" => ancestry::get_task_info: ompt_get_task_info_t;
    c"ompt_get_task_memory" => ancestry::get_task_memory: ompt_get_task_memory_t;
    c"ompt_get_num_devices" => machine::get_num_devices: ompt_get_num_devices_t;
    c"ompt_get_num_procs" => machine::get_num_procs: ompt_get_num_procs_t;
    c"ompt_get_target_info" => current::get_target_info: ompt_get_target_info_t;
    c"ompt_get_unique_id" => machine::get_unique_id: ompt_get_unique_id_t;
    c"ompt_finalize_tool" => registration::finalize_tool: ompt_finalize_tool_t;
    c"oxomp_attach_request" => request::tell_request: oxomp_attach_request_t;
    c"oxomp_hear_under_way" => under_way::hear_under_way: oxomp_hear_under_way_t;
    c"oxomp_lend_unreported" => current::lend_unreported: oxomp_lend_unreported_t;
}

/// The look-up function that a tool's initializer gets; returns null for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    by_name(unsafe { CStr::from_ptr(name) })
}

#[cfg(test)]
mod tests {
    use super::{NAMES, look_up};

    #[test]
    fn the_nineteen_names_and_the_collector_s_are_known_and_no_others() {
        assert_eq!(NAMES.len(), 19 + 3);
        for name in NAMES {
            // SAFETY: the names are C strings.
            assert!(unsafe { look_up(name.as_ptr()) }.is_some(), "{name:?}");
        }
        // Those by which a tool traces a device come from the device's own look-up.
        let of_devices =
            [c"ompt_get_device_num_procs", c"ompt_start_trace", c"ompt_set_trace_ompt"];
        let none = [c"", c"ompt_get_state_t", c"ompt_start_tool", c"ompt_enumerate_state"];
        for name in none.iter().chain(&of_devices) {
            // SAFETY: the names are C strings.
            assert!(unsafe { look_up(name.as_ptr()) }.is_none(), "{name:?}");
        }
        // SAFETY: null is allowed.
        assert!(unsafe { look_up(core::ptr::null()) }.is_none());
    }
}
