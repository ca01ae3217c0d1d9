//! The entry points of the runtime, by the look-up that the initializer was given.

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::transmute;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use oxomp_sys::ompt::{
    ompt_callback_t, ompt_callbacks_t, ompt_enumerate_mutex_impls_t, ompt_enumerate_states_t,
    ompt_finalize_tool_t, ompt_function_lookup_t, ompt_get_callback_t, ompt_get_num_devices_t,
    ompt_get_num_places_t, ompt_get_num_procs_t, ompt_get_parallel_info_t, ompt_get_place_num_t,
    ompt_get_place_proc_ids_t, ompt_get_proc_id_t, ompt_get_state_t, ompt_get_target_info_t,
    ompt_get_task_info_t, ompt_get_task_memory_t, ompt_get_thread_data_t, ompt_get_unique_id_t,
    ompt_interface_fn_t, ompt_set_callback_t, ompt_wait_id_t,
};

/// The 19 names that a runtime knows (6.0 §36.1).
pub(crate) const NAMES: [&CStr; 19] = [
    c"ompt_enumerate_states",
    c"ompt_enumerate_mutex_impls",
    c"ompt_set_callback",
    c"ompt_get_callback",
    c"ompt_get_thread_data",
    c"ompt_get_num_places",
    c"ompt_get_place_proc_ids",
    c"ompt_get_place_num",
    c"ompt_get_partition_place_nums",
    c"ompt_get_proc_id",
    c"ompt_get_state",
    c"ompt_get_parallel_info",
    c"ompt_get_task_info",
    c"ompt_get_task_memory",
    c"ompt_get_num_devices",
    c"ompt_get_num_procs",
    c"ompt_get_target_info",
    c"ompt_get_unique_id",
    c"ompt_finalize_tool",
];

static LOOKUP: OnceLock<ompt_function_lookup_t> = OnceLock::new();
/// `ompt_get_state`, looked up beforehand for use in signal handlers.
static GET_STATE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Keeps the look-up of the runtime.
pub(super) fn keep(lookup: ompt_function_lookup_t) {
    LOOKUP.set(lookup).ok();
    let state = find(c"ompt_get_state").map_or(ptr::null_mut(), |entry| entry as *mut c_void);
    GET_STATE.store(state, Ordering::Release);
}

fn find(name: &CStr) -> Option<ompt_interface_fn_t> {
    // SAFETY: the name is a C string; the lookup function stays valid (6.0 §32.2.3.1).
    LOOKUP.get().and_then(|lookup| unsafe { lookup(name.as_ptr()) })
}

/// Defines a function per entry point, which looks it up.
macro_rules! entry_points {
    ($($name:ident: $symbol:literal => $signature:ty;)*) => {$(
        #[doc = concat!("`", stringify!($symbol), "`; `None` if the runtime lacks it.")]
        pub(crate) fn $name() -> Option<$signature> {
            find($symbol).map(|entry| {
                let entry = entry as *mut c_void;
                // SAFETY: the entry point of that name has that signature.
                unsafe { transmute::<*mut c_void, $signature>(entry) }
            })
        }
    )*};
}

entry_points! {
    set_callback: c"ompt_set_callback" => ompt_set_callback_t;
    get_callback: c"ompt_get_callback" => ompt_get_callback_t;
    enumerate_states: c"ompt_enumerate_states" => ompt_enumerate_states_t;
    enumerate_mutex_impls: c"ompt_enumerate_mutex_impls" => ompt_enumerate_mutex_impls_t;
    get_thread_data: c"ompt_get_thread_data" => ompt_get_thread_data_t;
    get_num_procs: c"ompt_get_num_procs" => ompt_get_num_procs_t;
    get_num_places: c"ompt_get_num_places" => ompt_get_num_places_t;
    get_place_proc_ids: c"ompt_get_place_proc_ids" => ompt_get_place_proc_ids_t;
    get_place_num: c"ompt_get_place_num" => ompt_get_place_num_t;
    get_proc_id: c"ompt_get_proc_id" => ompt_get_proc_id_t;
    get_parallel_info: c"ompt_get_parallel_info" => ompt_get_parallel_info_t;
    get_task_info: c"ompt_get_task_info" => ompt_get_task_info_t;
    get_task_memory: c"ompt_get_task_memory" => ompt_get_task_memory_t;
    get_target_info: c"ompt_get_target_info" => ompt_get_target_info_t;
    get_num_devices: c"ompt_get_num_devices" => ompt_get_num_devices_t;
    get_unique_id: c"ompt_get_unique_id" => ompt_get_unique_id_t;
    finalize_tool: c"ompt_finalize_tool" => ompt_finalize_tool_t;
}

/// `ompt_get_state` of the calling thread, and the wait id; may be called in a signal handler.
pub(crate) fn state() -> Option<(i32, ompt_wait_id_t)> {
    let entry = GET_STATE.load(Ordering::Acquire);
    if entry.is_null() {
        return None;
    }
    // SAFETY: the pointer is `ompt_get_state`'s, which has this signature.
    let get = unsafe { transmute::<*mut c_void, ompt_get_state_t>(entry) };
    let mut wait_id = 0;
    // SAFETY: `wait_id` is writable; the function is async-signal-safe.
    let state = unsafe { get(&raw mut wait_id) };
    Some((state.0, wait_id))
}

/// The enumerators that one of the two enumerating entry points gives, each with its name; at most
/// a thousand, so that a runtime that enumerates in a circle comes to an end.
pub(crate) fn enumerate(
    mut step: impl FnMut(i32) -> Option<(i32, *const c_char)>,
    start: i32,
) -> Vec<(i32, CString)> {
    let mut all = Vec::new();
    let mut current = start;
    while let Some((next, name)) = step(current)
        && all.len() < 1000
    {
        // SAFETY: the entry point gives NULL or a static C string.
        let name = if name.is_null() { c"" } else { unsafe { CStr::from_ptr(name) } };
        all.push((next, name.to_owned()));
        current = next;
    }
    all
}

/// The address that `ompt_get_callback` gives for an event; `None` if it says there is none.
pub(crate) fn registered_for(event: ompt_callbacks_t) -> Option<usize> {
    let get = get_callback()?;
    let mut found: Option<ompt_callback_t> = None;
    // SAFETY: `found` is writable and has a pointer's layout.
    let status = unsafe { get(event, &raw mut found) };
    (status == 1).then(|| found.map_or(0, |callback| callback as usize))
}
