//! A device of the tests' own, which makes the records that a test tells it to (OpenMP 5.0 to 6.0).

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::mem::transmute;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::Mutex;

use ompt::Event;
use oxomp_sys::ompt::{
    ompt_buffer_cursor_t, ompt_buffer_t, ompt_callback_buffer_complete_t,
    ompt_callback_buffer_request_t, ompt_callback_device_finalize_t,
    ompt_callback_device_initialize_t, ompt_device_t, ompt_id_t, ompt_interface_fn_t,
    ompt_record_abstract_t, ompt_record_ompt_t, ompt_record_t, ompt_set_result_t,
};

use super::callback;
use super::engine::{self, Full, Made};

/// The device's handle, for the tool a number without meaning.
const HANDLE: usize = 0x1110;

/// What a look-up knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Knows {
    /// The device has no look-up.
    NoLookUp,
    /// No name.
    Nothing,
    /// All but the entry point of this name.
    AllBut(&'static CStr),
    /// Every name.
    Everything,
}

/// The device.
pub(crate) struct Fake {
    /// What its look-up knows.
    pub(crate) knows: Knows,
    /// Whether a buffer that is handed over becomes the tool's.
    pub(crate) owned: bool,
    /// The least and the recommended size of a buffer.
    pub(crate) limits: (usize, usize),
    /// What the tool has called.
    pub(crate) calls: Vec<String>,
    /// A function that the device calls while it flushes.
    pub(crate) in_flush: Option<fn()>,
    made: Vec<Made>,
    trace: Option<(ompt_callback_buffer_request_t, ompt_callback_buffer_complete_t)>,
}

pub(crate) static DEVICE: Mutex<Fake> = Mutex::new(Fake {
    knows: Knows::Everything,
    owned: true,
    limits: (0, 4096),
    calls: Vec::new(),
    in_flush: None,
    made: Vec::new(),
    trace: None,
});

/// The buffers that were handed over without being given back.
static KEPT: Mutex<Vec<Full>> = Mutex::new(Vec::new());

pub(crate) const NUMBER: c_int = 7;

/// The device begins.
pub(crate) fn initialize() {
    let knows = DEVICE.lock().unwrap().knows;
    // SAFETY: the event's signature, and what a runtime passes.
    unsafe {
        let initialize =
            callback::<ompt_callback_device_initialize_t>(Event::DEVICE_INITIALIZE).expect("set");
        initialize(
            NUMBER,
            c"maker;model".as_ptr(),
            without_provenance_mut(HANDLE),
            (knows != Knows::NoLookUp).then_some(lookup as _),
            c"how to trace".as_ptr(),
        );
    }
}

/// The device ends.
pub(crate) fn finalize() {
    // SAFETY: the event's signature.
    unsafe {
        callback::<ompt_callback_device_finalize_t>(Event::DEVICE_FINALIZE).expect("set")(NUMBER);
    }
}

/// The device makes a record, if its trace runs.
pub(crate) fn make(made: Made) {
    let mut device = DEVICE.lock().unwrap();
    if device.trace.is_some() {
        device.made.push(made);
    }
}

/// Forgets the trace, and the records that it has made.
pub(crate) fn reset() {
    let mut device = DEVICE.lock().unwrap();
    device.trace = None;
    device.made.clear();
}

/// The tool's calls since the last time.
pub(crate) fn take_calls() -> Vec<String> {
    std::mem::take(&mut DEVICE.lock().unwrap().calls)
}

/// Hands a buffer over that was kept, and gives it back.
pub(crate) fn give_back_kept() {
    let kept = std::mem::take(&mut *KEPT.lock().unwrap());
    let (_, complete) = DEVICE.lock().unwrap().trace.expect("a trace");
    for full in kept {
        // SAFETY: a buffer of the tool's with complete records.
        unsafe { complete(NUMBER, full.buffer.cast(), full.bytes, full.begin, 1) };
    }
}

/// Hands over a buffer that the tool never gave.
pub(crate) fn hand_over_alien() {
    let (_, complete) = DEVICE.lock().unwrap().trace.expect("a trace");
    let mut alien = [0u64; 64];
    // SAFETY: a buffer of the test's own, without a record.
    unsafe { complete(NUMBER, alien.as_mut_ptr().cast(), 512, 8, 1) };
}

/// Hands all records over; false if the tool refuses a buffer.
pub(crate) fn hand_over() -> bool {
    let (made, trace, owned, limits) = {
        let mut device = DEVICE.lock().unwrap();
        (std::mem::take(&mut device.made), device.trace, device.owned, device.limits)
    };
    let Some((request, complete)) = trace else { return true };
    let ask = || {
        let (mut buffer, mut bytes) = (null_mut(), limits.0);
        IS_REQUESTING.set(true);
        // SAFETY: the tool's function, with variables of ours.
        unsafe { request(NUMBER, &mut buffer, &mut bytes) };
        IS_REQUESTING.set(false);
        (buffer.cast::<u8>(), bytes)
    };
    // SAFETY: the tool gives memory.
    unsafe {
        engine::hand_over(&made, ask, |full| {
            if !owned {
                KEPT.lock().unwrap().push(full);
            }
            let Full { buffer, bytes, begin, .. } = full;
            complete(NUMBER, buffer.cast(), bytes, begin, c_int::from(owned));
        })
    }
}

thread_local! {
    /// Whether the device asks the tool for a buffer, perhaps with a lock of its own.
    static IS_REQUESTING: Cell<bool> = const { Cell::new(false) };
}

fn called(device: *mut ompt_device_t, text: String) {
    assert_eq!(device.addr(), HANDLE);
    assert!(!IS_REQUESTING.get(), "{text}: the tool calls back");
    DEVICE.lock().unwrap().calls.push(text);
}

unsafe extern "C" fn get_device_num_procs(device: *mut ompt_device_t) -> c_int {
    called(device, "num_procs".into());
    48
}

unsafe extern "C" fn get_device_time(device: *mut ompt_device_t) -> u64 {
    called(device, "time".into());
    1000
}

unsafe extern "C" fn translate_time(device: *mut ompt_device_t, time: u64) -> f64 {
    called(device, format!("translate {time}"));
    time as f64 / 1000.0
}

unsafe extern "C" fn set_trace_ompt(
    device: *mut ompt_device_t,
    enable: c_uint,
    etype: c_uint,
) -> ompt_set_result_t {
    called(device, format!("ompt {enable} {etype}"));
    match etype {
        12 => ompt_set_result_t::IMPOSSIBLE,
        20 => ompt_set_result_t::SOMETIMES,
        _ => ompt_set_result_t::ALWAYS,
    }
}

unsafe extern "C" fn set_trace_native(
    device: *mut ompt_device_t,
    enable: c_int,
    flags: c_int,
) -> ompt_set_result_t {
    called(device, format!("native {enable} {flags}"));
    ompt_set_result_t::SOMETIMES
}

unsafe extern "C" fn get_buffer_limits(
    device: *mut ompt_device_t,
    most: *mut c_int,
    recommended: *mut usize,
) {
    assert_eq!((device.addr(), IS_REQUESTING.get()), (HANDLE, false));
    // SAFETY: the SDK passes variables.
    unsafe { (*most, *recommended) = (3, DEVICE.lock().unwrap().limits.1) };
}

unsafe extern "C" fn start_trace(
    device: *mut ompt_device_t,
    request: Option<ompt_callback_buffer_request_t>,
    complete: Option<ompt_callback_buffer_complete_t>,
) -> c_int {
    called(device, "start".into());
    let mut device = DEVICE.lock().unwrap();
    if device.trace.is_some() {
        return 0;
    }
    device.trace = request.zip(complete);
    1
}

unsafe extern "C" fn pause_trace(device: *mut ompt_device_t, begin: c_int) -> c_int {
    called(device, format!("pause {begin}"));
    c_int::from(DEVICE.lock().unwrap().trace.is_some())
}

unsafe extern "C" fn flush_trace(device: *mut ompt_device_t) -> c_int {
    called(device, "flush".into());
    let act = DEVICE.lock().unwrap().in_flush.take();
    if let Some(act) = act {
        act();
    }
    if DEVICE.lock().unwrap().trace.is_none() {
        return 0;
    }
    if !hand_over() {
        // Refused a buffer, a device records nothing until the next start.
        DEVICE.lock().unwrap().trace = None;
    }
    1
}

unsafe extern "C" fn stop_trace(device: *mut ompt_device_t) -> c_int {
    called(device, "stop".into());
    let was_on = DEVICE.lock().unwrap().trace.is_some();
    hand_over();
    DEVICE.lock().unwrap().trace = None;
    c_int::from(was_on)
}

unsafe extern "C" fn advance_buffer_cursor(
    device: *mut ompt_device_t,
    buffer: *mut ompt_buffer_t,
    _size: usize,
    current: ompt_buffer_cursor_t,
    next: *mut ompt_buffer_cursor_t,
) -> c_int {
    assert_eq!(device.addr(), HANDLE);
    // SAFETY: a buffer that `hand_over` has filled, and a variable of the SDK's.
    unsafe {
        let after = engine::after(buffer.cast(), current);
        match after.filter(|after| engine::format(buffer.cast(), *after).is_some()) {
            Some(after) => {
                *next = after;
                1
            }
            None => 0,
        }
    }
}

unsafe extern "C" fn get_record_type(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> ompt_record_t {
    // SAFETY: as above.
    unsafe { engine::format(buffer.cast(), current) }.map_or(ompt_record_t::INVALID, ompt_record_t)
}

unsafe extern "C" fn get_record_ompt(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
) -> *mut ompt_record_ompt_t {
    // SAFETY: as above.
    unsafe { engine::record(buffer.cast(), current) }.1.cast()
}

unsafe extern "C" fn get_record_native(
    buffer: *mut ompt_buffer_t,
    current: ompt_buffer_cursor_t,
    host_op_id: *mut ompt_id_t,
) -> *mut c_void {
    // SAFETY: as above.
    unsafe {
        let (operation, record) = engine::record(buffer.cast(), current);
        *host_op_id = operation;
        record.cast()
    }
}

unsafe extern "C" fn get_record_abstract(record: *mut c_void) -> *mut ompt_record_abstract_t {
    // A native record of this device is the view itself.
    record.cast()
}

/// A function of the maker's own.
unsafe extern "C" fn fake_set_fan(device: *mut ompt_device_t, speed: c_int) -> c_int {
    called(device, format!("fan {speed}"));
    speed / 2
}

unsafe extern "C" fn lookup(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the SDK passes a string.
    let name = unsafe { CStr::from_ptr(name) };
    match DEVICE.lock().unwrap().knows {
        Knows::NoLookUp | Knows::Nothing => return None,
        Knows::AllBut(other) if other == name => return None,
        _ => (),
    }
    let function = match name.to_str().unwrap() {
        "ompt_get_device_num_procs" => get_device_num_procs as *const c_void,
        "ompt_get_device_time" => get_device_time as *const c_void,
        "ompt_translate_time" => translate_time as *const c_void,
        "ompt_set_trace_ompt" => set_trace_ompt as *const c_void,
        "ompt_set_trace_native" => set_trace_native as *const c_void,
        "ompt_get_buffer_limits" => get_buffer_limits as *const c_void,
        "ompt_start_trace" => start_trace as *const c_void,
        "ompt_pause_trace" => pause_trace as *const c_void,
        "ompt_flush_trace" => flush_trace as *const c_void,
        "ompt_stop_trace" => stop_trace as *const c_void,
        "ompt_advance_buffer_cursor" => advance_buffer_cursor as *const c_void,
        "ompt_get_record_type" => get_record_type as *const c_void,
        "ompt_get_record_ompt" => get_record_ompt as *const c_void,
        "ompt_get_record_native" => get_record_native as *const c_void,
        "ompt_get_record_abstract" => get_record_abstract as *const c_void,
        "fake_set_fan" => fake_set_fan as *const c_void,
        _ => return None,
    };
    // SAFETY: the SDK calls a function by the signature that belongs to its name.
    Some(unsafe { transmute::<*const c_void, ompt_interface_fn_t>(function) })
}
