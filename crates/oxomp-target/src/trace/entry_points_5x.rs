//! The functions with which a tool of OpenMP 5 or 6 traces a device.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_int, c_uint, c_void};
use core::mem::{MaybeUninit, transmute};
use core::ptr;

use oxomp_sys::ompt::{
    ompt_advance_buffer_cursor_t, ompt_buffer_cursor_t, ompt_buffer_t,
    ompt_callback_buffer_complete_t, ompt_callback_buffer_request_t, ompt_callbacks_t,
    ompt_device_t, ompt_device_time_t, ompt_flush_trace_t, ompt_get_buffer_limits_t,
    ompt_get_device_num_procs_t, ompt_get_device_time_t, ompt_get_record_abstract_t,
    ompt_get_record_native_t, ompt_get_record_ompt_t, ompt_get_record_type_t, ompt_id_t,
    ompt_interface_fn_t, ompt_pause_trace_t, ompt_record_abstract_t, ompt_record_arguments_t,
    ompt_record_ompt_t, ompt_record_t, ompt_record_target_data_op_t, ompt_record_target_kernel_t,
    ompt_record_target_map_t, ompt_record_target_t, ompt_scope_endpoint_t, ompt_set_result_t,
    ompt_set_trace_native_t, ompt_set_trace_ompt_t, ompt_start_trace_t, ompt_stop_trace_t,
    ompt_target_data_op_t, ompt_target_t, ompt_translate_time_t,
};

use super::callbacks::Callbacks;
use super::entry_points::{functions, stop_trace, translate_time};
use super::handle::tracer;
use super::layout::{Kind, Slot};
use super::native::abstract_5x;
use super::record::{DataOpRecord, KernelRecord, NativeRecord, TargetRecord};

/// The size of buffer that the device recommends: room for some hundreds of records.
const RECOMMENDED_BYTES: usize = 64 << 10;
/// The most buffers that the device uses at once.
const MOST_BUFFERS: c_int = 1;

functions! { entry_point_5x:
    c"ompt_get_device_num_procs" => get_device_num_procs: ompt_get_device_num_procs_t;
    c"ompt_get_device_time" => get_device_time: ompt_get_device_time_t;
    c"ompt_translate_time" => translate_time: ompt_translate_time_t;
    c"ompt_set_trace_ompt" => set_trace_ompt: ompt_set_trace_ompt_t;
    c"ompt_set_trace_native" => set_trace_native: ompt_set_trace_native_t;
    c"ompt_get_buffer_limits" => get_buffer_limits: ompt_get_buffer_limits_t;
    c"ompt_start_trace" => start_trace: ompt_start_trace_t;
    c"ompt_pause_trace" => pause_trace: ompt_pause_trace_t;
    c"ompt_flush_trace" => flush_trace: ompt_flush_trace_t;
    c"ompt_stop_trace" => stop_trace: ompt_stop_trace_t;
    c"ompt_advance_buffer_cursor" => advance_buffer_cursor: ompt_advance_buffer_cursor_t;
    c"ompt_get_record_type" => get_record_type: ompt_get_record_type_t;
    c"ompt_get_record_ompt" => get_record_ompt: ompt_get_record_ompt_t;
    c"ompt_get_record_native" => get_record_native: ompt_get_record_native_t;
    c"ompt_get_record_abstract" => get_record_abstract: ompt_get_record_abstract_t;
}

unsafe extern "C" fn get_device_num_procs(device: *mut ompt_device_t) -> c_int {
    tracer(device).map_or(0, |it| it.device().processors() as c_int)
}

unsafe extern "C" fn get_device_time(device: *mut ompt_device_t) -> ompt_device_time_t {
    tracer(device).map_or(0, |it| it.device().time())
}

unsafe extern "C" fn set_trace_ompt(
    device: *mut ompt_device_t,
    enable: c_uint,
    event: c_uint,
) -> ompt_set_result_t {
    let Some(tracer) = tracer(device) else { return ompt_set_result_t::ERROR };
    tracer.select(|selection| selection.set_5x(enable != 0, event))
}

unsafe extern "C" fn set_trace_native(
    device: *mut ompt_device_t,
    enable: c_int,
    flags: c_int,
) -> ompt_set_result_t {
    let Some(tracer) = tracer(device) else { return ompt_set_result_t::ERROR };
    tracer.select(|selection| selection.set_native_5x(enable != 0, flags as c_uint))
}

unsafe extern "C" fn get_buffer_limits(
    device: *mut ompt_device_t,
    most_buffers: *mut c_int,
    recommended_bytes: *mut usize,
) {
    if tracer(device).is_none() {
        return;
    }
    // SAFETY: null, or places of the tool.
    unsafe {
        if let Some(place) = most_buffers.as_mut() {
            *place = MOST_BUFFERS;
        }
        if let Some(place) = recommended_bytes.as_mut() {
            *place = RECOMMENDED_BYTES;
        }
    }
}

unsafe extern "C" fn start_trace(
    device: *mut ompt_device_t,
    request: Option<ompt_callback_buffer_request_t>,
    complete: Option<ompt_callback_buffer_complete_t>,
) -> c_int {
    let (Some(tracer), Some(request), Some(complete)) = (tracer(device), request, complete) else {
        return 0;
    };
    tracer.start(Callbacks::Openmp5 { request, complete }).into()
}

unsafe extern "C" fn pause_trace(device: *mut ompt_device_t, begin_pause: c_int) -> c_int {
    tracer(device).is_some_and(|it| it.pause(begin_pause != 0)).into()
}

unsafe extern "C" fn flush_trace(device: *mut ompt_device_t) -> c_int {
    tracer(device).is_some_and(|it| it.flush()).into()
}

unsafe extern "C" fn advance_buffer_cursor(
    _device: *mut ompt_device_t,
    buffer: *mut ompt_buffer_t,
    size: usize,
    current: ompt_buffer_cursor_t,
    next: *mut ompt_buffer_cursor_t,
) -> c_int {
    if next.is_null() || usize::try_from(current).map_or(true, |current| current >= size) {
        return 0;
    }
    // SAFETY: the tool's buffer.
    let Some(cursor) = (unsafe { Slot::at(buffer.cast(), current) }).and_then(|it| it.next) else {
        return 0;
    };
    // SAFETY: a place of the tool, not null.
    unsafe { *next = cursor };
    1
}

unsafe extern "C" fn get_record_type(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> ompt_record_t {
    // SAFETY: the tool's buffer.
    match unsafe { Slot::at(buffer.cast(), current) }.map(|slot| slot.kind) {
        Some(Kind::Target | Kind::DataOp | Kind::Kernel | Kind::Map) => ompt_record_t::OMPT,
        Some(Kind::Native) => ompt_record_t::NATIVE,
        Some(Kind::Correlation) | None => ompt_record_t::INVALID,
    }
}

thread_local! {
    /// The last record that the thread has got.
    static RECORD: UnsafeCell<MaybeUninit<ompt_record_ompt_t>> =
        const { UnsafeCell::new(MaybeUninit::uninit()) };
    /// The last view of a native record that the thread has got.
    static ABSTRACT: UnsafeCell<MaybeUninit<ompt_record_abstract_t>> =
        const { UnsafeCell::new(MaybeUninit::uninit()) };
}

unsafe extern "C" fn get_record_ompt(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> *mut ompt_record_ompt_t {
    // SAFETY: the tool's buffer.
    let slot = unsafe { Slot::at(buffer.cast(), current) };
    let Some(record) = slot.and_then(|slot| decode(&slot)) else { return ptr::null_mut() };
    let place = RECORD.with(UnsafeCell::get).cast::<ompt_record_ompt_t>();
    // SAFETY: the place is the thread's; a record in it is valid until this call.
    unsafe { place.write(record) };
    place
}

unsafe extern "C" fn get_record_native(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
    host_op_id: *mut ompt_id_t,
) -> *mut c_void {
    // SAFETY: the tool's buffer.
    let slot = unsafe { Slot::at(buffer.cast(), current) };
    let Some(record) = slot.and_then(|slot| slot.native()) else { return ptr::null_mut() };
    if !host_op_id.is_null() {
        // SAFETY: a place of the tool, and a record in its buffer.
        unsafe { *host_op_id = (*record).host_op_id };
    }
    record.cast()
}

unsafe extern "C" fn get_record_abstract(record: *mut c_void) -> *mut ompt_record_abstract_t {
    // SAFETY: null, or a record that `get_record_native` returned.
    let record = unsafe { record.cast::<NativeRecord>().as_ref() };
    let Some(view) = record.and_then(abstract_5x) else { return ptr::null_mut() };
    let place = ABSTRACT.with(UnsafeCell::get).cast::<ompt_record_abstract_t>();
    // SAFETY: the place is the thread's; a view in it is valid until this call.
    unsafe { place.write(view) };
    place
}

/// The record as tools get it; `None` if it is native.
fn decode(slot: &Slot) -> Option<ompt_record_ompt_t> {
    match slot.kind {
        Kind::Target => slot.target().map(target),
        Kind::DataOp => slot.data_op().map(data_op),
        Kind::Kernel => slot.kernel().map(kernel),
        Kind::Map => map(slot),
        Kind::Native | Kind::Correlation => None,
    }
}

fn target(it: TargetRecord) -> ompt_record_ompt_t {
    let target = ompt_record_target_t {
        kind: ompt_target_t(it.kind),
        endpoint: ompt_scope_endpoint_t(it.endpoint),
        device_num: it.device,
        task_id: it.task_id,
        target_id: it.target_id,
        codeptr_ra: ptr::with_exposed_provenance(it.code),
    };
    let arguments = ompt_record_arguments_t { target };
    record(it.event, it.time, it.thread, it.target_id, arguments)
}

fn data_op(it: DataOpRecord) -> ompt_record_ompt_t {
    let target_data_op = ompt_record_target_data_op_t {
        host_op_id: it.host_op_id,
        optype: ompt_target_data_op_t(it.kind),
        src_addr: ptr::with_exposed_provenance_mut(it.from),
        src_device_num: it.from_device,
        dest_addr: ptr::with_exposed_provenance_mut(it.to),
        dest_device_num: it.to_device,
        bytes: it.bytes,
        end_time: it.end,
        codeptr_ra: ptr::with_exposed_provenance(it.code),
    };
    let arguments = ompt_record_arguments_t { target_data_op };
    record(it.event, it.time, it.thread, it.target_id, arguments)
}

fn kernel(it: KernelRecord) -> ompt_record_ompt_t {
    let target_kernel = ompt_record_target_kernel_t {
        host_op_id: it.host_op_id,
        requested_num_teams: it.requested_teams,
        granted_num_teams: it.granted_teams,
        end_time: it.end,
    };
    let arguments = ompt_record_arguments_t { target_kernel };
    record(it.event, it.time, it.thread, it.target_id, arguments)
}

fn map(slot: &Slot) -> Option<ompt_record_ompt_t> {
    let (it, [host, device, bytes], flags) = slot.map()?;
    let target_map = ompt_record_target_map_t {
        target_id: it.target_id,
        nitems: it.items,
        host_addr: host.cast(),
        device_addr: device.cast(),
        bytes: bytes.cast(),
        mapping_flags: flags,
        codeptr_ra: ptr::with_exposed_provenance(it.code),
    };
    let arguments = ompt_record_arguments_t { target_map };
    Some(record(it.event, it.time, it.thread, it.target_id, arguments))
}

fn record(
    event: u32,
    time: u64,
    thread: u64,
    target_id: ompt_id_t,
    arguments: ompt_record_arguments_t,
) -> ompt_record_ompt_t {
    let event = ompt_callbacks_t(event as c_int);
    ompt_record_ompt_t { event, time, thread_id: thread, target_id, record: arguments }
}
