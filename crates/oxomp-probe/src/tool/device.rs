//! The devices that the runtime told the tool of, and a trace of one.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute_copy;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use oxomp_sys::ompt::{
    ompt_advance_buffer_cursor_t, ompt_buffer_cursor_t, ompt_buffer_t, ompt_callbacks_t,
    ompt_device_t, ompt_function_lookup_t, ompt_get_record_ompt_t, ompt_get_record_type_t,
    ompt_record_t, ompt_set_result_t, ompt_set_trace_ompt_t, ompt_start_trace_t, ompt_stop_trace_t,
};

use crate::verdict::{Fault, Verdict, demand, missing, wrong};

/// The names that the look-up of a device knows, in every version that has traces.
const NAMES: [&CStr; 14] = [
    c"ompt_get_device_num_procs",
    c"ompt_get_device_time",
    c"ompt_translate_time",
    c"ompt_set_trace_ompt",
    c"ompt_set_trace_native",
    c"ompt_start_trace",
    c"ompt_pause_trace",
    c"ompt_flush_trace",
    c"ompt_stop_trace",
    c"ompt_advance_buffer_cursor",
    c"ompt_get_record_type",
    c"ompt_get_record_ompt",
    c"ompt_get_record_native",
    c"ompt_get_record_abstract",
];

const BUFFER_BYTES: usize = 1 << 16;

/// What `ompt_callback_device_initialize` brought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    number: c_int,
    handle: *mut ompt_device_t,
    lookup: Option<ompt_function_lookup_t>,
}

// SAFETY: the handle is an opaque word, which any thread may pass to the runtime.
unsafe impl Send for Device {}

/// The record of a transfer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    pub(crate) device: c_int,
    pub(crate) bytes: usize,
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// The functions that read a buffer, and the device for which they were looked up.
#[derive(Debug)]
struct Reader {
    device: Device,
    kind: ompt_get_record_type_t,
    record: ompt_get_record_ompt_t,
    advance: ompt_advance_buffer_cursor_t,
}

// SAFETY: functions, and an opaque word.
unsafe impl Sync for Reader {}

static MET: Mutex<Vec<Device>> = Mutex::new(Vec::new());
static READER: OnceLock<Reader> = OnceLock::new();
static TRANSFERS: Mutex<Vec<Transfer>> = Mutex::new(Vec::new());

fn lock<T>(list: &'static Mutex<Vec<T>>) -> MutexGuard<'static, Vec<T>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `ompt_callback_device_initialize`.
pub(super) unsafe extern "C" fn initialize(
    number: c_int,
    _kind: *const c_char,
    handle: *mut ompt_device_t,
    lookup: Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) {
    lock(&MET).push(Device { number, handle, lookup });
}

/// The device of that number; a fault if the tool was not told of it.
pub(crate) fn met(number: c_int) -> Result<Device, Fault> {
    let device = lock(&MET).iter().find(|device| device.number == number).copied();
    device.map_or_else(|| missing(format!("no device_initialize for device {number}")), Ok)
}

/// The transfers that the trace has recorded.
pub(crate) fn transfers() -> Vec<Transfer> {
    lock(&TRANSFERS).clone()
}

impl Device {
    fn find(&self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the name is a C string, and the device is not finalized.
        self.lookup.and_then(|lookup| unsafe { lookup(name.as_ptr()) }).map(|it| it as *mut c_void)
    }

    /// A function of the device.
    ///
    /// # Safety
    ///
    /// `F` is the type of pointers to the function of that name.
    unsafe fn function<F: Copy>(&self, name: &CStr) -> Result<F, Fault> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        match self.find(name) {
            // SAFETY: function pointers have a pointer's size; the caller vouches for the type.
            Some(function) => Ok(unsafe { transmute_copy(&function) }),
            None => missing(format!("the device has no {}", name.to_string_lossy())),
        }
    }

    /// A fault unless the look-up has every function.
    pub(crate) fn require_functions(&self) -> Verdict {
        if self.lookup.is_none() {
            return missing("device_initialize brings no look-up: the device cannot be traced");
        }
        let lacking: Vec<_> = NAMES
            .iter()
            .filter(|name| self.find(name).is_none())
            .map(|name| name.to_string_lossy())
            .collect();
        if lacking.len() == NAMES.len() {
            return missing("the device's look-up knows none of the functions of traces");
        }
        if lacking.is_empty() { Ok(()) } else { missing(format!("no {}", lacking.join(", "))) }
    }

    /// Traces the device while `body` runs: everything that has standard records.
    pub(crate) fn traced(self, body: impl FnOnce() -> Verdict) -> Verdict {
        self.require_functions()?;
        // SAFETY: the types of the functions of these names.
        let (set, start, stop, reader) = unsafe {
            let reader = Reader {
                device: self,
                kind: self.function(c"ompt_get_record_type")?,
                record: self.function(c"ompt_get_record_ompt")?,
                advance: self.function(c"ompt_advance_buffer_cursor")?,
            };
            let set: ompt_set_trace_ompt_t = self.function(c"ompt_set_trace_ompt")?;
            let start: ompt_start_trace_t = self.function(c"ompt_start_trace")?;
            let stop: ompt_stop_trace_t = self.function(c"ompt_stop_trace")?;
            (set, start, stop, reader)
        };
        READER.set(reader).ok();
        // SAFETY: the device is there; 0 asks for all events.
        let answer = unsafe { set(self.handle, 1, 0) };
        if answer.0 < ompt_set_result_t::SOMETIMES.0 {
            return missing(format!("ompt_set_trace_ompt of all events gives {}", answer.0));
        }
        // SAFETY: the callbacks have the types of the interface, and are there for good.
        let started = unsafe { start(self.handle, Some(request), Some(complete)) };
        demand(started == 1, || format!("ompt_start_trace gives {started}, not 1"))?;
        body()?;
        // SAFETY: the device is there.
        match unsafe { stop(self.handle) } {
            1 => Ok(()),
            other => wrong(format!("ompt_stop_trace gives {other}, not 1")),
        }
    }
}

unsafe extern "C" fn request(_device: c_int, buffer: *mut *mut ompt_buffer_t, bytes: *mut usize) {
    // SAFETY: the runtime passes places for both.
    unsafe {
        *buffer = libc::malloc(BUFFER_BYTES);
        *bytes = if (*buffer).is_null() { 0 } else { BUFFER_BYTES };
    }
}

unsafe extern "C" fn complete(
    _device: c_int,
    buffer: *mut ompt_buffer_t,
    bytes: usize,
    begin: ompt_buffer_cursor_t,
    is_owned: c_int,
) {
    let Some(reader) = READER.get() else { return };
    let mut cursor = begin;
    loop {
        // SAFETY: the runtime gave the cursor for the buffer.
        match unsafe { (reader.kind)(buffer, cursor) } {
            ompt_record_t::OMPT => reader.keep(buffer, cursor),
            ompt_record_t::INVALID => break,
            _ => {}
        }
        let mut next = cursor;
        // SAFETY: the runtime gave the cursor for the buffer; `next` is writable.
        if unsafe { (reader.advance)(reader.device.handle, buffer, bytes, cursor, &raw mut next) }
            == 0
        {
            break;
        }
        cursor = next;
    }
    if is_owned == 1 {
        // SAFETY: the buffer is of `request`, and the runtime has given it back.
        unsafe { libc::free(buffer) };
    }
}

impl Reader {
    fn keep(&self, buffer: *mut ompt_buffer_t, cursor: ompt_buffer_cursor_t) {
        // SAFETY: the cursor denotes a record in the standard format; null is passed over.
        let Some(record) = (unsafe { (self.record)(buffer, cursor).as_ref() }) else { return };
        let of_transfers = [ompt_callbacks_t::TARGET_DATA_OP, ompt_callbacks_t::TARGET_DATA_OP_EMI];
        if of_transfers.contains(&record.event) {
            // SAFETY: the event says which field of the union is set.
            let arguments = unsafe { record.record.target_data_op };
            lock(&TRANSFERS).push(Transfer {
                device: arguments.dest_device_num,
                bytes: arguments.bytes,
                begin: record.time,
                end: arguments.end_time,
            });
        }
    }
}
