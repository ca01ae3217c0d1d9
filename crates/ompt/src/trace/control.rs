//! The control of a device's trace: the functions that only this interface has.

use core::ffi::{c_int, c_uint};

use oxomp_sys::ompt::ompt_set_result_t;

use super::{Device, NativeFlags, TraceError};
use crate::{Event, SetResult};

impl Device {
    /// Asks the device to record an event, or (`None`) all events, or to record them no more.
    pub(super) fn set_event(&self, event: Option<Event>, enable: bool) -> SetResult {
        let number = event.map_or(0, |event| event.raw().0.cast_unsigned());
        let function = self.state.functions.set_trace_ompt;
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.state
            .control(function, |set, raw| unsafe { set(raw, c_uint::from(enable), number) })
            .unwrap_or(ompt_set_result_t::ERROR)
            .into()
    }

    /// Asks the device to make native records of these contents, or to make them no more.
    /// [`SetResult::Error`] as for [`Device::record_events`].
    pub fn record_native(&self, flags: NativeFlags, enable: bool) -> SetResult {
        let flags = flags.0.cast_signed();
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.state
            .control(self.state.functions.set_trace_native, |set, raw| unsafe {
                set(raw, c_int::from(enable), flags)
            })
            .unwrap_or(ompt_set_result_t::ERROR)
            .into()
    }

    /// The size that the device recommends for buffers.
    pub(super) fn recommended_bytes(&self) -> Option<usize> {
        self.buffer_limits().map(|limits| limits.recommended_bytes).filter(|bytes| *bytes != 0)
    }

    /// Makes the device hand over every record of what has happened so far. The trace goes on.
    pub fn flush_trace(&self) -> Result<(), TraceError> {
        let function = self.state.functions.flush_trace;
        // SAFETY: the entry point is the device's, which is alive during the call.
        let answer = self.state.control(function, |flush, raw| unsafe { flush(raw) });
        TraceError::of_answer(answer)
    }
}
