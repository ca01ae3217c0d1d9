//! Copies between the memories of devices, the host among them (OpenMP 5.2 §18.8.5).

use core::ffi::{c_int, c_void};
use core::ptr;

use crate::device::TargetDevice;
use crate::offload::Offload;
use crate::plugin::{Address, DeviceError, Queue};
use crate::tool::{CallSite, DataOpKind, DataOperation, MemoryPlace, Scope};

/// A memory: the host's, or a device's.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// The memory of the host.
    Host,
    /// The memory of a device.
    Device(&'static TargetDevice),
}

impl Memory {
    /// The memory of the device `number`; `None` if there is no such device.
    pub fn of(offload: &Offload, number: c_int) -> Option<Self> {
        if offload.is_host(number) {
            return Some(Self::Host);
        }
        offload.device(number).map(Self::Device)
    }

    fn device(self) -> Option<&'static TargetDevice> {
        match self {
            Self::Host => None,
            Self::Device(device) => Some(device),
        }
    }

    /// A routine that copies to this memory from `other`, as the tool sees it.
    fn routine(self, other: Self, offload: &Offload, call: Call) -> Scope {
        let device = self.device().or(other.device());
        Scope::routine(offload.executor(device), call.site, call.is_async)
    }

    /// A routine for the memory, as the tool sees it.
    pub(crate) fn scope(self, offload: &Offload, site: CallSite, is_async: bool) -> Scope {
        Scope::routine(offload.executor(self.device()), site, is_async)
    }

    /// An address in the memory.
    pub(crate) fn place(self, scope: &Scope, address: usize) -> MemoryPlace {
        match self {
            Self::Host => scope.host(address),
            Self::Device(device) => MemoryPlace::on(device, Address(address)),
        }
    }
}

/// The call of a routine.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Where the call returns to.
    pub site: CallSite,
    /// Whether the program goes on before the work is done.
    pub is_async: bool,
}

/// What a copy copies: rows of consecutive bytes.
#[derive(Clone, Debug)]
pub struct Rows<I> {
    /// The bytes of each row.
    pub row: usize,
    /// The bytes of all rows.
    pub bytes: usize,
    /// Where each row lies: the bytes before it at the target, and at the source.
    pub offsets: I,
}

/// Copies rows from one memory to another. The first row lies at the two addresses.
///
/// # Safety
/// The rows are valid in their memories.
pub unsafe fn copy(
    offload: &Offload,
    (to, target): (Memory, *mut c_void),
    (from, source): (Memory, *const c_void),
    rows: Rows<impl Iterator<Item = (usize, usize)>>,
    call: Call,
) -> Result<(), DeviceError> {
    if rows.bytes == 0 {
        return Ok(());
    }
    let scope = to.routine(from, offload, call);
    let _operation = told(&scope, (to, target), (from, source), rows.bytes);
    let mut copier = Copier::new(to, from)?;
    for (target_offset, source_offset) in rows.offsets {
        let target = target.wrapping_byte_add(target_offset);
        let source = source.wrapping_byte_add(source_offset);
        // SAFETY: a row (`# Safety`).
        unsafe { copier.copy(target, source, rows.row)? };
    }
    copier.finish()
}

/// A copy, as the tool sees it: with both addresses on the host the kind is transfer to device.
fn told<'a>(
    scope: &'a Scope,
    (to, target): (Memory, *mut c_void),
    (from, source): (Memory, *const c_void),
    bytes: usize,
) -> DataOperation<'a> {
    let operation = match (to, from) {
        (Memory::Device(_), Memory::Device(_)) => DataOpKind::BetweenDevices,
        (Memory::Host, Memory::Device(_)) => DataOpKind::FromDevice,
        (Memory::Device(_) | Memory::Host, Memory::Host) => DataOpKind::ToDevice,
    };
    let source = from.place(scope, source.expose_provenance());
    let target = to.place(scope, target.expose_provenance());
    scope.operation(operation, source, target, bytes, false)
}

/// Copies from one memory to another, one after the other.
#[derive(Debug)]
struct Copier {
    to: Memory,
    from: Memory,
    /// The queue of the device; with two devices, the queue of the source.
    queue: Option<Box<dyn Queue>>,
    /// Between two devices: the queue of the target, and a buffer on the host.
    relay: Option<(Box<dyn Queue>, Vec<u8>)>,
}

impl Copier {
    /// Copies from `from` to `to`.
    fn new(to: Memory, from: Memory) -> Result<Self, DeviceError> {
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
    unsafe fn copy(
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
    fn finish(mut self) -> Result<(), DeviceError> {
        self.queue.as_mut().map_or(Ok(()), |queue| queue.finish())
    }
}

#[cfg(all(test, not(feature = "model")))]
mod tests {
    use super::{Call, Memory, Rows, copy};
    use crate::offload::Offload;
    use crate::tool::CallSite;

    #[test]
    fn rows_go_to_their_places() {
        let source: Vec<u32> = (0..24).collect();
        let mut target = [0_u32; 20];
        let offload = Offload::new(Vec::new());
        let call = Call { site: CallSite::NONE, is_async: false };
        let offsets = [(0, 0), (4 * 5, 4 * 6)].into_iter();
        // SAFETY: the rows lie in the two arrays.
        let result = unsafe {
            copy(
                &offload,
                (Memory::Host, target[10..].as_mut_ptr().cast()),
                (Memory::Host, source[8..].as_ptr().cast()),
                Rows { row: 4 * 3, bytes: 4 * 3 * 2, offsets },
                call,
            )
        };
        assert_eq!(result, Ok(()));
        assert_eq!(target[10..13], [8, 9, 10]);
        assert_eq!(target[15..18], [14, 15, 16]);
        assert_eq!(target.iter().filter(|&&value| value != 0).count(), 6);
    }
}
