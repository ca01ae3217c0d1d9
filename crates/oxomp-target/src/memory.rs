//! Device memory (OpenMP 5.2 §18.8): allocated, freed, filled, looked up.

use core::ffi::{c_int, c_void};
use core::ops::Range;
use core::ptr;

use crate::copy::{Call, Memory};
use crate::offload::Offload;
use crate::plugin::{Address, DeviceError, MemoryKind};
use crate::tool::{CallSite, DataOpKind};

/// Allocates `bytes` of memory for the device `number`; null without so much memory, and without
/// such a device.
pub fn alloc(
    offload: &Offload,
    bytes: usize,
    number: c_int,
    kind: MemoryKind,
    site: CallSite,
) -> *mut c_void {
    if bytes == 0 {
        return ptr::null_mut();
    }
    let Some(memory) = Memory::of(offload, number) else { return ptr::null_mut() };
    let scope = memory.scope(offload, site, false);
    let none = scope.host(0);
    let mut operation =
        scope.operation(DataOpKind::Allocate, none, memory.place(&scope, 0), bytes, false);
    let allocation = match memory {
        // SAFETY: malloc has no precondition.
        Memory::Host => unsafe { libc::malloc(bytes) },
        Memory::Device(device) => {
            device.device.allocate(bytes, kind).map_or(ptr::null_mut(), Address::as_ptr)
        }
    };
    operation.allocated(Some(Address(allocation.addr())));
    allocation
}

/// Frees memory.
///
/// # Safety
/// `alloc` returned the memory for this device and kind, or it is null; the program uses it no
/// more.
pub unsafe fn free(
    offload: &Offload,
    allocation: *mut c_void,
    number: c_int,
    kind: MemoryKind,
    site: CallSite,
) {
    if allocation.is_null() {
        return;
    }
    let Some(memory) = Memory::of(offload, number) else { return };
    let scope = memory.scope(offload, site, false);
    let (none, address) = (scope.host(0), allocation.expose_provenance());
    let place = memory.place(&scope, address);
    // Only the device knows the size.
    let _operation = scope.operation(DataOpKind::Delete, none, place, 0, false);
    match memory {
        // SAFETY: memory of `alloc` (`# Safety`).
        Memory::Host => unsafe { libc::free(allocation) },
        // SAFETY: as above.
        Memory::Device(device) => unsafe { device.device.free(Address(address), kind) },
    }
}

/// Fills a memory from an address on with a byte.
///
/// # Safety
/// `bytes` bytes are valid there.
pub unsafe fn fill(
    offload: &Offload,
    (memory, to): (Memory, *mut c_void),
    (value, bytes): (u8, usize),
    call: Call,
) -> Result<(), DeviceError> {
    let scope = memory.scope(offload, call.site, call.is_async);
    let (none, address) = (scope.host(0), to.expose_provenance());
    let place = memory.place(&scope, address);
    let _operation = scope.operation(DataOpKind::Fill, none, place, bytes, false);
    let device = match memory {
        Memory::Device(device) => device,
        Memory::Host => {
            // SAFETY: the caller's own promise (`# Safety`).
            unsafe { ptr::write_bytes(to.cast::<u8>(), value, bytes) };
            return Ok(());
        }
    };
    let mut queue = device.device.queue()?;
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { queue.fill(Address(address), value, bytes)? };
    queue.finish()
}

/// Whether a construct or the program has mapped the host memory at `memory` to the device. Memory
/// that the device shares is present only if the table has a counterpart for it.
pub fn is_present(offload: &Offload, memory: *const c_void, number: c_int) -> bool {
    if memory.is_null() || offload.is_host(number) {
        return !memory.is_null();
    }
    let Some(device) = offload.device(number) else { return false };
    device.table().present(&one_byte(memory)).is_some()
}

/// The byte at an address: routines get no size.
fn one_byte(memory: *const c_void) -> Range<usize> {
    let address = memory.expose_provenance();
    address..address.saturating_add(1)
}

/// The device address of host memory; null if it is not mapped.
pub fn mapped(offload: &Offload, memory: *const c_void, number: c_int) -> *mut c_void {
    if memory.is_null() {
        return ptr::null_mut();
    }
    if offload.is_host(number) {
        return memory.cast_mut();
    }
    let Some(device) = offload.device(number) else { return ptr::null_mut() };
    match device.table().present(&one_byte(memory)) {
        Some(entry) => entry.translate(memory.expose_provenance()).as_ptr(),
        None if offload.is_memory_unified() => memory.cast_mut(),
        None => ptr::null_mut(),
    }
}

/// Whether the device may use the host memory at its own address.
pub fn is_accessible(offload: &Offload, memory: *const c_void, number: c_int) -> bool {
    if memory.is_null() {
        return false;
    }
    offload.is_host(number)
        || offload
            .device(number)
            .is_some_and(|device| offload.is_memory_unified() && device.device.shares_host_memory())
}
