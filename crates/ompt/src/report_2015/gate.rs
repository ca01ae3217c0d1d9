//! Whether a runtime of the process has the tool.

use super::trace::{BufferCallbacks, DeviceState};
use crate::device::list::DeviceList;
use crate::owner::Owner;

/// Whether a runtime of the process has the tool of a slot, so that entry points may be used.
#[derive(Debug)]
pub(super) struct Gate {
    /// The process whose runtime has the tool.
    owner: Owner,
    /// The devices that the tool has asked for.
    devices: DeviceList<DeviceState>,
    /// The tool's functions for buffers of traces.
    buffers: BufferCallbacks,
}

impl Gate {
    pub(super) const fn new(buffers: BufferCallbacks) -> Self {
        Self { owner: Owner::nobody(), devices: DeviceList::new(), buffers }
    }

    /// Whether a runtime of this process has the tool.
    pub(super) fn is_taken(&self) -> bool {
        self.owner.is_this_process()
    }

    /// Gives the tool to the runtime that calls; false if another runtime has it.
    pub(super) fn open(&self) -> bool {
        self.owner.take()
    }

    /// Whether entry points may be used.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.owner.is_there()
    }

    /// The process whose runtime has the tool.
    pub(super) fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The devices that the tool has asked for, in any start of it.
    pub(super) fn devices(&self) -> &DeviceList<DeviceState> {
        &self.devices
    }

    /// The tool's functions for buffers of traces.
    pub(super) fn buffers(&self) -> BufferCallbacks {
        self.buffers
    }

    /// The runtime has ended the tool, or the tool was not made: the tool's devices end, too.
    pub(super) fn close(&self) {
        self.owner.leave();
        self.devices.iter().for_each(|device| device.calls.close());
    }

    /// Waits until the calls of devices have returned, after [`Gate::close`].
    pub(super) fn wait_for_calls(&self) {
        self.devices.iter().for_each(|device| device.calls.wait());
    }
}
