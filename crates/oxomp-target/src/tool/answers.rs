//! What oxomp's libomp asks of this library, for its tool's calls.

use core::ffi::{c_char, c_int, c_void};

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_set_result_t};
use oxomp_sys::report_2015::{self, SetResult, ompt_event_t};

use super::look_up::look_up_2015;
use super::session::listener;
use crate::device::TargetDevice;
use crate::trace;

/// What `ompt_set_callback` answers for an event that this library raises; `None` for others.
fn answer_5x(event: ompt_callbacks_t) -> Option<ompt_set_result_t> {
    use ompt_callbacks_t as E;
    let is_raised = matches!(
        event,
        E::TARGET
            | E::TARGET_DATA_OP
            | E::TARGET_SUBMIT
            | E::TARGET_MAP
            | E::TARGET_EMI
            | E::TARGET_DATA_OP_EMI
            | E::TARGET_SUBMIT_EMI
            | E::TARGET_MAP_EMI
            | E::DEVICE_INITIALIZE
            | E::DEVICE_FINALIZE
            | E::DEVICE_LOAD
            | E::DEVICE_UNLOAD
    );
    is_raised.then_some(ompt_set_result_t::ALWAYS)
}

/// What `ompt_set_callback` of the 2015 report answers for an event that this library raises;
/// `None` for others, and for target tasks, which tools always get. Data that need no mapping, in
/// unified memory, have no event. This library tells some target data regions as target tasks
/// (`encoder_2015`).
fn answer_2015(event: ompt_event_t) -> Option<SetResult> {
    use ompt_event_t as E;
    let is_sometimes = matches!(
        event,
        E::TARGET_DATA_BEGIN
            | E::TARGET_DATA_END
            | E::TARGET_DATA_MAP_BEGIN
            | E::TARGET_DATA_MAP_END
    );
    is_sometimes.then_some(SetResult::CONVENIENT)
}

/// A device as a tool of the 2015 report gets it.
#[derive(Clone, Copy, Debug)]
pub struct DeviceInfo2015 {
    /// The device's description.
    pub description: *const c_char,
    /// The handle by which the tool names the device.
    pub handle: *mut c_void,
    /// The look-up of the device's functions.
    pub look_up: report_2015::ompt_function_lookup_t,
}

impl DeviceInfo2015 {
    /// The device as a tool gets it. The tool may start the device's trace; so this library
    /// connects to the host runtime, to hear of the tool's end.
    #[must_use]
    pub fn of(device: &'static TargetDevice) -> Self {
        let _ = listener();
        let description = device.description().as_ptr();
        Self { description, handle: trace::handle(&device.tracer), look_up: look_up_2015 }
    }
}

/// What `ompt_set_callback` of OpenMP 5, or of the 2015 report, answers for an event that this
/// library raises; 0 for others.
#[must_use]
pub fn answer(event: c_int, is_2015: bool) -> c_int {
    match is_2015 {
        false => answer_5x(ompt_callbacks_t(event)).map_or(0, |answer| answer.0),
        true => answer_2015(ompt_event_t(event)).map_or(0, |answer| answer.0),
    }
}
