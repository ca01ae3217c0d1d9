//! What this runtime asks oxomp's libomptarget, by functions that it finds by name.

use core::ffi::{c_char, c_int, c_void};
use core::mem::transmute;
use core::ptr::NonNull;

use oxomp_sys::connection::{
    oxomp_device_info_2015_t, oxomp_offload_answer_t, oxomp_offload_connection_t,
};
use oxomp_sys::ompt::{ompt_callbacks_t, ompt_set_result_t, ompt_start_tool_result_t};
use oxomp_sys::report_2015::{SetResult, ompt_event_t, ompt_function_lookup_t};

use crate::devices::{self, PrivateRoutine};

/// Whether the structure is that of oxomp's libomptarget.
pub(super) fn is_ours(offload: *mut ompt_start_tool_result_t) -> bool {
    static ROUTINE: PrivateRoutine = PrivateRoutine::new(c"oxomp_offload_connection");
    ROUTINE.in_libomptarget().is_some_and(|function| {
        // SAFETY: the library's function of that name has this type.
        let own = unsafe { transmute::<NonNull<c_void>, oxomp_offload_connection_t>(function)() };
        own == offload
    })
}

fn ask(event: c_int, is_2015: bool) -> Option<c_int> {
    static ROUTINE: PrivateRoutine = PrivateRoutine::new(c"oxomp_offload_answer");
    let function = ROUTINE.in_libomptarget()?;
    // SAFETY: the library's function of that name has this type.
    let answer = unsafe {
        transmute::<NonNull<c_void>, oxomp_offload_answer_t>(function)(event, c_int::from(is_2015))
    };
    (answer != 0).then_some(answer)
}

/// The answer of `ompt_set_callback` for an event that libomptarget raises.
pub(in super::super) fn answer(event: ompt_callbacks_t) -> Option<ompt_set_result_t> {
    ask(event.0, false).map(ompt_set_result_t)
}

/// The answer of the 2015 report's `ompt_set_callback` for an event that libomptarget raises.
pub(in super::super) fn answer_2015(event: ompt_event_t) -> Option<SetResult> {
    ask(event.0, true).map(SetResult)
}

/// `ompt_target_get_device_info` of libomptarget's devices: 0, or 1 if no device has this number,
/// or if [`devices::prepare_entry_points`] has not found the library. Async-signal-safe.
///
/// # Safety
/// The pointers are null or writable.
pub(in super::super) unsafe fn device_info_2015(
    device_id: c_int,
    device_type: *mut *const c_char,
    device: *mut *mut c_void,
    look_up: *mut Option<ompt_function_lookup_t>,
) -> c_int {
    let Some(function) = devices::DEVICE_INFO_2015.known() else { return 1 };
    // SAFETY: the library's function of that name has this type; the caller's own promise
    // (`# Safety`).
    unsafe {
        let info = transmute::<NonNull<c_void>, oxomp_device_info_2015_t>(function);
        info(device_id, device_type, device, look_up)
    }
}
