//! A transfer between the host's memory and a device's: what the user and tools are told of it, and
//! its way into the queue.

use core::ffi::c_void;

use crate::device::TargetDevice;
use crate::info::{self, Direction};
use crate::location::ItemName;
use crate::plugin::{Address, DeviceError, Queue};
use crate::tool::Scope;

/// A transfer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    /// The host's memory.
    pub(crate) host: usize,
    /// The counterpart of the host's memory.
    pub(crate) device: Address,
    /// The number of bytes.
    pub(crate) bytes: usize,
    /// The name of the list item.
    pub(crate) name: ItemName,
}

/// Where a transfer is done, and the construct or routine to which tools see it belong.
pub(crate) struct Channel<'a> {
    pub(crate) device: &'static TargetDevice,
    /// A queue of the device.
    pub(crate) queue: &'a mut dyn Queue,
    /// The construct or routine.
    pub(crate) scope: &'a Scope,
}

impl Channel<'_> {
    /// Puts a transfer to the device into the queue. The bytes are at `from`, which differs from
    /// the host's memory if the device gets another value.
    ///
    /// # Safety
    /// The bytes at `from` and the counterpart are valid, and stay so until the operation is done.
    pub(crate) unsafe fn send(
        &mut self,
        transfer: &Transfer,
        from: *const c_void,
    ) -> Result<(), DeviceError> {
        let Transfer { host, device, bytes, name } = *transfer;
        info::transfer(self.device.number, Direction::ToDevice, host, device, bytes, name);
        let executor = (self.device, self.queue.is_async());
        let mut operation = self.scope.to_device(executor, host, device, bytes);
        operation.begin_in(&mut *self.queue);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { self.queue.copy_to_device(device, from, bytes)? };
        operation.end_in(&mut *self.queue);
        Ok(())
    }

    /// Puts a transfer from the device into the queue. The bytes go to `to`.
    ///
    /// # Safety
    /// As for `send`.
    pub(crate) unsafe fn fetch(
        &mut self,
        transfer: &Transfer,
        to: *mut c_void,
    ) -> Result<(), DeviceError> {
        let Transfer { host, device, bytes, name } = *transfer;
        info::transfer(self.device.number, Direction::FromDevice, host, device, bytes, name);
        let executor = (self.device, self.queue.is_async());
        let mut operation = self.scope.from_device(executor, host, device, bytes);
        operation.begin_in(&mut *self.queue);
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { self.queue.copy_from_device(to, device, bytes)? };
        operation.end_in(&mut *self.queue);
        Ok(())
    }
}
