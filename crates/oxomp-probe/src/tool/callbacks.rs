//! The callbacks: each appends what it was given to the log, and numbers the words that begin.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicI32, Ordering};

use oxomp_sys::ompt::{
    ompt_callback_cancel_t, ompt_callback_control_tool_t, ompt_callback_dependences_t,
    ompt_callback_device_initialize_t, ompt_callback_dispatch_t, ompt_callback_error_t,
    ompt_callback_flush_t, ompt_callback_implicit_task_t, ompt_callback_masked_t,
    ompt_callback_mutex_acquire_t, ompt_callback_mutex_t, ompt_callback_nest_lock_t,
    ompt_callback_parallel_begin_t, ompt_callback_parallel_end_t, ompt_callback_sync_region_t,
    ompt_callback_t, ompt_callback_target_emi_t, ompt_callback_target_submit_emi_t,
    ompt_callback_task_create_t, ompt_callback_task_dependence_t, ompt_callback_task_schedule_t,
    ompt_callback_thread_begin_t, ompt_callback_thread_end_t, ompt_callback_work_t,
    ompt_callbacks_t, ompt_cancel_flag_t, ompt_data_t, ompt_dependence_t, ompt_dispatch_chunk_t,
    ompt_dispatch_t, ompt_frame_t, ompt_id_t, ompt_mutex_t, ompt_parallel_flag_t,
    ompt_scope_endpoint_t, ompt_severity_t, ompt_sync_region_t, ompt_target_t, ompt_task_flag_t,
    ompt_task_status_t, ompt_thread_t, ompt_wait_id_t, ompt_work_t,
};

use super::device::initialize;
use super::event::{Event, Word, word};
use super::hook::{Hook, fire_hook};
use super::{entry_points, log};
use crate::code::Code;

/// The result of the callback of `omp_control_tool`.
pub(crate) static CONTROL_RESULT: AtomicI32 = AtomicI32::new(0);

/// Erases the type of a callback.
macro_rules! erased {
    ($callback:ident: $signature:ty) => {{
        // SAFETY: function pointers have one size; the runtime calls it by the event's signature.
        Some(unsafe { transmute::<$signature, ompt_callback_t>($callback as $signature) })
    }};
}

/// The callback for an event; `None` for an event that no check is about.
pub(crate) fn for_event(event: ompt_callbacks_t) -> Option<ompt_callback_t> {
    match event {
        ompt_callbacks_t::THREAD_BEGIN => erased!(thread_begin: ompt_callback_thread_begin_t),
        ompt_callbacks_t::THREAD_END => erased!(thread_end: ompt_callback_thread_end_t),
        ompt_callbacks_t::PARALLEL_BEGIN => erased!(parallel_begin: ompt_callback_parallel_begin_t),
        ompt_callbacks_t::PARALLEL_END => erased!(parallel_end: ompt_callback_parallel_end_t),
        ompt_callbacks_t::TASK_CREATE => erased!(task_create: ompt_callback_task_create_t),
        ompt_callbacks_t::TASK_SCHEDULE => erased!(task_schedule: ompt_callback_task_schedule_t),
        ompt_callbacks_t::IMPLICIT_TASK => erased!(implicit_task: ompt_callback_implicit_task_t),
        ompt_callbacks_t::CONTROL_TOOL => erased!(control_tool: ompt_callback_control_tool_t),
        ompt_callbacks_t::SYNC_REGION => erased!(sync_region: ompt_callback_sync_region_t),
        ompt_callbacks_t::SYNC_REGION_WAIT => {
            erased!(sync_region_wait: ompt_callback_sync_region_t)
        }
        ompt_callbacks_t::REDUCTION => erased!(reduction: ompt_callback_sync_region_t),
        ompt_callbacks_t::MUTEX_RELEASED => erased!(mutex_released: ompt_callback_mutex_t),
        ompt_callbacks_t::MUTEX_ACQUIRED => erased!(mutex_acquired: ompt_callback_mutex_t),
        ompt_callbacks_t::MUTEX_ACQUIRE => erased!(mutex_acquire: ompt_callback_mutex_acquire_t),
        ompt_callbacks_t::LOCK_INIT => erased!(lock_init: ompt_callback_mutex_acquire_t),
        ompt_callbacks_t::LOCK_DESTROY => erased!(lock_destroy: ompt_callback_mutex_t),
        ompt_callbacks_t::NEST_LOCK => erased!(nest_lock: ompt_callback_nest_lock_t),
        ompt_callbacks_t::DEPENDENCES => erased!(dependences: ompt_callback_dependences_t),
        ompt_callbacks_t::TASK_DEPENDENCE => {
            erased!(task_dependence: ompt_callback_task_dependence_t)
        }
        ompt_callbacks_t::WORK => erased!(work: ompt_callback_work_t),
        ompt_callbacks_t::MASKED => erased!(masked: ompt_callback_masked_t),
        ompt_callbacks_t::FLUSH => erased!(flush: ompt_callback_flush_t),
        ompt_callbacks_t::CANCEL => erased!(cancel: ompt_callback_cancel_t),
        ompt_callbacks_t::DISPATCH => erased!(dispatch: ompt_callback_dispatch_t),
        ompt_callbacks_t::ERROR => erased!(error: ompt_callback_error_t),
        ompt_callbacks_t::DEVICE_INITIALIZE => {
            erased!(initialize: ompt_callback_device_initialize_t)
        }
        ompt_callbacks_t::TARGET_EMI => erased!(target_emi: ompt_callback_target_emi_t),
        ompt_callbacks_t::TARGET_SUBMIT_EMI => {
            erased!(target_submit_emi: ompt_callback_target_submit_emi_t)
        }
        _ => None,
    }
}

/// A function for events whose callbacks are never called here: only the answer is of interest.
pub(crate) unsafe extern "C" fn placeholder() {}

fn base(event: ompt_callbacks_t) -> Event {
    let here = 0u8;
    Event {
        code: event.0,
        thread: log::this_thread(),
        stack: (&raw const here).addr(),
        state: entry_points::state().map_or(-1, |(state, _)| state),
        ..Event::default()
    }
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

fn frame(frame: *const ompt_frame_t) -> Option<ompt_frame_t> {
    // SAFETY: callbacks are given null or a frame that is valid while they run.
    unsafe { frame.as_ref() }.copied()
}

unsafe extern "C" fn thread_begin(kind: ompt_thread_t, data: *mut ompt_data_t) {
    let (task, was_fresh) = begin(data);
    let kind = kind.0;
    log::push(Event { kind, task, was_fresh, ..base(ompt_callbacks_t::THREAD_BEGIN) });
}

unsafe extern "C" fn thread_end(data: *mut ompt_data_t) {
    log::push(Event { task: word(data), ..base(ompt_callbacks_t::THREAD_END) });
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
        ..base(ompt_callbacks_t::PARALLEL_BEGIN)
    });
}

unsafe extern "C" fn parallel_end(
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    flags: ompt_parallel_flag_t,
    codeptr: *const c_void,
) {
    log::push(Event {
        task: word(task),
        parallel: word(parallel),
        flags: flags.0.into(),
        codeptr: Code::of(codeptr),
        ..base(ompt_callbacks_t::PARALLEL_END)
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
        ..base(ompt_callbacks_t::IMPLICIT_TASK)
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
        ..base(ompt_callbacks_t::TASK_CREATE)
    });
}

unsafe extern "C" fn task_schedule(
    prior: *mut ompt_data_t,
    status: ompt_task_status_t,
    next: *mut ompt_data_t,
) {
    log::push(Event {
        task: word(prior),
        kind: status.0,
        other: word(next),
        ..base(ompt_callbacks_t::TASK_SCHEDULE)
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
        ..base(ompt_callbacks_t::CONTROL_TOOL)
    });
    CONTROL_RESULT.load(Ordering::Relaxed)
}

/// Defines the callbacks with the signature of `sync_region`.
macro_rules! sync_callbacks {
    ($($name:ident = $event:ident;)*) => {$(
        unsafe extern "C" fn $name(
            kind: ompt_sync_region_t,
            endpoint: ompt_scope_endpoint_t,
            parallel: *mut ompt_data_t,
            task: *mut ompt_data_t,
            codeptr: *const c_void,
        ) {
            log::push(Event {
                kind: kind.0,
                endpoint: endpoint.0,
                parallel: word(parallel),
                task: word(task),
                codeptr: Code::of(codeptr),
                ..base(ompt_callbacks_t::$event)
            });
        }
    )*};
}

sync_callbacks! {
    sync_region = SYNC_REGION;
    sync_region_wait = SYNC_REGION_WAIT;
    reduction = REDUCTION;
}

/// Defines the callbacks with the signature of `mutex_acquire`.
macro_rules! acquire_callbacks {
    ($($name:ident = $event:ident;)*) => {$(
        unsafe extern "C" fn $name(
            kind: ompt_mutex_t,
            hint: c_uint,
            implementation: c_uint,
            wait: ompt_wait_id_t,
            codeptr: *const c_void,
        ) {
            log::push(Event {
                kind: kind.0,
                count: hint.into(),
                index: implementation.into(),
                wait,
                codeptr: Code::of(codeptr),
                ..base(ompt_callbacks_t::$event)
            });
        }
    )*};
}

acquire_callbacks! {
    mutex_acquire = MUTEX_ACQUIRE;
    lock_init = LOCK_INIT;
}

/// Defines the callbacks with the signature of `mutex_released`.
macro_rules! mutex_callbacks {
    ($($name:ident = $event:ident;)*) => {$(
        unsafe extern "C" fn $name(
            kind: ompt_mutex_t,
            wait: ompt_wait_id_t,
            codeptr: *const c_void,
        ) {
            let codeptr = Code::of(codeptr);
            log::push(Event { kind: kind.0, wait, codeptr, ..base(ompt_callbacks_t::$event) });
        }
    )*};
}

mutex_callbacks! {
    mutex_acquired = MUTEX_ACQUIRED;
    mutex_released = MUTEX_RELEASED;
    lock_destroy = LOCK_DESTROY;
}

unsafe extern "C" fn nest_lock(
    endpoint: ompt_scope_endpoint_t,
    wait: ompt_wait_id_t,
    codeptr: *const c_void,
) {
    let codeptr = Code::of(codeptr);
    log::push(Event { endpoint: endpoint.0, wait, codeptr, ..base(ompt_callbacks_t::NEST_LOCK) });
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
        ..base(ompt_callbacks_t::DEPENDENCES)
    });
}

unsafe extern "C" fn task_dependence(source: *mut ompt_data_t, sink: *mut ompt_data_t) {
    let (task, other) = (word(source), word(sink));
    log::push(Event { task, other, ..base(ompt_callbacks_t::TASK_DEPENDENCE) });
}

unsafe extern "C" fn work(
    kind: ompt_work_t,
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    count: u64,
    codeptr: *const c_void,
) {
    log::push(Event {
        kind: kind.0,
        endpoint: endpoint.0,
        parallel: word(parallel),
        task: word(task),
        count,
        codeptr: Code::of(codeptr),
        ..base(ompt_callbacks_t::WORK)
    });
}

unsafe extern "C" fn masked(
    endpoint: ompt_scope_endpoint_t,
    parallel: *mut ompt_data_t,
    task: *mut ompt_data_t,
    codeptr: *const c_void,
) {
    log::push(Event {
        endpoint: endpoint.0,
        parallel: word(parallel),
        task: word(task),
        codeptr: Code::of(codeptr),
        ..base(ompt_callbacks_t::MASKED)
    });
}

unsafe extern "C" fn flush(thread: *mut ompt_data_t, codeptr: *const c_void) {
    let codeptr = Code::of(codeptr);
    log::push(Event { task: word(thread), codeptr, ..base(ompt_callbacks_t::FLUSH) });
}

unsafe extern "C" fn cancel(
    task: *mut ompt_data_t,
    flags: ompt_cancel_flag_t,
    codeptr: *const c_void,
) {
    log::push(Event {
        task: word(task),
        flags: flags.0.into(),
        codeptr: Code::of(codeptr),
        ..base(ompt_callbacks_t::CANCEL)
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
        ..base(ompt_callbacks_t::DISPATCH)
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
        ..base(ompt_callbacks_t::ERROR)
    });
}

unsafe extern "C" fn target_emi(
    kind: ompt_target_t,
    endpoint: ompt_scope_endpoint_t,
    device: c_int,
    task: *mut ompt_data_t,
    target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    codeptr: *const c_void,
) {
    log::push(Event {
        kind: kind.0,
        endpoint: endpoint.0,
        index: u64::from(device as u32),
        task: word(task),
        other: word(target_task),
        parallel: word(target),
        codeptr: Code::of(codeptr),
        ..base(ompt_callbacks_t::TARGET_EMI)
    });
}

unsafe extern "C" fn target_submit_emi(
    endpoint: ompt_scope_endpoint_t,
    target: *mut ompt_data_t,
    _host_op: *mut ompt_id_t,
    teams: c_uint,
) {
    log::push(Event {
        endpoint: endpoint.0,
        parallel: word(target),
        count: teams.into(),
        ..base(ompt_callbacks_t::TARGET_SUBMIT_EMI)
    });
}
