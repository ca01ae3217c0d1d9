//! The connection of offload runtimes, such as LLVM's libomptarget: they report the events of their
//! devices to the tool themselves, and ask this runtime for the tool's callbacks.

use core::ffi::{CStr, c_char};
use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering::AcqRel, Ordering::Acquire};

use oxomp_sys::ompt::{
    ompt_data_t, ompt_get_callback_t, ompt_interface_fn_t, ompt_start_tool_result_t,
};

use super::encoder_5x::task_data;
use super::entry_point::caller;
use super::entry_points::get_callback;
use super::interface::is_report_2015;
use super::life::{is_active, shut_down};
use crate::block::Thread;
use crate::os;
use crate::task::Properties;

/// The offload runtimes that are connected; null for none. A process may have several versions of
/// libomptarget.
static CONNECTED: [AtomicPtr<ompt_start_tool_result_t>; 8] =
    [const { AtomicPtr::new(ptr::null_mut()) }; 8];

/// Connects an offload runtime, if a tool of OpenMP 5 or 6 is active: calls its initializer with
/// the functions by which it gets the tool's callbacks, and its finalizer when the tool ends.
///
/// # Safety
/// `offload` stays as it is while the process runs.
pub unsafe fn connect(offload: *mut ompt_start_tool_result_t) {
    if offload.is_null() || !is_active() || is_report_2015() {
        return;
    }
    // SAFETY: the offload runtime's structure, which stays (`# Safety`).
    if let Some(initialize) = unsafe { (*offload).initialize } {
        // SAFETY: the offload runtime's function, with the arguments that it expects.
        unsafe { initialize(look_up, 0, ptr::null_mut()) };
    }
    let keep = |slot: &AtomicPtr<ompt_start_tool_result_t>| {
        slot.compare_exchange(ptr::null_mut(), offload, AcqRel, Acquire).is_ok()
    };
    // Without room for it the runtime is not told of the tool's end.
    let _ = CONNECTED.iter().any(keep);
    if !ENDS_TOOL.swap(true, AcqRel) {
        os::at_exit::register_in_order(end_tool);
    }
}

/// Whether `end_tool` ends the tool when the process ends.
static ENDS_TOOL: AtomicBool = AtomicBool::new(false);

/// Whether the tool ends later than the first functions that exit(3) calls: offload runtimes end
/// their devices there, by functions that their programs register after the connection.
pub(super) fn ends_tool() -> bool {
    ENDS_TOOL.load(Acquire)
}

extern "C" fn end_tool() {
    shut_down();
}

/// Ends the connections, before the tool's end: the offload runtimes have copies of the callbacks.
pub(super) fn disconnect() {
    for slot in &CONNECTED {
        let offload = slot.swap(ptr::null_mut(), AcqRel);
        if offload.is_null() {
            continue;
        }
        // SAFETY: the structure stays (`connect`), and each connection is ended once.
        if let Some(finalize) = unsafe { (*offload).finalize } {
            // SAFETY: the offload runtime's function; it has got no data.
            unsafe { finalize(ptr::null_mut()) };
        }
    }
}

/// The look-up function that an offload runtime gets; none for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    type Data = unsafe extern "C" fn() -> *mut ompt_data_t;
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    let name = unsafe { CStr::from_ptr(name) };
    let function = if name == c"ompt_get_callback" {
        let function: ompt_get_callback_t = get_callback;
        function as *const ()
    } else if name == c"ompt_get_task_data" {
        let function: Data = get_task_data;
        function as *const ()
    } else if name == c"ompt_get_target_task_data" {
        let function: Data = get_target_task_data;
        function as *const ()
    } else {
        return None;
    };
    // SAFETY: the offload runtime converts the pointer back to the type of the function of this
    // name.
    Some(unsafe { transmute::<*const (), ompt_interface_fn_t>(function) })
}

/// The tool's word of the task that has encountered the target construct which the calling thread
/// executes: the generating task of the target task, if the construct has one.
unsafe extern "C" fn get_task_data() -> *mut ompt_data_t {
    let Some(task) = caller().and_then(Thread::task_if_any) else { return ptr::null_mut() };
    match task.parent() {
        Some(generating) if task.has(Properties::TARGET) => task_data(generating.ompt()),
        _ => task_data(&task.ompt),
    }
}

/// The tool's word of the target task that the calling thread executes; null if its task is none.
unsafe extern "C" fn get_target_task_data() -> *mut ompt_data_t {
    let task = caller().and_then(Thread::task_if_any);
    let target = task.filter(|task| task.has(Properties::TARGET));
    target.map_or(ptr::null_mut(), |task| task_data(&task.ompt))
}

#[cfg(test)]
mod tests {
    use super::look_up;

    #[test]
    fn an_offload_runtime_finds_three_functions() {
        // SAFETY: the names are C strings, or null.
        unsafe {
            for name in [c"ompt_get_callback", c"ompt_get_task_data", c"ompt_get_target_task_data"]
            {
                assert!(look_up(name.as_ptr()).is_some(), "{name:?}");
            }
            assert!(look_up(c"ompt_set_trace_ompt".as_ptr()).is_none());
            assert!(look_up(core::ptr::null()).is_none());
        }
    }
}
