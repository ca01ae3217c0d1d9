//! Whether a runtime of the process has the tool.

use core::sync::atomic::{AtomicU32, Ordering};

use super::trace::{BufferCallbacks, DeviceState};
use crate::device::list::DeviceList;

/// The owner while no runtime has the tool.
const NOBODY: u32 = 0;

/// Whether a runtime of the process has the tool of a slot, so that entry points may be used.
#[derive(Debug)]
pub(super) struct Gate {
    /// The process whose runtime has the tool. A forked child inherits its parent's, and its own
    /// runtime may take the tool from it.
    owner: AtomicU32,
    /// The devices that the tool has asked for.
    devices: DeviceList<DeviceState>,
    /// The tool's functions for buffers of traces.
    buffers: BufferCallbacks,
}

impl Gate {
    pub(super) const fn new(buffers: BufferCallbacks) -> Self {
        Self { owner: AtomicU32::new(NOBODY), devices: DeviceList::new(), buffers }
    }

    /// Whether a runtime of this process has the tool.
    pub(super) fn is_taken(&self) -> bool {
        self.owner.load(Ordering::Acquire) == std::process::id()
    }

    /// Gives the tool to the runtime that calls; false if another one has it. Of two runtimes that
    /// call at once, one exchanges the owner that both have seen.
    pub(super) fn open(&self) -> bool {
        // Acquire: pairs with the Release in `close`, so that a later start sees the earlier one's
        // effects. Release: `is_taken` of another runtime is true from now on.
        let (me, owner) = (std::process::id(), self.owner.load(Ordering::Acquire));
        owner != me
            && self.owner.compare_exchange(owner, me, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Whether entry points may be used.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        // Relaxed: the runtime's functions answer at any time; a call that sees an old value is one
        // that came a moment earlier.
        self.owner.load(Ordering::Relaxed) != NOBODY
    }

    /// The devices that the tool has asked for, in any start of it.
    pub(super) fn devices(&self) -> &DeviceList<DeviceState> {
        &self.devices
    }

    /// The tool's functions for buffers of traces.
    pub(super) fn buffers(&self) -> BufferCallbacks {
        self.buffers
    }

    /// The runtime has ended the tool, or the tool was not made: its devices end too.
    pub(super) fn close(&self) {
        self.owner.store(NOBODY, Ordering::Release);
        self.devices.iter().for_each(|device| device.calls.close());
    }

    /// Waits until the calls of devices have returned, after [`Gate::close`].
    pub(super) fn wait_for_calls(&self) {
        self.devices.iter().for_each(|device| device.calls.wait());
    }
}
