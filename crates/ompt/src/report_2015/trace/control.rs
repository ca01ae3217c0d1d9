//! The control of a device's trace: the functions that only this interface has.

use oxomp_sys::report_2015::{SetResult as RawResult, ompt_event_t};

use super::{Device, NativeFlags};
use crate::report_2015::{Event, SetResult};

impl Device {
    /// Asks the device to record an event, or (`None`) all events, or to record them no more
    /// (§6.1).
    pub(super) fn set_event(&self, event: Option<Event>, enable: bool) -> SetResult {
        let event = event.map_or(ompt_event_t(0), |event| event.raw());
        let function = self.state.functions.set_trace_ompt;
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.state
            .control(function, |set, raw| unsafe { set(raw, u32::from(enable), event) })
            .unwrap_or(RawResult::ERROR)
            .into()
    }

    /// Asks the device to make native records of these contents, or to make them no more (§6.2).
    /// [`SetResult::Error`] as for [`Device::record_events`].
    pub fn record_native(&self, flags: NativeFlags, enable: bool) -> SetResult {
        let function = self.state.functions.set_trace_native;
        // SAFETY: the entry point is the device's, which is alive during the call.
        self.state
            .control(function, |set, raw| unsafe { set(raw, u32::from(enable), flags) })
            .unwrap_or(RawResult::ERROR)
            .into()
    }

    /// The size that the device recommends for buffers: the report has no way to name one.
    #[expect(clippy::unused_self, reason = "in the later interface the device is asked")]
    pub(super) fn recommended_bytes(&self) -> Option<usize> {
        None
    }
}
