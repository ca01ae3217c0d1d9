//! A device for tests: its operations are done when the test says so, and everything that it has
//! done is counted.

use core::ffi::{CStr, c_void};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};

use crate::plugin::{
    ALIGNMENT, Address, Device, DeviceError, EntryName, Event, Image, Kernel, Launch, MemoryKind,
    Plugin, Program, Queue, Verdict,
};
use crate::sync::{AtomicUsize, Mutex, lock};

/// What a device has done, and whether it may go on. Models also learn from the counts which
/// operations depend on which: loom does not see memory.
#[derive(Debug, Default)]
pub(crate) struct Deeds {
    /// Operations wait while this is set.
    pub(crate) is_held: AtomicBool,
    /// Bytes that went to the device.
    pub(crate) to_device: AtomicUsize,
    /// Bytes that came from the device.
    pub(crate) from_device: AtomicUsize,
    /// Allocations that have not been freed.
    pub(crate) allocations: AtomicUsize,
    /// Waits for events of other queues.
    pub(crate) waits: AtomicUsize,
    /// The device's clock.
    pub(crate) clock: AtomicU64,
    /// Programs that are loaded.
    pub(crate) programs: AtomicUsize,
    /// Called, once, when the device loads an image, as a constructor of the image.
    pub(crate) at_load: Hook,
    /// Called, once, when data are about to go to the device.
    pub(crate) at_copy: Hook,
    /// Called, once, when a queue is asked for.
    pub(crate) at_queue: Hook,
}

/// A function that a test leaves with the device.
#[derive(Default)]
pub(crate) struct Hook(Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl Hook {
    pub(crate) fn set(&self, function: impl FnOnce() + Send + 'static) {
        *lock(&self.0) = Some(Box::new(function));
    }

    fn call(&self) {
        let function = lock(&self.0).take();
        if let Some(function) = function {
            function();
        }
    }
}

impl core::fmt::Debug for Hook {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("Hook")
    }
}

/// A program with any kernel and variable; a variable's place is a word of the test.
#[derive(Debug)]
struct LateProgram(Arc<Deeds>);

/// What programs have under the names of variables.
static VARIABLE: AtomicU64 = AtomicU64::new(4096);

impl Program for LateProgram {
    fn kernel(&self, _name: EntryName<'_>) -> Option<Kernel> {
        Some(Kernel(Address(1)))
    }

    fn variable(&self, _name: EntryName<'_>, _: usize) -> Result<Option<Address>, DeviceError> {
        Ok(Some(Address(VARIABLE.as_ptr().expose_provenance())))
    }

    fn contains(&self, _code: *const c_void) -> bool {
        true
    }

    fn address(&self) -> Option<Address> {
        None
    }
}

impl Drop for LateProgram {
    fn drop(&mut self) {
        self.0.programs.fetch_sub(1, Relaxed);
    }
}

/// A plug-in with one device.
#[derive(Clone, Debug, Default)]
pub(crate) struct LatePlugin(pub(crate) Arc<Deeds>);

impl Plugin for LatePlugin {
    fn name(&self) -> &'static str {
        "late"
    }

    fn examine(&self, _image: Image<'_>) -> Verdict {
        Verdict::Fits
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
        self.0.clock.load(Acquire)
    }

    fn current_processor(&self) -> Option<u32> {
        None
    }

    fn to_host_seconds(&self, time: u64) -> f64 {
        time as f64
    }

    fn load(
        &self,
        _image: Image<'_>,
        _number: i32,
        _counts: [usize; 2],
    ) -> Result<Box<dyn Program>, DeviceError> {
        self.0.at_load.call();
        self.0.programs.fetch_add(1, Relaxed);
        Ok(Box::new(LateProgram(self.0.clone())))
    }

    fn allocate(&self, bytes: usize, _kind: MemoryKind) -> Option<Address> {
        self.0.allocations.fetch_add(1, Relaxed);
        let mut memory = core::ptr::null_mut();
        // SAFETY: the place is this function's own; only this function knows the memory, and gives
        // it data that no test uses.
        unsafe {
            libc::posix_memalign(&raw mut memory, ALIGNMENT, bytes);
            core::ptr::write_bytes(memory.cast::<u8>(), 0xa5, bytes);
        }
        Some(Address(memory.expose_provenance()))
    }

    unsafe fn free(&self, address: Address, _kind: MemoryKind) {
        self.0.allocations.fetch_sub(1, Relaxed);
        let memory = address.as_ptr();
        // SAFETY: `allocate` returned it. A later read by mistake would find data that no test
        // uses.
        unsafe {
            core::ptr::write_bytes(memory.cast::<u8>(), 0xa5, libc::malloc_usable_size(memory));
            // The compiler leaves out what it takes for dead.
            libc::free(core::hint::black_box(memory));
        }
    }

    fn queue(&'static self) -> Result<Box<dyn Queue>, DeviceError> {
        self.0.at_queue.call();
        Ok(Box::new(LateQueue { deeds: self.0.clone(), steps: Arc::default() }))
    }
}

/// What waits in a queue.
#[derive(Debug)]
enum Step {
    Copy {
        to: usize,
        from: usize,
        bytes: usize,
    },
    /// The event of this queue happens.
    Record(Released),
    /// The event of another queue has to happen.
    WaitFor(Released),
}

#[derive(Debug)]
struct LateQueue {
    deeds: Arc<Deeds>,
    steps: Arc<Mutex<VecDeque<Step>>>,
}

impl LateQueue {
    fn copy(&self, to: usize, from: usize, bytes: usize) {
        // Relaxed: for models alone; the memory may have been freed.
        self.deeds.allocations.load(Relaxed);
        lock(&self.steps).push_back(Step::Copy { to, from, bytes });
        self.go_on();
    }

    fn go_on(&self) -> bool {
        go_on(&self.deeds, &self.steps)
    }
}

/// Does the steps that wait in a queue, and before a step the steps of other queues that it waits
/// for, unless the device is held. Returns whether nothing waits any more.
fn go_on(deeds: &Deeds, steps: &Mutex<VecDeque<Step>>) -> bool {
    loop {
        match go_on_until_wait(deeds, steps) {
            // Without the lock: the queue of that event may wait for an event of this one.
            Ok(event) if event.has_happened() => {}
            Ok(_) => return false,
            Err(is_empty) => return is_empty,
        }
    }
}

/// Does the steps that wait in a queue. Returns the event that has to happen before the queue can
/// go on; otherwise whether nothing waits.
fn go_on_until_wait(deeds: &Deeds, steps: &Mutex<VecDeque<Step>>) -> Result<Released, bool> {
    let mut steps = lock(steps);
    while !deeds.is_held.load(Acquire) {
        match steps.front() {
            None => break,
            Some(Step::WaitFor(event)) if event.time.get().is_none() => return Ok(event.clone()),
            Some(Step::WaitFor(_)) => {}
            Some(Step::Record(event)) => event.happen(),
            Some(&Step::Copy { to, from, bytes }) => {
                let from = core::ptr::with_exposed_provenance::<u8>(from);
                let to = core::ptr::with_exposed_provenance_mut(to);
                // SAFETY: the callers of the queue promise that the ranges stay valid.
                unsafe { core::ptr::copy(from, to, bytes) };
            }
        }
        steps.pop_front();
    }
    Err(steps.is_empty())
}

/// An event that happens when its queue has come to it. Asking whether it has happened resumes the
/// queue.
#[derive(Clone, Debug)]
struct Released {
    deeds: Arc<Deeds>,
    queue: Arc<Mutex<VecDeque<Step>>>,
    time: Arc<OnceLock<u64>>,
}

impl Released {
    fn happen(&self) {
        self.time.get_or_init(|| self.deeds.clock.load(Acquire));
    }
}

impl Event for Released {
    fn has_happened(&self) -> bool {
        if self.time.get().is_none() {
            go_on(&self.deeds, &self.queue);
        }
        self.time.get().is_some()
    }

    fn time(&self) -> Option<u64> {
        self.has_happened().then(|| self.time.get().copied())?
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
        self.deeds.at_copy.call();
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

    unsafe fn launch(&mut self, _kernel: Kernel, launch: &Launch<'_>) -> Result<u32, DeviceError> {
        Ok(launch.num_teams[0])
    }

    fn record(&mut self) -> Result<Option<Arc<dyn Event>>, DeviceError> {
        if self.go_on() && !self.deeds.is_held.load(Acquire) {
            return Ok(None);
        }
        let queue = self.steps.clone();
        let event = Released { deeds: self.deeds.clone(), queue, time: Arc::default() };
        lock(&self.steps).push_back(Step::Record(event.clone()));
        Ok(Some(Arc::new(event)))
    }

    fn wait_for(&mut self, event: &Arc<dyn Event>) -> Result<(), DeviceError> {
        let event = event.as_any().downcast_ref::<Released>().expect("an event of this plug-in");
        self.deeds.waits.fetch_add(1, Relaxed);
        lock(&self.steps).push_back(Step::WaitFor(event.clone()));
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
pub(crate) fn let_go(deeds: &Deeds) {
    deeds.is_held.store(false, Release);
}
