//! The functions that a tool of the 2015 report gets by name (§5, §7.2).
//!
//! A tool may call them from a signal handler on any thread, so they take no lock, allocate
//! nothing, and never start the runtime. The names are those of the report, both where it has two,
//! and those that only its drafts had. Some are names of OpenMP 5 too, with other types: each
//! interface has a look-up function of its own.

mod devices;
mod enumerations;
mod placeholders;
mod registration;
mod tasks;
mod thread;

pub(in super::super) use registration::get_callback;

use core::ffi::{CStr, c_char};

use oxomp_sys::report_2015::{
    ompt_enumerate_atomic_type_t, ompt_enumerate_lock_type_t, ompt_enumerate_lock_types_t,
    ompt_enumerate_state_t, ompt_get_callback_t, ompt_get_device_info_t, ompt_get_idle_frame_t,
    ompt_get_num_devices_t, ompt_get_parallel_id_t, ompt_get_parallel_team_size_t,
    ompt_get_state_t, ompt_get_task_frame_t, ompt_get_task_id_t, ompt_get_task_info_t,
    ompt_get_thread_id_t, ompt_interface_fn_t, ompt_set_callback_t, ompt_target_get_device_id_t,
    ompt_target_get_device_info_t,
};

use super::super::entry_point::entry_points;

entry_points! {
    c"ompt_enumerate_state" => enumerations::enumerate_state: ompt_enumerate_state_t;
    c"ompt_enumerate_lock_type" => enumerations::enumerate_lock_type: ompt_enumerate_lock_type_t;
    c"ompt_enumerate_lock_types" => enumerations::enumerate_lock_type: ompt_enumerate_lock_types_t;
    c"ompt_enumerate_atomic_type" =>
        enumerations::enumerate_atomic_type: ompt_enumerate_atomic_type_t;
    c"ompt_set_callback" => registration::set_callback: ompt_set_callback_t;
    c"ompt_get_callback" => registration::get_callback: ompt_get_callback_t;
    c"ompt_get_thread_id" => thread::get_thread_id: ompt_get_thread_id_t;
    c"ompt_get_state" => thread::get_state: ompt_get_state_t;
    c"ompt_get_parallel_id" => tasks::get_parallel_id: ompt_get_parallel_id_t;
    c"ompt_get_parallel_team_size" =>
        tasks::get_parallel_team_size: ompt_get_parallel_team_size_t;
    c"ompt_get_task_info" => tasks::get_task_info: ompt_get_task_info_t;
    c"ompt_get_num_devices" => devices::get_num_devices: ompt_get_num_devices_t;
    c"ompt_target_get_device_info" => devices::get_device_info: ompt_target_get_device_info_t;
    c"ompt_get_device_info" => devices::get_device_info: ompt_get_device_info_t;
    c"ompt_target_get_device_id" => devices::get_device_id: ompt_target_get_device_id_t;
    c"ompt_get_task_id" => tasks::get_task_id: ompt_get_task_id_t;
    c"ompt_get_task_frame" => tasks::get_task_frame: ompt_get_task_frame_t;
    c"ompt_get_idle_frame" => tasks::get_idle_frame: ompt_get_idle_frame_t;
    c"ompt_idle" => placeholders::idle: ompt_interface_fn_t;
    c"ompt_overhead" => placeholders::overhead: ompt_interface_fn_t;
    c"ompt_barrier_wait" => placeholders::barrier_wait: ompt_interface_fn_t;
    c"ompt_task_wait" => placeholders::task_wait: ompt_interface_fn_t;
    c"ompt_mutex_wait" => placeholders::mutex_wait: ompt_interface_fn_t;
}

/// The look-up function that a tool's initializer gets; returns null for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(in super::super) unsafe extern "C" fn look_up(
    name: *const c_char,
) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    by_name(unsafe { CStr::from_ptr(name) })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{NAMES, look_up};

    #[test]
    fn each_name_is_known_once_and_no_others() {
        assert_eq!(NAMES.iter().collect::<HashSet<_>>().len(), NAMES.len());
        for name in NAMES {
            // SAFETY: the names are C strings.
            assert!(unsafe { look_up(name.as_ptr()) }.is_some(), "{name:?}");
        }
        // Those of the program, of a device's own look-up, and of OpenMP 5.
        let none = [c"", c"ompt_control", c"ompt_tool", c"ompt_target_start_trace"];
        for name in none.iter().chain(&[c"ompt_enumerate_states", c"ompt_finalize_tool"]) {
            // SAFETY: the names are C strings.
            assert!(unsafe { look_up(name.as_ptr()) }.is_none(), "{name:?}");
        }
        // SAFETY: null is allowed.
        assert!(unsafe { look_up(core::ptr::null()) }.is_none());
    }

    #[test]
    fn placeholders_have_different_addresses() {
        let names = [c"ompt_idle", c"ompt_overhead", c"ompt_barrier_wait", c"ompt_task_wait"];
        let addresses = names.iter().chain(&[c"ompt_mutex_wait"]);
        // SAFETY: the names are C strings.
        let addresses = addresses.map(|name| unsafe { look_up(name.as_ptr()) }.unwrap() as usize);
        assert_eq!(addresses.collect::<HashSet<_>>().len(), 5);
    }
}
