//! The entry points that each tool gets: each tool has its own entry points about callbacks, data
//! words and the tool's end; all others are the runtime's.

use std::ffi::{CStr, c_char, c_int};
use std::mem::transmute;
use std::ptr::null_mut;

use ompt::raw::c::{
    ompt_callback_t, ompt_callbacks_t, ompt_data_t, ompt_finalize_tool_t, ompt_frame_t,
    ompt_function_lookup_t, ompt_get_callback_t, ompt_get_parallel_info_t, ompt_get_target_info_t,
    ompt_get_task_info_t, ompt_get_thread_data_t, ompt_id_t, ompt_interface_fn_t,
    ompt_set_callback_t, ompt_set_result_t, ompt_task_flag_t,
};

use crate::runtime::{self, Runtime};
use crate::tools::{self, MAX_TOOLS, for_each_tool};
use crate::words::Word;
use crate::{end, registration};

/// The look-up functions of the tools.
pub(crate) static LOOK_UP: [ompt_function_lookup_t; MAX_TOOLS] = for_each_tool!(look_up);

/// The result of the entry points about regions and tasks that means: the region or task exists,
/// and its description has been written.
const AVAILABLE: c_int = 2;

/// A tool's look-up. A tool gets no entry point that the runtime lacks.
///
/// # Safety
/// `name` is null or a C string.
unsafe extern "C" fn look_up<const TOOL: usize>(
    name: *const c_char,
) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the runtime's look-up, with a C string.
    let theirs = unsafe { (runtime::current()?.lookup)(name) }?;
    // SAFETY: `name` is a C string (`# Safety`).
    let own = own::<TOOL>(unsafe { CStr::from_ptr(name) });
    // SAFETY: the tool converts the pointer back to the type that OpenMP gives this name.
    Some(own.map_or(theirs, |own| unsafe { transmute::<*const (), ompt_interface_fn_t>(own) }))
}

fn own<const TOOL: usize>(name: &CStr) -> Option<*const ()> {
    macro_rules! typed {
        ($function:ident: $type:ty) => {{
            let function: $type = $function::<TOOL>;
            Some(function as *const ())
        }};
    }
    match name.to_bytes() {
        b"ompt_set_callback" => typed!(set_callback: ompt_set_callback_t),
        b"ompt_get_callback" => typed!(get_callback: ompt_get_callback_t),
        b"ompt_get_thread_data" => typed!(get_thread_data: ompt_get_thread_data_t),
        b"ompt_get_parallel_info" => typed!(get_parallel_info: ompt_get_parallel_info_t),
        b"ompt_get_task_info" => typed!(get_task_info: ompt_get_task_info_t),
        b"ompt_get_target_info" => typed!(get_target_info: ompt_get_target_info_t),
        b"ompt_finalize_tool" => typed!(finalize_tool: ompt_finalize_tool_t),
        _ => None,
    }
}

unsafe extern "C" fn set_callback<const TOOL: usize>(
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t {
    registration::set(TOOL, event, callback)
}

/// # Safety
/// `callback` is null or writable.
unsafe extern "C" fn get_callback<const TOOL: usize>(
    event: ompt_callbacks_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let Some(registered) = registration::get(TOOL, event) else { return 0 };
    if !callback.is_null() {
        // SAFETY: writable (`# Safety`); the tool registered the function.
        unsafe { callback.write(Some(transmute::<*mut (), ompt_callback_t>(registered))) };
    }
    1
}

unsafe extern "C" fn finalize_tool<const TOOL: usize>() {
    end::end(TOOL);
}

/// The runtime, while the tool's entry points answer.
fn runtime_of(tool: usize) -> Option<&'static Runtime> {
    runtime::current().filter(|_| tools::answers(tool))
}

/// The tool's own word in place of the runtime's.
///
/// # Safety
/// `word` is the answer of the runtime's entry point: an address as in [`Word::new`].
unsafe fn word_of(tool: usize, word: *mut ompt_data_t) -> *mut ompt_data_t {
    // SAFETY: the calling thread is in the object, which keeps it and its word alive.
    unsafe { Word::new(word) }.find().of(tool)
}

unsafe extern "C" fn get_thread_data<const TOOL: usize>() -> *mut ompt_data_t {
    match runtime_of(TOOL).and_then(|runtime| runtime.get_thread_data) {
        // SAFETY: the runtime's entry point, and its answer.
        Some(get) => unsafe { word_of(TOOL, get()) },
        None => null_mut(),
    }
}

/// # Safety
/// The pointers are null or writable.
unsafe extern "C" fn get_parallel_info<const TOOL: usize>(
    ancestor_level: c_int,
    parallel: *mut *mut ompt_data_t,
    team_size: *mut c_int,
) -> c_int {
    let Some(get) = runtime_of(TOOL).and_then(|runtime| runtime.get_parallel_info) else {
        return 0;
    };
    let mut word = null_mut();
    // SAFETY: the runtime's entry point; it writes the variables of the tool, or this one.
    unsafe {
        let answer = get(ancestor_level, &mut word, team_size);
        if answer == AVAILABLE && !parallel.is_null() {
            parallel.write(word_of(TOOL, word));
        }
        answer
    }
}

/// # Safety
/// The pointers are null or writable.
unsafe extern "C" fn get_task_info<const TOOL: usize>(
    ancestor_level: c_int,
    flags: *mut ompt_task_flag_t,
    task: *mut *mut ompt_data_t,
    frame: *mut *mut ompt_frame_t,
    parallel: *mut *mut ompt_data_t,
    thread_num: *mut c_int,
) -> c_int {
    let Some(get) = runtime_of(TOOL).and_then(|runtime| runtime.get_task_info) else { return 0 };
    let (mut task_word, mut region_word) = (null_mut(), null_mut());
    // SAFETY: the runtime's entry point; it writes the variables of the tool, or these.
    unsafe {
        let answer =
            get(ancestor_level, flags, &mut task_word, frame, &mut region_word, thread_num);
        if answer == AVAILABLE {
            if !task.is_null() {
                task.write(word_of(TOOL, task_word));
            }
            if !parallel.is_null() {
                parallel.write(word_of(TOOL, region_word));
            }
        }
        answer
    }
}

/// The runtime's answer, except for the id of the operation: the tool gets the id that it has
/// stored itself.
///
/// # Safety
/// The pointers are null or writable.
unsafe extern "C" fn get_target_info<const TOOL: usize>(
    device_num: *mut u64,
    target_id: *mut ompt_id_t,
    host_op_id: *mut ompt_id_t,
) -> c_int {
    let Some(get) = runtime_of(TOOL).and_then(|runtime| runtime.get_target_info) else { return 0 };
    let mut id: ompt_id_t = 0;
    // SAFETY: the runtime's entry point; it writes the variables of the tool, or this one, which
    // then has the value of the operation's word.
    unsafe {
        let answer = get(device_num, target_id, &mut id);
        if answer == 1 && !host_op_id.is_null() {
            let word = Word::new(&raw mut id);
            host_op_id.write(word.block().map_or(id, |_| (*word.find().of(TOOL)).value));
        }
        answer
    }
}
