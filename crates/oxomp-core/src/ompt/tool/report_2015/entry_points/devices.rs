//! Entry points about target devices (the 2015 report §5.7).

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::report_2015::ompt_function_lookup_t;

use super::super::super::entry_point::caller;
use super::super::super::offload::device_info_2015;
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
/// the devices, or that of a device of oxomp's libomptarget. -1 outside of these constructs.
pub(super) unsafe extern "C" fn get_device_id() -> c_int {
    let is_on_host = |thread: &Thread| {
        thread.ompt.report_2015.target_data.get() > 0
            || thread.task_if_any().is_some_and(|task| {
                task.ompt.flags.get() & flags::TASK_TARGET != 0 && !task.has(Properties::KMPC)
            })
    };
    let Some(thread) = caller() else { return -1 };
    if let Some(target) = thread.ompt.target() {
        // Relaxed: the calling thread writes it.
        return target.device_num.load(Relaxed) as c_int;
    }
    let region = thread.implicit_task_if_any().and_then(|task| task.team().target());
    match region {
        Some(region) => region.device_num.cast_signed(),
        None if is_on_host(thread) => devices::num_devices_if_known(),
        None => -1,
    }
}

/// `ompt_target_get_device_info`: 0 and what is known of a device of oxomp's libomptarget; 1, an
/// error, for other numbers: the host has no interface for devices. The last argument, through
/// which the report might mean to return a text, is not touched: by its type it is itself a text.
///
/// # Safety
/// The pointers are null or writable.
pub(super) unsafe extern "C" fn get_device_info(
    device_id: c_int,
    device_type: *mut *const c_char,
    device: *mut *mut c_void,
    lookup: *mut Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) -> c_int {
    // SAFETY: the pointers are null or writable (`# Safety`).
    unsafe { device_info_2015(device_id, device_type, device, lookup) }
}
