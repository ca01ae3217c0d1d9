//! Copies between the memories of devices, the host among them (OpenMP 5.2 §18.8.5).

use core::ffi::{c_int, c_void};
use core::ptr;

use crate::device::TargetDevice;
use crate::offload::Offload;
use crate::plugin::{Address, DeviceError, Queue};

/// A memory: the host's, or a device's.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// The host's.
    Host,
    /// A device's.
    Device(&'static TargetDevice),
}

impl Memory {
    /// The memory of the device `number`; none if there is no such device.
    pub fn of(offload: &Offload, number: c_int) -> Option<Self> {
        if offload.is_host(number) {
            return Some(Self::Host);
        }
        offload.device(number).map(Self::Device)
    }
}

/// Copies from one memory to another, one after the other.
#[derive(Debug)]
pub struct Copier {
    to: Memory,
    from: Memory,
    /// The queue of the device; with two devices that of the source.
    queue: Option<Box<dyn Queue>>,
    /// Between two devices: the queue of the other, and a buffer on the host.
    relay: Option<(Box<dyn Queue>, Vec<u8>)>,
}

impl Copier {
    /// Copies from `from` to `to`.
    pub fn new(to: Memory, from: Memory) -> Result<Self, DeviceError> {
        let (queue, relay) = match (to, from) {
            (Memory::Host, Memory::Host) => (None, None),
            (Memory::Device(device), Memory::Host) | (Memory::Host, Memory::Device(device)) => {
                (Some(device.device.queue()?), None)
            }
            (Memory::Device(to), Memory::Device(from)) if ptr::eq(to, from) => {
                (Some(to.device.queue()?), None)
            }
            (Memory::Device(to), Memory::Device(from)) => {
                (Some(from.device.queue()?), Some((to.device.queue()?, Vec::new())))
            }
        };
        Ok(Self { to, from, queue, relay })
    }

    /// Copies `bytes`.
    ///
    /// # Safety
    /// Both ranges are valid in their memories, until [`Copier::finish`] has returned.
    pub unsafe fn copy(
        &mut self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        let Some(queue) = &mut self.queue else {
            // SAFETY: both ranges are the host's (`# Safety`); they may overlap.
            unsafe { ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes) };
            return Ok(());
        };
        let (source, target) = (Address(from.expose_provenance()), Address(to.expose_provenance()));
        if let Some((other, buffer)) = &mut self.relay {
            buffer.clear();
            let no_memory = |_| DeviceError("the host has no memory to copy through".to_owned());
            buffer.try_reserve_exact(bytes).map_err(no_memory)?;
            buffer.resize(bytes, 0);
            // SAFETY: the ranges are valid (`# Safety`), the buffer is so long, and both queues
            // are finished before the buffer changes.
            unsafe {
                queue.copy_from_device(buffer.as_mut_ptr().cast(), source, bytes)?;
                queue.finish()?;
                other.copy_to_device(target, buffer.as_ptr().cast(), bytes)?;
            }
            return other.finish();
        }
        // SAFETY: the ranges are valid (`# Safety`).
        unsafe {
            match (self.to, self.from) {
                (Memory::Device(_), Memory::Host) => queue.copy_to_device(target, from, bytes),
                (Memory::Host, _) => queue.copy_from_device(to, source, bytes),
                (Memory::Device(_), Memory::Device(_)) => {
                    queue.copy_within_device(target, source, bytes)
                }
            }
        }
    }

    /// Waits until all is copied.
    pub fn finish(mut self) -> Result<(), DeviceError> {
        self.queue.as_mut().map_or(Ok(()), |queue| queue.finish())
    }
}
