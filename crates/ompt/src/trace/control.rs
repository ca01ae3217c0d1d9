//! The control of a device's trace.

use core::ffi::{CStr, c_int, c_uint, c_void};

use oxomp_sys::ompt::ompt_set_result_t;

use super::{Device, NativeFlags, TraceBuffers, TraceError};
use crate::device::delivery::Delivery;
use crate::registration::Answers;
use crate::{EventSet, SetResult};

impl Device {
    /// Calls an entry point that controls the trace.
    fn control<E, R>(
        &self,
        function: (Option<E>, &'static CStr),
        call: impl FnOnce(E, *mut c_void) -> R,
    ) -> Result<R, TraceError> {
        self.state.control(self.gate.is_open(), function, call)
    }

    /// Has the device record these events from now on, besides those that it records already; its
    /// answer for each.
    ///
    /// Of an event with two forms, such as [`TARGET_SUBMIT`](crate::Event::TARGET_SUBMIT) and
    /// [`TARGET_SUBMIT_EMI`](crate::Event::TARGET_SUBMIT_EMI), one form is enough: the records are
    /// the same. Data operations and kernels are recorded as the host sees them, all else on the
    /// device (6.0 §37.4). [`SetResult::Error`] where the device is not ready for it, lacks the
    /// entry point, or is not the tool's any more; see also [`trace`](crate::trace), *Threads*.
    pub fn record_events(&self, events: EventSet) -> Answers {
        self.set_events(events, true)
    }

    /// Has the device record these events no more.
    pub fn drop_events(&self, events: EventSet) -> Answers {
        self.set_events(events, false)
    }

    fn set_events(&self, events: EventSet, enable: bool) -> Answers {
        Answers::of(events, |event| self.set_event(event.raw().0.cast_unsigned(), enable).raw())
    }

    /// Has the device record every event that it can record, or none.
    pub fn record_all_events(&self, enable: bool) -> SetResult {
        self.set_event(0, enable)
    }

    fn set_event(&self, number: c_uint, enable: bool) -> SetResult {
        let function = (self.state.functions.set_trace_ompt, c"ompt_set_trace_ompt");
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.control(function, |set, raw| unsafe { set(raw, c_uint::from(enable), number) })
            .unwrap_or(ompt_set_result_t::ERROR)
            .into()
    }

    /// Has the device make native records of these contents, or make them no more.
    /// [`SetResult::Error`] as for [`Device::record_events`].
    pub fn record_native(&self, flags: NativeFlags, enable: bool) -> SetResult {
        let function = (self.state.functions.set_trace_native, c"ompt_set_trace_native");
        self.control(function, |set, raw| {
            // SAFETY: the entry point is the device's, which is alive during the call.
            unsafe { set(raw, c_int::from(enable), flags.0.cast_signed()) }
        })
        .unwrap_or(ompt_set_result_t::ERROR)
        .into()
    }

    /// Starts the trace. Records come to [`Tool::trace_records`](crate::Tool::trace_records), in
    /// buffers that the SDK keeps.
    ///
    /// [`TraceError::Refused`] if the trace runs already; one that has stopped because a buffer was
    /// refused starts again.
    pub fn start_trace(&self, buffers: TraceBuffers) -> Result<(), TraceError> {
        if Delivery::is_here() {
            return Err(TraceError::InRecords);
        }
        let functions = &self.state.functions;
        for (is_there, name) in [
            (functions.advance_buffer_cursor.is_some(), c"ompt_advance_buffer_cursor"),
            (functions.get_record_type.is_some(), c"ompt_get_record_type"),
            (functions.stop_trace.is_some(), c"ompt_stop_trace"),
        ] {
            if !is_there {
                return Err(TraceError::Missing(name));
            }
        }
        let recommended = self.buffer_limits().map(|limits| limits.recommended_bytes);
        self.state.buffers.set(buffers, recommended.filter(|bytes| *bytes != 0));
        let (request, complete) = (functions.request, functions.complete);
        TraceError::of_answer(self.control(
            (functions.start_trace, c"ompt_start_trace"),
            |start, raw| {
                // SAFETY: the entry point is the device's, which is alive during the call, and the
                // callbacks have the signatures that it demands.
                unsafe { start(raw, Some(request), Some(complete)) }
            },
        ))
    }

    /// Pauses the trace: the device records nothing of what happens in the pause.
    pub fn pause_trace(&self) -> Result<(), TraceError> {
        self.set_pause(true)
    }

    /// Ends the pause.
    pub fn resume_trace(&self) -> Result<(), TraceError> {
        self.set_pause(false)
    }

    fn set_pause(&self, begin: bool) -> Result<(), TraceError> {
        let function = (self.state.functions.pause_trace, c"ompt_pause_trace");
        // SAFETY: the entry point is the device's, which is alive during the call.
        TraceError::of_answer(
            self.control(function, |pause, raw| unsafe { pause(raw, c_int::from(begin)) }),
        )
    }

    /// Has the device hand over every record of what has happened so far. The trace goes on.
    pub fn flush_trace(&self) -> Result<(), TraceError> {
        let function = (self.state.functions.flush_trace, c"ompt_flush_trace");
        // SAFETY: the entry point is the device's, which is alive during the call.
        TraceError::of_answer(self.control(function, |flush, raw| unsafe { flush(raw) }))
    }

    /// Stops the trace, and has the device hand over every record.
    pub fn stop_trace(&self) -> Result<(), TraceError> {
        let function = (self.state.functions.stop_trace, c"ompt_stop_trace");
        // SAFETY: the entry point is the device's, which is alive during the call.
        TraceError::of_answer(self.control(function, |stop, raw| unsafe { stop(raw) }))
    }
}
