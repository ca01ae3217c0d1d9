//! The functions that an offload runtime gets by name.

use core::ffi::{CStr, c_char};
use core::mem::transmute;
use core::ptr;
use core::sync::atomic::AtomicPtr;

use oxomp_sys::connection::{
    oxomp_get_task_2015_t, oxomp_new_id_2015_t, oxomp_target_slot_t, oxomp_target_t,
};
use oxomp_sys::ompt::{
    ompt_data_t, ompt_get_callback_t, ompt_get_unique_id_t, ompt_interface_fn_t,
};
use oxomp_sys::report_2015;

use super::super::encoder_5x::task_data;
use super::super::entry_point::caller;
use super::super::entry_points::{get_callback, get_unique_id};
use super::super::phase::is_active;
use super::super::report_2015 as of_2015;
use crate::block::Thread;
use crate::task::Task;

/// The type of functions that return a tool's word of a task.
type Data = unsafe extern "C" fn() -> *mut ompt_data_t;

/// `"name" => function: its type` for each function that is found.
macro_rules! functions {
    ($find:ident: $($name:literal => $function:path: $type:ty;)*) => {
        fn $find(name: &CStr) -> Option<ompt_interface_fn_t> {
            $(if name == $name {
                let function: $type = $function;
                // SAFETY: the offload runtime converts the pointer back to the type of the function
                // of this name.
                return Some(unsafe {
                    transmute::<*const (), ompt_interface_fn_t>(function as *const ())
                });
            })*
            None
        }
    };
}

functions! { find:
    c"ompt_get_callback" => get_callback: ompt_get_callback_t;
    c"ompt_get_task_data" => get_task_data: Data;
    c"ompt_get_target_task_data" => get_target_task_data: Data;
    c"ompt_get_unique_id" => get_unique_id: ompt_get_unique_id_t;
    c"oxomp_target_slot" => target_slot: oxomp_target_slot_t;
}

functions! { find_2015:
    c"ompt_get_unique_id" => get_unique_id: ompt_get_unique_id_t;
    c"oxomp_target_slot" => target_slot: oxomp_target_slot_t;
    c"oxomp_get_callback_2015" => of_2015::get_callback: report_2015::ompt_get_callback_t;
    c"oxomp_get_task_2015" => of_2015::get_task: oxomp_get_task_2015_t;
    c"oxomp_new_id_2015" => of_2015::new_id: oxomp_new_id_2015_t;
}

/// The look-up function that an offload runtime gets; `None` for an unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    find(unsafe { CStr::from_ptr(name) })
}

/// The look-up function that an offload runtime gets with a tool of the 2015 report; `None` for an
/// unknown name.
///
/// # Safety
/// `name` is null or a C string.
pub(super) unsafe extern "C" fn look_up_2015(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: `name` is not null here, so it is a C string (`# Safety`).
    find_2015(unsafe { CStr::from_ptr(name) })
}

/// The task that has encountered the target construct which `task` executes: the generating task of
/// a target task.
fn encountering(task: &Task) -> *mut ompt_data_t {
    match task.parent() {
        Some(generating) if task.is_target() => task_data(generating.ompt()),
        _ => task_data(&task.ompt),
    }
}

/// The tool's word of the task that has encountered the target construct which the calling thread
/// executes. LLVM's libomptarget asks before each event, and may call nothing else of this runtime
/// before: a native thread becomes a root here, so that the tool hears of it first.
unsafe extern "C" fn get_task_data() -> *mut ompt_data_t {
    if is_active() {
        Thread::current();
    }
    caller().and_then(Thread::task_if_any).map_or(ptr::null_mut(), encountering)
}

/// The tool's word of the target task that the calling thread executes; null if the thread executes
/// another task.
unsafe extern "C" fn get_target_task_data() -> *mut ompt_data_t {
    let task = caller().and_then(Thread::task_if_any);
    let target = task.filter(|task| task.is_target());
    target.map_or(ptr::null_mut(), |task| task_data(&task.ompt))
}

/// The calling thread's word for the construct that it executes.
unsafe extern "C" fn target_slot() -> *const AtomicPtr<oxomp_target_t> {
    // After the tool's end too: constructs that go on take their addresses away.
    Thread::known().map_or(ptr::null(), |thread| ptr::from_ref(&thread.ompt.target))
}

#[cfg(test)]
mod tests {
    use super::{look_up, look_up_2015};

    #[test]
    fn an_offload_runtime_finds_the_functions_of_the_tool_s_generation() {
        // SAFETY: the names are C strings, or null.
        unsafe {
            for name in [c"ompt_get_callback", c"ompt_get_task_data", c"ompt_get_target_task_data"]
            {
                assert!(look_up(name.as_ptr()).is_some(), "{name:?}");
                assert!(look_up_2015(name.as_ptr()).is_none(), "{name:?}");
            }
            for name in [c"oxomp_get_callback_2015", c"oxomp_get_task_2015", c"oxomp_new_id_2015"] {
                assert!(look_up(name.as_ptr()).is_none(), "{name:?}");
                assert!(look_up_2015(name.as_ptr()).is_some(), "{name:?}");
            }
            for name in [c"ompt_get_unique_id", c"oxomp_target_slot"] {
                assert!(look_up(name.as_ptr()).is_some(), "{name:?}");
                assert!(look_up_2015(name.as_ptr()).is_some(), "{name:?}");
            }
            assert!(look_up(c"ompt_set_trace_ompt".as_ptr()).is_none());
            assert!(look_up(core::ptr::null()).is_none());
            assert!(look_up_2015(core::ptr::null()).is_none());
        }
    }
}
