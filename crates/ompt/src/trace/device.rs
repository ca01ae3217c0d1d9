//! The handle of a device, and its questions.

use core::ffi::c_int;
use core::fmt;

use oxomp_sys::ompt::{ompt_device_t, ompt_function_lookup_t};

use super::BufferLimits;
use super::functions::{BufferCallbacks, Functions, State};
use crate::device::handle::handle;
use crate::gate::Gate;
use crate::registration::Answers;
use crate::{EventSet, SetResult};

/// A device, from [`Tool::device_initialize`](crate::Tool::device_initialize) until
/// [`Tool::device_finalize`](crate::Tool::device_finalize) has returned.
///
/// A tool may keep the handle, copy it, and use it on any thread; see [`trace`](crate::trace) for
/// what each thread may call. Once the device or the tool has ended, questions have no answer and
/// all else is [`TraceError::Ended`](super::TraceError::Ended). A device that is initialized again
/// is another device, with a handle of its own. In a forked child, a handle refers to the parent's
/// device, which need not work there.
#[derive(Clone, Copy)]
pub struct Device {
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
        // A runtime may begin a device anew without an event for the end of the former one.
        Self::end(gate, number);
        Self { state: gate.devices().push(State::new(gate.owner(), number, device, functions)) }
    }

    /// The device with this number ends: no call begins any more, and this function waits for calls
    /// of other threads.
    pub(crate) fn end(gate: &'static Gate, number: c_int) {
        for state in gate.devices().iter().filter(|state| state.number == number) {
            state.calls.close();
            state.calls.wait();
        }
    }

    /// The processors that the device has now.
    pub fn num_procs(&self) -> Option<u32> {
        // SAFETY: the entry point is the device's, which is alive during the call.
        let count = self
            .state
            .ask(self.state.functions.get_device_num_procs, |get, raw| unsafe { get(raw) })?;
        u32::try_from(count).ok()
    }

    /// The limits of buffers; `None` before OpenMP 6.0, which has `ompt_get_buffer_limits`.
    pub fn buffer_limits(&self) -> Option<BufferLimits> {
        self.state.ask(self.state.functions.get_buffer_limits, |get, raw| {
            let (mut max_buffers, mut recommended_bytes) = (0, 0);
            // SAFETY: the entry point is the device's, which is alive during the call; it writes
            // our variables.
            unsafe { get(raw, &mut max_buffers, &mut recommended_bytes) };
            BufferLimits { max_buffers: u32::try_from(max_buffers).unwrap_or(0), recommended_bytes }
        })
    }
}

handle! {
    /// If an event has two forms, such as [`TARGET_SUBMIT`](crate::Event::TARGET_SUBMIT) and
    /// [`TARGET_SUBMIT_EMI`](crate::Event::TARGET_SUBMIT_EMI), one form is enough: the records are
    /// the same. Data operations and kernels are recorded as the host sees them, all else on the
    /// device (6.0 §37.4).
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("number", &self.number())
            .field("is_ready", &self.is_ready())
            .finish_non_exhaustive()
    }
}
