//! A device of the tests' own, which makes the records that a test tells it to (the 2015 report).

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::Mutex;

use ompt::raw::report_2015::c::{
    SetResult, ompt_bool, ompt_event_t, ompt_function_lookup_t, ompt_interface_fn_t,
    ompt_native_mon_flags_t, ompt_record_correlation_t, ompt_record_native_abstract_t,
    ompt_record_ompt_t, ompt_record_type_t, ompt_target_buffer_complete_callback_t,
    ompt_target_buffer_cursor_t, ompt_target_buffer_request_callback_t, ompt_target_buffer_t,
    ompt_target_device_t,
};

use super::engine::{self, Full, Made};

/// The device's handle, for the tool a number without meaning.
const HANDLE: usize = 0x2220;

/// The number of the only device that can be traced; there is another one with a look-up that knows
/// nothing, and one without a look-up.
pub(crate) const NUMBER: c_int = 2;

/// The device.
pub(crate) struct Fake {
    /// What the tool has called.
    pub(crate) calls: Vec<String>,
    made: Vec<Made>,
    trace: Option<(ompt_target_buffer_request_callback_t, ompt_target_buffer_complete_callback_t)>,
}

static DEVICE: Mutex<Fake> = Mutex::new(Fake { calls: Vec::new(), made: Vec::new(), trace: None });

/// The device makes a record, if its trace runs.
pub(crate) fn make(made: Made) {
    let mut device = DEVICE.lock().unwrap();
    if device.trace.is_some() {
        device.made.push(made);
    }
}

/// The tool's calls since the last time.
pub(crate) fn take_calls() -> Vec<String> {
    std::mem::take(&mut DEVICE.lock().unwrap().calls)
}

/// Hands over a buffer without a record: its begin is its end.
pub(crate) fn hand_over_nothing() {
    let (request, complete) = DEVICE.lock().unwrap().trace.expect("a trace");
    let (mut buffer, mut bytes) = (null_mut(), 0);
    // SAFETY: the tool's functions.
    unsafe {
        request(NUMBER, &mut buffer, &mut bytes);
        complete(NUMBER, buffer, bytes, 8, 8);
        // Twice is once too often.
        complete(NUMBER, buffer, bytes, 8, 16);
    }
}

/// Hands all records over; false if the tool refuses a buffer.
pub(crate) fn hand_over() -> bool {
    let (made, trace) = {
        let mut device = DEVICE.lock().unwrap();
        (std::mem::take(&mut device.made), device.trace)
    };
    let Some((request, complete)) = trace else { return true };
    let ask = || {
        let (mut buffer, mut bytes) = (null_mut(), 0);
        // SAFETY: the tool's function, with variables of ours.
        unsafe { request(NUMBER, &mut buffer, &mut bytes) };
        (buffer.cast::<u8>(), bytes)
    };
    // SAFETY: the tool gives memory.
    unsafe {
        engine::hand_over(&made, ask, |full| {
            let Full { buffer, bytes, begin, end } = full;
            complete(NUMBER, buffer.cast_const().cast(), bytes, begin, end);
        })
    }
}

/// `ompt_target_get_device_info` of the runtime.
pub(crate) unsafe extern "C" fn get_device_info(
    number: c_int,
    kind: *mut *const c_char,
    device: *mut *mut ompt_target_device_t,
    look_up: *mut Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) -> c_int {
    if !(0..=NUMBER).contains(&number) {
        return 1;
    }
    // SAFETY: the SDK passes variables.
    unsafe {
        *kind = c"fake kind".as_ptr();
        *device = without_provenance_mut(HANDLE);
        *look_up = match number {
            0 => None,
            1 => Some(knows_nothing),
            _ => Some(lookup),
        };
    }
    0
}

unsafe extern "C" fn knows_nothing(_: *const c_char) -> Option<ompt_interface_fn_t> {
    None
}

fn called(device: *mut ompt_target_device_t, text: String) {
    assert_eq!(device.addr(), HANDLE);
    DEVICE.lock().unwrap().calls.push(text);
}

unsafe extern "C" fn get_time(device: *mut ompt_target_device_t) -> u64 {
    called(device, "time".into());
    1000
}

unsafe extern "C" fn translate_time(device: *mut ompt_target_device_t, time: u64) -> f64 {
    called(device, format!("translate {time}"));
    time as f64 / 1000.0
}

unsafe extern "C" fn set_trace_ompt(
    device: *mut ompt_target_device_t,
    enable: ompt_bool,
    event: ompt_event_t,
) -> SetResult {
    called(device, format!("ompt {enable} {}", event.0));
    match event.0 {
        1 => SetResult::IMPOSSIBLE,
        _ => SetResult::CONVENIENT,
    }
}

unsafe extern "C" fn set_trace_native(
    device: *mut ompt_target_device_t,
    enable: ompt_bool,
    flags: ompt_native_mon_flags_t,
) -> SetResult {
    called(device, format!("native {enable} {}", flags.0));
    SetResult::ALWAYS
}

unsafe extern "C" fn start_trace(
    device: *mut ompt_target_device_t,
    request: Option<ompt_target_buffer_request_callback_t>,
    complete: Option<ompt_target_buffer_complete_callback_t>,
) -> c_int {
    called(device, "start".into());
    let mut device = DEVICE.lock().unwrap();
    if device.trace.is_some() {
        return 0;
    }
    device.trace = request.zip(complete);
    1
}

unsafe extern "C" fn pause_trace(device: *mut ompt_target_device_t, begin: ompt_bool) -> c_int {
    called(device, format!("pause {begin}"));
    1
}

unsafe extern "C" fn stop_trace(device: *mut ompt_target_device_t) -> c_int {
    called(device, "stop".into());
    let was_on = DEVICE.lock().unwrap().trace.is_some();
    hand_over();
    DEVICE.lock().unwrap().trace = None;
    c_int::from(was_on)
}

unsafe extern "C" fn advance_buffer_cursor(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
    next: *mut ompt_target_buffer_cursor_t,
) -> c_int {
    // SAFETY: a buffer that `hand_over` has filled, and a variable of the SDK's.
    unsafe {
        match engine::after(buffer.cast(), current) {
            Some(after) => {
                *next = after;
                0
            }
            None => 1,
        }
    }
}

unsafe extern "C" fn get_record_type(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> ompt_record_type_t {
    // SAFETY: as above.
    unsafe { engine::format(buffer.cast(), current) }
        .map_or(ompt_record_type_t::INVALID, ompt_record_type_t)
}

unsafe extern "C" fn get_record_ompt(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut ompt_record_ompt_t {
    // SAFETY: as above.
    unsafe { engine::record(buffer.cast(), current) }.1.cast()
}

unsafe extern "C" fn get_record_correlation(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut ompt_record_correlation_t {
    // SAFETY: as above.
    unsafe { engine::record(buffer.cast(), current) }.1.cast()
}

unsafe extern "C" fn get_record_native(
    buffer: *mut ompt_target_buffer_t,
    current: ompt_target_buffer_cursor_t,
) -> *mut c_void {
    // SAFETY: as above.
    let (operation, record) = unsafe { engine::record(buffer.cast(), current) };
    // The test marks a record that the device does not show.
    if operation == 1 { null_mut() } else { record.cast() }
}

unsafe extern "C" fn get_record_native_abstract(
    record: *mut c_void,
) -> *mut ompt_record_native_abstract_t {
    // A native record of this device is the view itself.
    record.cast()
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the SDK passes a string.
    let function = match unsafe { CStr::from_ptr(name) }.to_str().unwrap() {
        "ompt_target_get_time" => get_time as *const c_void,
        "ompt_target_translate_time" => translate_time as *const c_void,
        "ompt_target_set_trace_ompt" => set_trace_ompt as *const c_void,
        "ompt_target_set_trace_native" => set_trace_native as *const c_void,
        "ompt_target_start_trace" => start_trace as *const c_void,
        "ompt_target_pause_trace" => pause_trace as *const c_void,
        "ompt_target_stop_trace" => stop_trace as *const c_void,
        "ompt_target_advance_buffer_cursor" => advance_buffer_cursor as *const c_void,
        "ompt_target_buffer_get_record_type" => get_record_type as *const c_void,
        "ompt_target_buffer_get_record_ompt" => get_record_ompt as *const c_void,
        "ompt_target_buffer_get_record_correlation" => get_record_correlation as *const c_void,
        "ompt_target_buffer_get_record_native" => get_record_native as *const c_void,
        "ompt_target_buffer_get_record_native_abstract" => {
            get_record_native_abstract as *const c_void
        }
        _ => return None,
    };
    // SAFETY: the SDK calls a function by the signature that belongs to its name.
    Some(unsafe { transmute::<*const c_void, ompt_interface_fn_t>(function) })
}
