//! A device of a plug-in of libgomp.

use core::ffi::{CStr, c_int, c_void};
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::ffi::CString;
use std::process;
use std::sync::Arc;

use oxomp_protocol::chain::Chain;
use oxomp_target::plugin::{
    ALIGNMENT, Address, Device, DeviceError, Image, MemoryKind, Program, Queue,
};

use crate::exclusive::Exclusive;
use crate::interface::Interface;
use crate::program::GccProgram;
use crate::queue::GccQueue;

/// The bytes of a block for the arguments of a kernel that the device keeps for the next one.
const BLOCK_BYTES: usize = 512;
/// How many such blocks a device keeps: as many kernels may run at a time without an allocation.
const BLOCKS: usize = 8;

/// The devices that have been initialized, to be ended with the process.
static INITIALIZED: Chain<Arc<Driver>> = Chain::new();

/// The plug-in's side of a device.
#[derive(Debug)]
pub(crate) struct Driver {
    pub(crate) interface: Interface,
    /// The plug-in's number of the device.
    pub(crate) number: c_int,
    /// What the plug-in calls its devices.
    pub(crate) name: String,
    exclusive: Exclusive,
    /// The process that has begun to use the device; 0 for none.
    user: AtomicU32,
    is_initialized: AtomicBool,
    /// Whether the device has ended with the process.
    has_ended: AtomicBool,
    /// Blocks for the arguments of kernels that no kernel uses; 0 for none.
    blocks: [AtomicUsize; BLOCKS],
}

impl Driver {
    /// Calls the plug-in while no other thread does so for this device.
    pub(crate) fn call<T>(&self, call: impl FnOnce(&Interface, c_int) -> T) -> T {
        let _turn = self.exclusive.enter();
        call(&self.interface, self.number)
    }

    /// An error of the device.
    pub(crate) fn error(&self, what: &str) -> DeviceError {
        DeviceError(format!("{} device {}: {what}", self.name, self.number))
    }

    /// Whether this process uses the device, and not the one of which it is a child, and has not
    /// ended it.
    pub(crate) fn is_ours(&self) -> bool {
        self.user.load(Relaxed) == process::id() && !self.has_ended.load(Relaxed)
    }

    /// Initializes the device at its first use.
    pub(crate) fn initialize(self: &Arc<Self>) -> Result<(), DeviceError> {
        // Acquire: with the Release of the thread that has initialized it.
        if self.is_initialized.load(Acquire) {
            return Ok(());
        }
        self.user.store(process::id(), Relaxed);
        self.call(|interface, number| {
            if self.is_initialized.load(Relaxed) {
                return Ok(());
            }
            // SAFETY: a device of the plug-in, which is initialized once.
            if !unsafe { (interface.init_device)(number) } {
                return Err(self.error("it cannot be initialized"));
            }
            INITIALIZED.add(self.clone());
            self.is_initialized.store(true, Release);
            Ok(())
        })
    }

    /// Allocates memory of the device.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<Address> {
        // SAFETY: the device is initialized.
        let memory = self.call(|interface, number| unsafe { (interface.alloc)(number, bytes) });
        (!memory.is_null()).then(|| Address(memory.expose_provenance()))
    }

    /// Frees memory of the device. Returns whether the device has done so.
    pub(crate) fn free(&self, memory: Address) -> bool {
        // SAFETY: memory of `allocate`, which the caller gives up.
        self.call(|interface, number| unsafe { (interface.free)(number, memory.as_ptr()) })
    }

    /// Memory for the arguments of a kernel.
    pub(crate) fn take_block(&self, bytes: usize) -> Option<Address> {
        if bytes > BLOCK_BYTES {
            return self.allocate(bytes);
        }
        // Acquire: with the Release of the thread that has given the block back.
        let kept = self.blocks.iter().map(|block| block.swap(0, Acquire)).find(|it| *it != 0);
        kept.map(Address).or_else(|| self.allocate(BLOCK_BYTES))
    }

    /// Takes memory of `take_block` back.
    pub(crate) fn give_block(&self, block: Address, bytes: usize) {
        let is_kept = bytes <= BLOCK_BYTES
            && self
                .blocks
                .iter()
                .any(|place| place.compare_exchange(0, block.0, Release, Relaxed).is_ok());
        if !is_kept {
            self.free(block);
        }
    }
}

/// Ends the devices that this process has initialized. Called when the process ends, as libgomp
/// ends its devices. A device that a thread is calling just then stays as it is: the call may have
/// ended the process.
pub fn finish() {
    for device in INITIALIZED.iter().filter(|device| device.is_ours()) {
        if let Some(_turn) = device.exclusive.enter_if_free() {
            // SAFETY: an initialized device, which nobody uses after the end.
            unsafe { (device.interface.fini_device)(device.number) };
            device.has_ended.store(true, Relaxed);
        }
    }
}

/// A device.
#[derive(Debug)]
pub(crate) struct GccDevice {
    driver: Arc<Driver>,
    uid: CString,
}

impl GccDevice {
    /// The device `number` of a plug-in that calls its devices `name`.
    pub(crate) fn new(interface: Interface, number: c_int, name: String) -> Self {
        let uid = CString::new(format!("{name}-{number}")).unwrap_or_default();
        let driver = Driver {
            interface,
            number,
            name,
            exclusive: Exclusive::new(),
            user: AtomicU32::new(0),
            is_initialized: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            blocks: [const { AtomicUsize::new(0) }; BLOCKS],
        };
        Self { driver: Arc::new(driver), uid }
    }
}

impl Device for GccDevice {
    fn description(&self) -> String {
        let Driver { name, number, .. } = &*self.driver;
        format!("gcc;{name};device {number} of libgomp's plug-in for {name}")
    }

    fn uid(&self) -> &CStr {
        &self.uid
    }

    fn shares_host_memory(&self) -> bool {
        false
    }

    fn processors(&self) -> usize {
        // The interface does not tell.
        1
    }

    fn time(&self) -> u64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the place is this function's own.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }

    fn current_processor(&self) -> Option<u32> {
        None
    }

    fn to_host_seconds(&self, time: u64) -> f64 {
        time as f64 * 1e-9
    }

    fn survives_fork(&self) -> bool {
        // Relaxed: the child has one thread.
        self.driver.user.load(Relaxed) == 0
    }

    fn load(
        &self,
        image: Image<'_>,
        number: i32,
        counts: [usize; 2],
    ) -> Result<Box<dyn Program>, DeviceError> {
        let Image::Opaque(image) = image else {
            return Err(self.driver.error("the image is for another device"));
        };
        self.driver.initialize()?;
        Ok(Box::new(GccProgram::load(&self.driver, image, number, counts)?))
    }

    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Option<Address> {
        // The plug-in has no memory that the host can use.
        if kind != MemoryKind::Device || self.driver.initialize().is_err() {
            return None;
        }
        let memory = self.driver.allocate(bytes)?;
        if memory.0 % ALIGNMENT == 0 {
            return Some(memory);
        }
        self.driver.free(memory);
        None
    }

    unsafe fn free(&self, address: Address, _kind: MemoryKind) {
        if !self.driver.free(address) {
            let error = self.driver.error(&format!("it cannot free its memory at {address}"));
            oxomp_target::report::warn(&error.0);
        }
    }

    fn queue(&'static self) -> Result<Box<dyn Queue>, DeviceError> {
        self.driver.initialize()?;
        Ok(Box::new(GccQueue::new(&self.driver)))
    }
}

/// A host address as plug-ins take it.
pub(crate) fn pointer(address: Address) -> *const c_void {
    ptr::with_exposed_provenance(address.0)
}
