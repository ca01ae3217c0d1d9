//! A device for tests: its operations are done when the test says so, and everything that it has
//! done is counted.

use core::ffi::{CStr, c_void};
use std::any::Any;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex};

use crate::plugin::{
    ALIGNMENT, Address, Device, DeviceError, Event, Kernel, Launch, MemoryKind, Plugin, Program,
    Queue,
};
use crate::sync::lock;

/// What a device has done, and whether it may go on.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// Operations wait while this is set.
    pub(super) is_held: AtomicBool,
    /// Bytes that went to the device.
    pub(super) to_device: AtomicUsize,
    /// Bytes that came from it.
    pub(super) from_device: AtomicUsize,
    /// Allocations that have not been freed.
    pub(super) allocations: AtomicUsize,
    /// Waits for events of other queues.
    pub(super) waits: AtomicUsize,
}

/// A plug-in with one device.
#[derive(Clone, Debug, Default)]
pub(super) struct LatePlugin(pub(super) Arc<Deeds>);

impl Plugin for LatePlugin {
    fn name(&self) -> &'static str {
        "late"
    }

    fn accepts(&self, _image: &[u8]) -> bool {
        true
    }

    fn devices(&self) -> Vec<Box<dyn Device>> {
        vec![Box::new(LateDevice(self.0.clone()))]
    }
}

#[derive(Debug)]
struct LateDevice(Arc<Deeds>);

impl Device for LateDevice {
    fn description(&self) -> String {
        "a device for tests".to_owned()
    }

    fn uid(&self) -> &CStr {
        c"late"
    }

    fn shares_host_memory(&self) -> bool {
        false
    }

    fn processors(&self) -> usize {
        1
    }

    fn time(&self) -> u64 {
        0
    }

    fn to_host_seconds(&self, _time: u64) -> f64 {
        0.0
    }

    fn load(&self, _image: &[u8]) -> Result<Box<dyn Program>, DeviceError> {
        Err(DeviceError("the tests load nothing".to_owned()))
    }

    fn allocate(&self, bytes: usize, _kind: MemoryKind) -> Option<Address> {
        self.0.allocations.fetch_add(1, Relaxed);
        let mut memory = core::ptr::null_mut();
        // SAFETY: the place is this function's own.
        unsafe { libc::posix_memalign(&raw mut memory, ALIGNMENT, bytes) };
        Some(Address(memory.expose_provenance()))
    }

    unsafe fn free(&self, address: Address, _kind: MemoryKind) {
        self.0.allocations.fetch_sub(1, Relaxed);
        // SAFETY: `allocate` returned it.
        unsafe { libc::free(address.as_ptr()) };
    }

    fn queue(&'static self) -> Result<Box<dyn Queue>, DeviceError> {
        Ok(Box::new(LateQueue { deeds: self.0.clone(), waiting: Mutex::default() }))
    }
}

/// A copy that waits.
#[derive(Debug)]
struct Copy {
    to: usize,
    from: usize,
    bytes: usize,
}

#[derive(Debug)]
struct LateQueue {
    deeds: Arc<Deeds>,
    waiting: Mutex<Vec<Copy>>,
}

impl LateQueue {
    fn copy(&self, to: usize, from: usize, bytes: usize) {
        lock(&self.waiting).push(Copy { to, from, bytes });
        self.go_on();
    }

    /// Does what waits, unless the device is held. Returns whether nothing waits.
    fn go_on(&self) -> bool {
        let mut waiting = lock(&self.waiting);
        if self.deeds.is_held.load(Acquire) {
            return waiting.is_empty();
        }
        for copy in waiting.drain(..) {
            let from = core::ptr::with_exposed_provenance::<u8>(copy.from);
            let to = core::ptr::with_exposed_provenance_mut(copy.to);
            // SAFETY: the callers of the queue promise that the ranges stay valid.
            unsafe { core::ptr::copy(from, to, copy.bytes) };
        }
        true
    }
}

#[derive(Debug)]
struct Released(Arc<Deeds>);

impl Event for Released {
    fn has_happened(&self) -> bool {
        !self.0.is_held.load(Acquire)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Queue for LateQueue {
    fn is_async(&self) -> bool {
        true
    }

    unsafe fn copy_to_device(
        &mut self,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.deeds.to_device.fetch_add(bytes, Relaxed);
        self.copy(to.0, from.expose_provenance(), bytes);
        Ok(())
    }

    unsafe fn copy_from_device(
        &mut self,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.deeds.from_device.fetch_add(bytes, Relaxed);
        self.copy(to.expose_provenance(), from.0, bytes);
        Ok(())
    }

    unsafe fn copy_within_device(
        &mut self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.copy(to.0, from.0, bytes);
        Ok(())
    }

    unsafe fn fill(&mut self, to: Address, value: u8, bytes: usize) -> Result<(), DeviceError> {
        // SAFETY: the callers of the queue promise that the range is valid.
        unsafe { core::ptr::write_bytes(to.as_ptr().cast::<u8>(), value, bytes) };
        Ok(())
    }

    unsafe fn launch(&mut self, _kernel: Kernel, _launch: &Launch<'_>) -> Result<(), DeviceError> {
        Ok(())
    }

    fn record(&mut self) -> Result<Option<Arc<dyn Event>>, DeviceError> {
        let event: Arc<dyn Event> = Arc::new(Released(self.deeds.clone()));
        Ok((!event.has_happened()).then_some(event))
    }

    fn wait_for(&mut self, event: &Arc<dyn Event>) -> Result<(), DeviceError> {
        assert!(event.as_any().is::<Released>(), "an event of this plug-in");
        self.deeds.waits.fetch_add(1, Relaxed);
        Ok(())
    }

    fn is_done(&mut self) -> Result<bool, DeviceError> {
        Ok(self.go_on())
    }

    fn finish(&mut self) -> Result<(), DeviceError> {
        while !self.go_on() {
            std::thread::yield_now();
        }
        Ok(())
    }
}

/// Lets the device go on.
pub(super) fn let_go(deeds: &Deeds) {
    deeds.is_held.store(false, Release);
}
