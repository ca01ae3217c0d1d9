//! The callbacks: each appends what it was given to the log. Here are those that number the words
//! of objects that begin, that read what an argument points to, or that do more; `noted` has the
//! others.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicI32, Ordering};

use oxomp_sys::ompt::{
    ompt_callback_control_tool_t, ompt_callback_dependences_t, ompt_callback_device_initialize_t,
    ompt_callback_dispatch_t, ompt_callback_error_t, ompt_callback_implicit_task_t,
    ompt_callback_parallel_begin_t, ompt_callback_t, ompt_callback_task_create_t,
    ompt_callback_thread_begin_t, ompt_callbacks_t as E, ompt_data_t, ompt_dependence_t,
    ompt_dispatch_chunk_t, ompt_dispatch_t, ompt_frame_t, ompt_parallel_flag_t,
    ompt_scope_endpoint_t, ompt_severity_t, ompt_task_flag_t, ompt_thread_t,
};

use super::device::initialize;
use super::event::{Event, Word, word};
use super::hook::{Hook, fire_hook};
use super::noted::base;
use super::{log, noted};
use crate::code::Code;

/// The result of the callback of `omp_control_tool`.
pub(crate) static CONTROL_RESULT: AtomicI32 = AtomicI32::new(0);

/// Erases the type of a callback.
macro_rules! erased {
    ($callback:ident: $signature:ty) => {{
        // SAFETY: function pointers have one size; the runtime calls it by the event's signature.
        Some(unsafe { transmute::<$signature, ompt_callback_t>($callback) })
    }};
}

/// The callback for an event; `None` for an event that no check is about, or that another one
/// supersedes.
pub(crate) fn for_event(event: E) -> Option<ompt_callback_t> {
    match event {
        E::THREAD_BEGIN => erased!(thread_begin: ompt_callback_thread_begin_t),
        E::PARALLEL_BEGIN => erased!(parallel_begin: ompt_callback_parallel_begin_t),
        E::TASK_CREATE => erased!(task_create: ompt_callback_task_create_t),
        E::IMPLICIT_TASK => erased!(implicit_task: ompt_callback_implicit_task_t),
        E::CONTROL_TOOL => erased!(control_tool: ompt_callback_control_tool_t),
        E::DEPENDENCES => erased!(dependences: ompt_callback_dependences_t),
        E::DISPATCH => erased!(dispatch: ompt_callback_dispatch_t),
        E::ERROR => erased!(error: ompt_callback_error_t),
        E::DEVICE_INITIALIZE => erased!(initialize: ompt_callback_device_initialize_t),
        E::DEVICE_FINALIZE
        | E::DEVICE_LOAD
        | E::DEVICE_UNLOAD
        | E::TARGET
        | E::TARGET_DATA_OP
        | E::TARGET_DATA_OP_EMI
        | E::TARGET_MAP
        | E::TARGET_MAP_EMI
        | E::TARGET_SUBMIT => None,
        _ => noted::of(event),
    }
}

/// A function for events whose callbacks are never called here: only the answer is of interest.
pub(crate) unsafe extern "C" fn placeholder() {}

fn frame(frame: *const ompt_frame_t) -> Option<ompt_frame_t> {
    // SAFETY: callbacks are given null or a frame that is valid while they run.
    unsafe { frame.as_ref() }.copied()
}

/// Numbers a word that begins; tells its number and whether it was zero.
fn begin(data: *mut ompt_data_t) -> (Word, bool) {
    // SAFETY: the runtime passes a callback null, or a word of the tool's that is valid while the
    // callback runs.
    let Some(data) = (unsafe { data.as_mut() }) else { return (None, false) };
    let was_fresh = data.is_none();
    data.value = log::fresh_id();
    (Some(data.value), was_fresh)
}

unsafe extern "C" fn thread_begin(kind: ompt_thread_t, data: *mut ompt_data_t) {
    let (task, was_fresh) = begin(data);
    let kind = kind.0;
    log::push(Event { kind, task, was_fresh, ..base(E::THREAD_BEGIN) });
}

unsafe extern "C" fn parallel_begin(
    task: *mut ompt_data_t,
    task_frame: *const ompt_frame_t,
    parallel: *mut ompt_data_t,
    requested: c_uint,
    flags: ompt_parallel_flag_t,
    codeptr: *const c_void,
) {
    let (parallel, was_fresh) = begin(parallel);
    log::push(Event {
        task: word(task),
        frame: frame(task_frame),
        parallel,
        was_fresh,
        count: requested.into(),
        flags: flags.0.into(),
        codeptr: Code::of(codeptr),
        ..base(E::PARALLEL_BEGIN)
    });
}

unsafe extern "C" fn implicit_task(
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    actual: c_uint,
    index: c_uint,
    flags: ompt_task_flag_t,
) {
    let begins = endpoint == ompt_scope_endpoint_t::BEGIN;
    let (task, was_fresh) = if begins { begin(task) } else { (word(task), false) };
    log::push(Event {
        endpoint: endpoint.0,
        parallel: word(parallel),
        task,
        was_fresh,
        count: actual.into(),
        index: index.into(),
        flags: flags.0.into(),
        ..base(E::IMPLICIT_TASK)
    });
    if begins {
        fire_hook(Hook::ImplicitTask);
    }
}

unsafe extern "C" fn task_create(
    task: *mut ompt_data_t,
    task_frame: *const ompt_frame_t,
    new: *mut ompt_data_t,
    flags: ompt_task_flag_t,
    has_dependences: c_int,
    codeptr: *const c_void,
) {
    let (other, was_fresh) = begin(new);
    log::push(Event {
        task: word(task),
        frame: frame(task_frame),
        other,
        was_fresh,
        count: u64::from(has_dependences != 0),
        flags: flags.0.into(),
        codeptr: Code::of(codeptr),
        ..base(E::TASK_CREATE)
    });
}

unsafe extern "C" fn control_tool(
    command: u64,
    modifier: u64,
    arg: *mut c_void,
    codeptr: *const c_void,
) -> c_int {
    log::push(Event {
        count: command,
        index: modifier,
        wait: arg.addr() as u64,
        codeptr: Code::of(codeptr),
        ..base(E::CONTROL_TOOL)
    });
    CONTROL_RESULT.load(Ordering::Relaxed)
}

unsafe extern "C" fn dependences(
    task: *mut ompt_data_t,
    deps: *const ompt_dependence_t,
    count: c_int,
) {
    let count = usize::try_from(count).unwrap_or(0);
    let deps = if deps.is_null() || count == 0 {
        &[]
    } else {
        // SAFETY: the runtime passes an array of that length, valid during the call.
        unsafe { std::slice::from_raw_parts(deps, count) }
    };
    let kinds: Vec<String> = deps.iter().map(|dep| dep.dependence_type.0.to_string()).collect();
    log::push(Event {
        task: word(task),
        count: count as u64,
        index: deps.first().map_or(0, |dep| dep.variable.value),
        text: kinds.join(","),
        ..base(E::DEPENDENCES)
    });
}

unsafe extern "C" fn dispatch(
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    kind: ompt_dispatch_t,
    instance: ompt_data_t,
) {
    let is_chunk = [
        ompt_dispatch_t::WS_LOOP_CHUNK,
        ompt_dispatch_t::TASKLOOP_CHUNK,
        ompt_dispatch_t::DISTRIBUTE_CHUNK,
    ]
    .contains(&kind);
    let chunk: *mut ompt_dispatch_chunk_t = instance.ptr();
    // SAFETY: for chunk kinds the instance is a pointer to a chunk, valid during the call.
    let chunk = if is_chunk { unsafe { chunk.as_ref() } } else { None };
    log::push(Event {
        kind: kind.0,
        parallel: word(parallel),
        task: word(task),
        index: chunk.map_or(instance.value, |chunk| chunk.start),
        count: chunk.map_or(0, |chunk| chunk.iterations),
        codeptr: Code::of(if is_chunk { std::ptr::null() } else { instance.ptr() }),
        ..base(E::DISPATCH)
    });
}

unsafe extern "C" fn error(
    severity: ompt_severity_t,
    message: *const c_char,
    length: usize,
    codeptr: *const c_void,
) {
    let text = if message.is_null() {
        String::new()
    } else {
        // SAFETY: the runtime passes a message of that length.
        let bytes = unsafe { std::slice::from_raw_parts(message.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    };
    log::push(Event {
        kind: severity.0,
        count: length as u64,
        text,
        codeptr: Code::of(codeptr),
        ..base(E::ERROR)
    });
}
