//! The control of a device's trace.

use core::ffi::{CStr, c_int, c_void};

use oxomp_sys::report_2015::{SetResult as RawResult, ompt_event_t};

use super::{Device, NativeFlags, TraceBuffers, TraceError};
use crate::device::delivery::Delivery;
use crate::report_2015::{Answers, EventSet, SetResult};

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
    /// answer for each (§6.1). [`SetResult::Error`] where the device lacks the entry point or is
    /// not the tool's any more; see also [`trace`](super).
    pub fn record_events(&self, events: EventSet) -> Answers {
        Answers::of(events, |event| self.set_event(event.raw(), true).raw())
    }

    /// Has the device record these events no more.
    pub fn drop_events(&self, events: EventSet) -> Answers {
        Answers::of(events, |event| self.set_event(event.raw(), false).raw())
    }

    /// Has the device record every event that it can record, or none.
    pub fn record_all_events(&self, enable: bool) -> SetResult {
        self.set_event(ompt_event_t(0), enable)
    }

    fn set_event(&self, event: ompt_event_t, enable: bool) -> SetResult {
        let function = (self.state.functions.set_trace_ompt, c"ompt_target_set_trace_ompt");
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.control(function, |set, raw| unsafe { set(raw, u32::from(enable), event) })
            .unwrap_or(RawResult::ERROR)
            .into()
    }

    /// Has the device make native records of these contents, or make them no more (§6.2).
    /// [`SetResult::Error`] as for [`Device::record_events`].
    pub fn record_native(&self, flags: NativeFlags, enable: bool) -> SetResult {
        let function = (self.state.functions.set_trace_native, c"ompt_target_set_trace_native");
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.control(function, |set, raw| unsafe { set(raw, u32::from(enable), flags) })
            .unwrap_or(RawResult::ERROR)
            .into()
    }

    /// Starts the trace. Records come to
    /// [`Tool::trace_records`](crate::report_2015::Tool::trace_records), in buffers that the SDK
    /// keeps.
    ///
    /// [`TraceError::Refused`] if the trace runs already; one that has stopped because a buffer was
    /// refused starts again. (The report gives the results of start, pause and stop no meaning; as
    /// in OpenMP 5.0, 0 stands for a refusal here.)
    pub fn start_trace(&self, buffers: TraceBuffers) -> Result<(), TraceError> {
        if Delivery::is_here() {
            return Err(TraceError::InRecords);
        }
        let functions = &self.state.functions;
        for (is_there, name) in [
            (functions.advance_buffer_cursor.is_some(), c"ompt_target_advance_buffer_cursor"),
            (functions.get_record_type.is_some(), c"ompt_target_buffer_get_record_type"),
            (functions.stop_trace.is_some(), c"ompt_target_stop_trace"),
        ] {
            if !is_there {
                return Err(TraceError::Missing(name));
            }
        }
        self.state.buffers.set(buffers, None);
        let (request, complete) = (functions.request, functions.complete);
        let function = (functions.start_trace, c"ompt_target_start_trace");
        TraceError::of_answer(self.control(function, |start, raw| {
            // SAFETY: the entry point is the device's, which is alive during the call, and the
            // callbacks have the signatures that it demands.
            unsafe { start(raw, Some(request), Some(complete)) }
        }))
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
        let function = (self.state.functions.pause_trace, c"ompt_target_pause_trace");
        let answer: Result<c_int, TraceError> = self.control(function, |pause, raw| {
            // SAFETY: the entry point is the device's, which is alive during the call.
            unsafe { pause(raw, u32::from(begin)) }
        });
        TraceError::of_answer(answer)
    }

    /// Stops the trace, and has the device hand over every record.
    pub fn stop_trace(&self) -> Result<(), TraceError> {
        let function = (self.state.functions.stop_trace, c"ompt_target_stop_trace");
        // SAFETY: the entry point is the device's, which is alive during the call.
        TraceError::of_answer(self.control(function, |stop, raw| unsafe { stop(raw) }))
    }
}
