//! The functions with which a tool of the 2015 report traces a device (§5.7, §6).

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_int, c_void};
use core::mem::{MaybeUninit, transmute};
use core::ptr;

use oxomp_sys::report_2015::{
    SetResult, ompt_bool, ompt_dev_task_none, ompt_event_t, ompt_interface_fn_t,
    ompt_native_mon_flags_t, ompt_record_arguments_t, ompt_record_correlation_t,
    ompt_record_native_abstract_t, ompt_record_ompt_t, ompt_record_task_t, ompt_record_type_t,
    ompt_target_advance_buffer_cursor_t, ompt_target_buffer_complete_callback_t,
    ompt_target_buffer_cursor_t, ompt_target_buffer_get_record_correlation_t,
    ompt_target_buffer_get_record_native_abstract_t, ompt_target_buffer_get_record_native_t,
    ompt_target_buffer_get_record_ompt_t, ompt_target_buffer_get_record_type_t,
    ompt_target_buffer_request_callback_t, ompt_target_buffer_t, ompt_target_device_t,
    ompt_target_get_time_t, ompt_target_pause_trace_t, ompt_target_set_trace_native_t,
    ompt_target_set_trace_ompt_t, ompt_target_start_trace_t, ompt_target_stop_trace_t,
    ompt_target_time_t, ompt_target_translate_time_t, ompt_time_none,
};

use super::callbacks::Callbacks;
use super::entry_points::{functions, stop_trace, translate_time};
use super::handle::tracer;
use super::layout::{Kind, Slot};
use super::native::abstract_2015;
use super::record::{CorrelationRecord, NativeRecord, TargetRecord};

// A tool gets the record in its buffer.
const _: () = {
    assert!(size_of::<CorrelationRecord>() == size_of::<ompt_record_correlation_t>());
    assert!(
        core::mem::offset_of!(CorrelationRecord, host_task)
            == core::mem::offset_of!(ompt_record_correlation_t, host_task_id)
    );
};

functions! { entry_point_2015:
    c"ompt_target_get_time" => get_time: ompt_target_get_time_t;
    c"ompt_target_translate_time" => translate_time: ompt_target_translate_time_t;
    c"ompt_target_set_trace_ompt" => set_trace_ompt: ompt_target_set_trace_ompt_t;
    c"ompt_target_set_trace_native" => set_trace_native: ompt_target_set_trace_native_t;
    c"ompt_target_start_trace" => start_trace: ompt_target_start_trace_t;
    c"ompt_target_pause_trace" => pause_trace: ompt_target_pause_trace_t;
    c"ompt_target_stop_trace" => stop_trace: ompt_target_stop_trace_t;
    c"ompt_target_advance_buffer_cursor" => advance_buffer_cursor:
        ompt_target_advance_buffer_cursor_t;
    c"ompt_target_buffer_get_record_type" => get_record_type:
        ompt_target_buffer_get_record_type_t;
    c"ompt_target_buffer_get_record_ompt" => get_record_ompt:
        ompt_target_buffer_get_record_ompt_t;
    c"ompt_target_buffer_get_record_correlation" => get_record_correlation:
        ompt_target_buffer_get_record_correlation_t;
    c"ompt_target_buffer_get_record_native" => get_record_native:
        ompt_target_buffer_get_record_native_t;
    c"ompt_target_buffer_get_record_native_abstract" => get_record_native_abstract:
        ompt_target_buffer_get_record_native_abstract_t;
}

unsafe extern "C" fn get_time(device: *mut ompt_target_device_t) -> ompt_target_time_t {
    tracer(device).map_or(ompt_time_none, |it| it.device().time())
}

unsafe extern "C" fn set_trace_ompt(
    device: *mut ompt_target_device_t,
    enable: ompt_bool,
    event: ompt_event_t,
) -> SetResult {
    let Some(tracer) = tracer(device) else { return SetResult::ERROR };
    tracer.select(|selection| selection.set_2015(enable != 0, event))
}

unsafe extern "C" fn set_trace_native(
    device: *mut ompt_target_device_t,
    enable: ompt_bool,
    flags: ompt_native_mon_flags_t,
) -> SetResult {
    let Some(tracer) = tracer(device) else { return SetResult::ERROR };
    tracer.select(|selection| selection.set_native_2015(enable != 0, flags.0))
}

unsafe extern "C" fn start_trace(
    device: *mut ompt_target_device_t,
    request: Option<ompt_target_buffer_request_callback_t>,
    complete: Option<ompt_target_buffer_complete_callback_t>,
) -> c_int {
    let (Some(tracer), Some(request), Some(complete)) = (tracer(device), request, complete) else {
        return 0;
    };
    tracer.start(Callbacks::Report2015 { request, complete }).into()
}

unsafe extern "C" fn pause_trace(
    device: *mut ompt_target_device_t,
    begin_pause: ompt_bool,
) -> c_int {
    tracer(device).is_some_and(|it| it.pause(begin_pause != 0)).into()
}

unsafe extern "C" fn advance_buffer_cursor(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
    next: *mut ompt_target_buffer_cursor_t,
) -> c_int {
    // SAFETY: the tool's buffer.
    let slot = unsafe { Slot::at(buffer.cast(), current) };
    let Some(cursor) = slot.and_then(|it| it.next).filter(|_| !next.is_null()) else { return 1 };
    // SAFETY: a place of the tool, not null.
    unsafe { *next = cursor };
    0
}

unsafe extern "C" fn get_record_type(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> ompt_record_type_t {
    // SAFETY: the tool's buffer.
    match unsafe { Slot::at(buffer.cast(), current) }.map(|slot| slot.kind) {
        Some(Kind::Target) => ompt_record_type_t::OMPT,
        Some(Kind::Correlation) => ompt_record_type_t::CORRELATION,
        Some(Kind::Native) => ompt_record_type_t::NATIVE,
        Some(Kind::DataOp | Kind::Kernel | Kind::Map) | None => ompt_record_type_t::INVALID,
    }
}

thread_local! {
    /// The last record that the thread has got.
    static RECORD: UnsafeCell<MaybeUninit<ompt_record_ompt_t>> =
        const { UnsafeCell::new(MaybeUninit::uninit()) };
    /// The last view of a native record that the thread has got.
    static ABSTRACT: UnsafeCell<MaybeUninit<ompt_record_native_abstract_t>> =
        const { UnsafeCell::new(MaybeUninit::uninit()) };
}

unsafe extern "C" fn get_record_ompt(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut ompt_record_ompt_t {
    // SAFETY: the tool's buffer.
    let slot = unsafe { Slot::at(buffer.cast(), current) };
    let Some(it) = slot.and_then(|slot| slot.target()) else { return ptr::null_mut() };
    let place = RECORD.with(UnsafeCell::get).cast::<ompt_record_ompt_t>();
    // SAFETY: the place is the thread's; a record in it is valid until this call.
    unsafe { place.write(record(it)) };
    place
}

/// A record of the end of a construct, which holds the id of a task and nothing else.
fn record(it: TargetRecord) -> ompt_record_ompt_t {
    ompt_record_ompt_t {
        event: ompt_event_t(it.event as c_int),
        time: it.time,
        thread_id: it.thread,
        // The construct itself is not an activity of the device.
        dev_task_id: ompt_dev_task_none,
        record: ompt_record_arguments_t { task: ompt_record_task_t { task_id: it.task_id } },
    }
}

unsafe extern "C" fn get_record_correlation(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut ompt_record_correlation_t {
    // SAFETY: the tool's buffer.
    let slot = unsafe { Slot::at(buffer.cast(), current) };
    let record = slot.and_then(|slot| slot.correlation());
    record.map_or(ptr::null_mut(), <*mut CorrelationRecord>::cast)
}

unsafe extern "C" fn get_record_native(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut c_void {
    // SAFETY: the tool's buffer.
    let slot = unsafe { Slot::at(buffer.cast(), current) };
    slot.and_then(|slot| slot.native()).map_or(ptr::null_mut(), <*mut NativeRecord>::cast)
}

unsafe extern "C" fn get_record_native_abstract(
    record: *mut c_void,
) -> *mut ompt_record_native_abstract_t {
    // SAFETY: null, or a record that `get_record_native` returned.
    let record = unsafe { record.cast::<NativeRecord>().as_ref() };
    let Some(view) = record.and_then(abstract_2015) else { return ptr::null_mut() };
    let place = ABSTRACT.with(UnsafeCell::get).cast::<ompt_record_native_abstract_t>();
    // SAFETY: the place is the thread's; a view in it is valid until this call.
    unsafe { place.write(view) };
    place
}
