//! The handle of a device, and its questions.

use core::ffi::{CStr, c_void};
use core::fmt;

use oxomp_sys::report_2015::{
    ompt_function_lookup_t, ompt_target_advance_buffer_cursor_t,
    ompt_target_buffer_complete_callback_t, ompt_target_buffer_get_record_correlation_t,
    ompt_target_buffer_get_record_native_abstract_t, ompt_target_buffer_get_record_native_t,
    ompt_target_buffer_get_record_ompt_t, ompt_target_buffer_get_record_type_t,
    ompt_target_buffer_request_callback_t, ompt_target_device_t, ompt_target_get_time_t,
    ompt_target_pause_trace_t, ompt_target_set_trace_native_t, ompt_target_set_trace_ompt_t,
    ompt_target_start_trace_t, ompt_target_stop_trace_t, ompt_target_translate_time_t,
};

use super::{DeviceTime, TraceStatus};
use crate::device::functions::functions;
use crate::device::handle::DeviceState;
use crate::report_2015::gate::Gate;

functions! {
    request: ompt_target_buffer_request_callback_t,
    complete: ompt_target_buffer_complete_callback_t;
    get_time, c"ompt_target_get_time", ompt_target_get_time_t;
    translate_time, c"ompt_target_translate_time", ompt_target_translate_time_t;
    set_trace_ompt, c"ompt_target_set_trace_ompt", ompt_target_set_trace_ompt_t;
    set_trace_native, c"ompt_target_set_trace_native", ompt_target_set_trace_native_t;
    start_trace, c"ompt_target_start_trace", ompt_target_start_trace_t;
    pause_trace, c"ompt_target_pause_trace", ompt_target_pause_trace_t;
    stop_trace, c"ompt_target_stop_trace", ompt_target_stop_trace_t;
    advance_buffer_cursor, c"ompt_target_advance_buffer_cursor",
        ompt_target_advance_buffer_cursor_t;
    get_record_type, c"ompt_target_buffer_get_record_type", ompt_target_buffer_get_record_type_t;
    get_record_ompt, c"ompt_target_buffer_get_record_ompt", ompt_target_buffer_get_record_ompt_t;
    get_record_correlation, c"ompt_target_buffer_get_record_correlation",
        ompt_target_buffer_get_record_correlation_t;
    get_record_native, c"ompt_target_buffer_get_record_native",
        ompt_target_buffer_get_record_native_t;
    get_record_native_abstract, c"ompt_target_buffer_get_record_native_abstract",
        ompt_target_buffer_get_record_native_abstract_t;
}

/// A device of the tool's list.
pub(crate) type State = DeviceState<Functions>;

/// A device, until [`Tool::runtime_shutdown`](crate::report_2015::Tool::runtime_shutdown) has
/// returned.
///
/// A tool may keep the handle, copy it, and use it on any thread; see [`trace`](super) for what is
/// open to which thread. After the shutdown, questions have no answer and all else is
/// [`TraceError::Ended`](super::TraceError::Ended).
#[derive(Clone, Copy)]
pub struct Device {
    pub(super) gate: &'static Gate,
    pub(super) state: &'static State,
    kind: &'static CStr,
}

impl Device {
    /// The device with this number.
    ///
    /// # Safety
    /// The arguments are the answer of `ompt_target_get_device_info`.
    pub(in crate::report_2015) unsafe fn of(
        gate: &'static Gate,
        number: i32,
        kind: &'static CStr,
        raw: *mut ompt_target_device_t,
        lookup: Option<ompt_function_lookup_t>,
    ) -> Self {
        let state = Self::find(gate, number, raw).unwrap_or_else(|| {
            // SAFETY: as the caller promises.
            let functions = unsafe { Functions::look_up(lookup, gate.buffers()) };
            let new = gate.devices().push(State::new(number, raw, functions));
            // Of two threads that ask at once, both get the device of the first.
            Self::find(gate, number, raw).unwrap_or(new)
        });
        Self { gate, state, kind }
    }

    /// The oldest state of a device of this start of the tool.
    fn find(gate: &Gate, number: i32, raw: *mut ompt_target_device_t) -> Option<&'static State> {
        let is_it = |state: &&State| {
            state.number == number
                && state.raw() == raw
                && state.calls.is_open()
                && state.calls.is_of_this_process()
        };
        gate.devices().iter().filter(is_it).last()
    }

    /// The device of which a runtime speaks in a buffer's callback.
    pub(super) fn with_number(gate: &'static Gate, number: i32) -> Option<Self> {
        let states = || gate.devices().iter().filter(|state| state.number == number);
        // Those of former starts are closed; of those of this start, the oldest one counts.
        let is_alive = |state: &&State| state.calls.is_open() && state.calls.is_of_this_process();
        let state = states().filter(is_alive).last().or_else(|| states().next())?;
        Some(Self { gate, state, kind: c"" })
    }

    /// The device's number.
    pub fn number(&self) -> i32 {
        self.state.number
    }

    /// The kind of device, in the words of the runtime; empty for the device of
    /// [`Records::device`](super::Records::device).
    pub fn kind(&self) -> &'static CStr {
        self.kind
    }

    /// Whether the handle can still be used.
    pub fn is_ready(&self) -> bool {
        self.gate.is_open() && self.state.calls.is_open()
    }

    /// Whether a trace can be started and read: the device has the entry points that it takes.
    pub fn can_trace(&self) -> bool {
        let functions = &self.state.functions;
        functions.start_trace.is_some()
            && functions.stop_trace.is_some()
            && functions.advance_buffer_cursor.is_some()
            && functions.get_record_type.is_some()
    }

    /// The names of the entry points that the device does not have: all of them if it has no
    /// tracing interface.
    pub fn missing(&self) -> impl Iterator<Item = &'static CStr> {
        self.state.functions.missing()
    }

    /// Calls an entry point that asks the device.
    fn ask<E, R>(&self, function: Option<E>, call: impl FnOnce(E, *mut c_void) -> R) -> Option<R> {
        self.state.ask(self.gate.is_open(), function, call)
    }

    /// The time now, by the device's clock.
    pub fn time(&self) -> Option<DeviceTime> {
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.ask(self.state.functions.get_time, |get, raw| unsafe { get(raw) }).map(DeviceTime)
    }

    /// The host's time at a time of the device, in seconds as `omp_get_wtime` has them.
    pub fn translate_time(&self, time: DeviceTime) -> Option<f64> {
        self.ask(self.state.functions.translate_time, |translate, raw| {
            // SAFETY: the entry point is the device's, which is alive during the call.
            unsafe { translate(raw, time.0) }
        })
    }

    /// The device's function of another name than those that the SDK calls, which the
    /// documentation of the device tells; none if there is none, or the device has ended.
    ///
    /// # Safety
    /// `F` is a function pointer, of the type that the documentation gives the function. The
    /// caller calls the function only while the device lives, and where the documentation allows.
    pub unsafe fn entry_point<F: Copy>(&self, name: &CStr) -> Option<F> {
        // SAFETY: as the caller promises.
        self.ask(Some(()), |(), _| unsafe { self.state.functions.entry_point(name) }).flatten()
    }

    /// The runtime's device, which the functions of [`Device::entry_point`] take.
    pub fn raw(&self) -> *mut c_void {
        self.state.raw()
    }

    /// What has become of the device's buffers; also after the end of the device.
    pub fn trace_status(&self) -> TraceStatus {
        self.state.buffers.status()
    }
}

/// The same device, in one start of the tool.
impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.state, other.state)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("number", &self.number())
            .field("kind", &self.kind)
            .field("is_ready", &self.is_ready())
            .finish_non_exhaustive()
    }
}
