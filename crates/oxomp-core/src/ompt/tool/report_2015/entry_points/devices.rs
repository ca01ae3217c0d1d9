//! Entry points about target devices (the 2015 report §5.7).

use core::ffi::{c_char, c_int, c_void};

use oxomp_sys::report_2015::ompt_function_lookup_t;

use super::super::super::entry_point::caller;
use crate::block::Thread;
use crate::devices;
use crate::ompt::event::flags;
use crate::task::Properties;

/// `ompt_get_num_devices`: the number of devices, without the host.
pub(super) unsafe extern "C" fn get_num_devices() -> c_int {
    devices::num_devices_if_known()
}

/// `ompt_target_get_device_id`: the number of the device of the target, target data or target
/// update construct that the calling thread executes: the host's, the first number after those of
/// the devices. -1 outside of these constructs. Those of clang's code for other devices are matters
/// of its offload runtime.
pub(super) unsafe extern "C" fn get_device_id() -> c_int {
    let is_on_host = |thread: &&Thread| {
        thread.ompt.report_2015.target_data.get() > 0
            || thread.implicit_task_if_any().is_some_and(|task| task.team().target_id().is_some())
            || thread.task_if_any().is_some_and(|task| {
                task.ompt.flags.get() & flags::TASK_TARGET != 0 && !task.has(Properties::KMPC)
            })
    };
    caller().filter(is_on_host).map_or(-1, |_| devices::num_devices_if_known())
}

/// `ompt_target_get_device_info`: 1, an error, for every number: no device of the host runtime has
/// an interface for tools.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_device_info(
    _device_id: c_int,
    _device_type: *mut *const c_char,
    _device: *mut *mut c_void,
    _lookup: *mut Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) -> c_int {
    1
}
