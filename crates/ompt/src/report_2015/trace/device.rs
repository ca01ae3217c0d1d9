//! The handle of a device, and its questions.

use core::ffi::CStr;
use core::fmt;

use oxomp_sys::report_2015::{ompt_function_lookup_t, ompt_target_device_t};

use super::functions::{Functions, State};
use crate::device::handle::handle;
use crate::report_2015::gate::Gate;
use crate::report_2015::{Answers, EventSet, SetResult};

/// A device, until [`Tool::runtime_shutdown`](crate::report_2015::Tool::runtime_shutdown) has
/// returned.
///
/// A tool may keep the handle, copy it, and use it on any thread; see [`trace`](super) for what
/// each thread may call. After the shutdown, questions have no answer and all else is
/// [`TraceError::Ended`](super::TraceError::Ended).
#[derive(Clone, Copy)]
pub struct Device {
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
            let new = gate.devices().push(State::new(gate.owner(), number, raw, functions));
            // If two threads ask at once, both get the device of the first.
            Self::find(gate, number, raw).unwrap_or(new)
        });
        Self { state, kind }
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

    /// The device that a runtime names in a buffer's callback.
    pub(super) fn with_number(gate: &'static Gate, number: i32) -> Option<Self> {
        let states = || gate.devices().iter().filter(|state| state.number == number);
        // The states of former starts are closed; of the states of this start, the oldest one
        // counts.
        let is_alive = |state: &&State| state.calls.is_open() && state.calls.is_of_this_process();
        let state = states().filter(is_alive).last().or_else(|| states().next())?;
        Some(Self { state, kind: c"" })
    }

    /// The kind of device, in the words of the runtime; empty for the device of
    /// [`Records::device`](super::Records::device).
    pub fn kind(&self) -> &'static CStr {
        self.kind
    }
}

handle! {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("number", &self.number())
            .field("kind", &self.kind)
            .field("is_ready", &self.is_ready())
            .finish_non_exhaustive()
    }
}
