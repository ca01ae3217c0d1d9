//! The handle of a device, and its questions.

use core::ffi::{CStr, c_int, c_void};
use core::fmt;

use oxomp_sys::ompt::{
    ompt_advance_buffer_cursor_t, ompt_callback_buffer_complete_t, ompt_callback_buffer_request_t,
    ompt_device_t, ompt_flush_trace_t, ompt_function_lookup_t, ompt_get_buffer_limits_t,
    ompt_get_device_num_procs_t, ompt_get_device_time_t, ompt_get_record_abstract_t,
    ompt_get_record_native_t, ompt_get_record_ompt_t, ompt_get_record_type_t, ompt_pause_trace_t,
    ompt_set_trace_native_t, ompt_set_trace_ompt_t, ompt_start_trace_t, ompt_stop_trace_t,
    ompt_translate_time_t,
};

use super::{BufferLimits, DeviceTime, TraceStatus};
use crate::device::functions::functions;
use crate::device::handle::DeviceState;
use crate::gate::Gate;

functions! {
    request: ompt_callback_buffer_request_t, complete: ompt_callback_buffer_complete_t;
    get_device_num_procs, c"ompt_get_device_num_procs", ompt_get_device_num_procs_t;
    get_device_time, c"ompt_get_device_time", ompt_get_device_time_t;
    translate_time, c"ompt_translate_time", ompt_translate_time_t;
    set_trace_ompt, c"ompt_set_trace_ompt", ompt_set_trace_ompt_t;
    set_trace_native, c"ompt_set_trace_native", ompt_set_trace_native_t;
    get_buffer_limits, c"ompt_get_buffer_limits", ompt_get_buffer_limits_t;
    start_trace, c"ompt_start_trace", ompt_start_trace_t;
    pause_trace, c"ompt_pause_trace", ompt_pause_trace_t;
    flush_trace, c"ompt_flush_trace", ompt_flush_trace_t;
    stop_trace, c"ompt_stop_trace", ompt_stop_trace_t;
    advance_buffer_cursor, c"ompt_advance_buffer_cursor", ompt_advance_buffer_cursor_t;
    get_record_type, c"ompt_get_record_type", ompt_get_record_type_t;
    get_record_ompt, c"ompt_get_record_ompt", ompt_get_record_ompt_t;
    get_record_native, c"ompt_get_record_native", ompt_get_record_native_t;
    get_record_abstract, c"ompt_get_record_abstract", ompt_get_record_abstract_t;
}

/// A device of the tool's list.
pub(crate) type State = DeviceState<Functions>;

/// A device, from [`Tool::device_initialize`](crate::Tool::device_initialize) until
/// [`Tool::device_finalize`](crate::Tool::device_finalize) has returned.
///
/// A tool may keep the handle, copy it, and use it on any thread; see [`trace`](crate::trace) for
/// what is open to which thread. Once the device has ended, or the tool, questions have no answer
/// and all else is [`TraceError::Ended`](super::TraceError::Ended). A device that is initialized
/// again is another device, with a handle of its own. In a forked child a handle is the parent's,
/// whose device need not work there.
#[derive(Clone, Copy)]
pub struct Device {
    pub(super) gate: &'static Gate,
    pub(super) state: &'static State,
}

impl Device {
    /// A device that begins.
    ///
    /// # Safety
    /// The arguments are those of the event, and `callbacks` those of the tool of `gate`.
    pub(crate) unsafe fn begin(
        gate: &'static Gate,
        number: c_int,
        device: *mut ompt_device_t,
        lookup: Option<ompt_function_lookup_t>,
        callbacks: BufferCallbacks,
    ) -> Self {
        // SAFETY: as the caller promises.
        let functions = unsafe { Functions::look_up(lookup, callbacks) };
        // A runtime may begin a device anew without a word about the end of the former one.
        Self::end(gate, number);
        Self { gate, state: gate.devices().push(State::new(number, device, functions)) }
    }

    /// The device with this number ends: no call begins any more, and none of another thread goes
    /// on.
    pub(crate) fn end(gate: &'static Gate, number: c_int) {
        for state in gate.devices().iter().filter(|state| state.number == number) {
            state.calls.close();
            state.calls.wait();
        }
    }

    /// The device's number, as events have it.
    pub fn number(&self) -> i32 {
        self.state.number
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
    /// tracing interface, and `ompt_get_buffer_limits` before OpenMP 6.0.
    pub fn missing(&self) -> impl Iterator<Item = &'static CStr> {
        self.state.functions.missing()
    }

    /// Calls an entry point that asks the device.
    fn ask<E, R>(&self, function: Option<E>, call: impl FnOnce(E, *mut c_void) -> R) -> Option<R> {
        self.state.ask(self.gate.is_open(), function, call)
    }

    /// The processors that the device has now.
    pub fn num_procs(&self) -> Option<u32> {
        // SAFETY: the entry point is the device's, which is alive during the call.
        let count =
            self.ask(self.state.functions.get_device_num_procs, |get, raw| unsafe { get(raw) })?;
        u32::try_from(count).ok()
    }

    /// The time now, by the device's clock.
    pub fn time(&self) -> Option<DeviceTime> {
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.ask(self.state.functions.get_device_time, |get, raw| unsafe { get(raw) })
            .map(DeviceTime)
    }

    /// The host's time at a time of the device, in seconds as `omp_get_wtime` has them. The clocks
    /// may drift: translate soon (6.0 §37.3).
    pub fn translate_time(&self, time: DeviceTime) -> Option<f64> {
        self.ask(self.state.functions.translate_time, |translate, raw| {
            // SAFETY: the entry point is the device's, which is alive during the call.
            unsafe { translate(raw, time.0) }
        })
    }

    /// The limits of buffers (6.0).
    pub fn buffer_limits(&self) -> Option<BufferLimits> {
        self.ask(self.state.functions.get_buffer_limits, |get, raw| {
            let (mut max_buffers, mut recommended_bytes) = (0, 0);
            // SAFETY: the entry point is the device's, which is alive during the call; it writes
            // our variables.
            unsafe { get(raw, &mut max_buffers, &mut recommended_bytes) };
            BufferLimits { max_buffers: u32::try_from(max_buffers).unwrap_or(0), recommended_bytes }
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

/// The same device: of one number, initialized once.
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
            .field("is_ready", &self.is_ready())
            .finish_non_exhaustive()
    }
}
