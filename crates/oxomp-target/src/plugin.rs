//! What a plug-in implements: its devices, their memory, programs and queues.

use core::ffi::{CStr, c_void};
use core::fmt;
use std::sync::Arc;

use crate::call_site::CallSite;

/// The alignment of allocations. The counterpart of host memory has the host address modulo this.
pub const ALIGNMENT: usize = 64;

/// An address in the memory of a device. Only the device's plug-in gives it a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub usize);

impl Address {
    /// The address `bytes` further on; modulo the address space.
    #[must_use]
    pub fn plus(self, bytes: usize) -> Self {
        Self(self.0.wrapping_add(bytes))
    }

    /// The address `bytes` before; modulo the address space.
    #[must_use]
    pub fn minus(self, bytes: usize) -> Self {
        Self(self.0.wrapping_sub(bytes))
    }

    /// The address as programs hold it.
    #[must_use]
    pub fn as_ptr(self) -> *mut c_void {
        core::ptr::with_exposed_provenance_mut(self.0)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#018x}", self.0)
    }
}

/// A failed operation of a device, in words for the program's user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError(pub String);

impl fmt::Display for DeviceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Where memory lies, and who may use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Memory of the device, for the device alone.
    Device,
    /// Memory of the host, which the device may use, too.
    Host,
    /// Host and device may use it at one address.
    Shared,
}

/// The code of a library for devices.
#[derive(Clone, Copy, Debug)]
pub enum Image<'a> {
    /// The contents of a file.
    Bytes(&'a [u8]),
    /// What a plug-in of that type alone can read.
    Opaque(OpaqueImage),
}

/// An image that leads to its parts by addresses; it stays as long as its library.
#[derive(Clone, Copy, Debug)]
pub struct OpaqueImage {
    /// The type of the devices.
    pub device_type: i32,
    /// The version of the format.
    pub version: u32,
    /// The address of the image.
    pub data: usize,
    /// The bytes of code; 0 if their number is not known.
    pub bytes: usize,
}

/// What a library calls something that it has on the host and in its images.
#[derive(Clone, Copy, Debug)]
pub struct EntryName<'a> {
    /// The name in the image; empty in an opaque image.
    pub name: &'a CStr,
    /// The place among the library's kernels, or among its variables.
    pub index: usize,
}

/// What a plug-in says of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The plug-in's devices can execute the image.
    Fits,
    /// The image is for other devices.
    Foreign,
    /// The image claims to be for the plug-in's devices, but cannot be loaded; the text says why.
    Damaged(String),
}

/// A kind of devices.
pub trait Plugin: Send + Sync + fmt::Debug {
    /// The plug-in's name in messages.
    fn name(&self) -> &'static str;

    /// Whether the plug-in's devices can execute the image.
    fn examine(&self, image: Image<'_>) -> Verdict;

    /// Whether the plug-in's devices are there from the first use of a device on that follows an
    /// image, rather than from the image on: to ask for them costs time.
    fn is_late(&self) -> bool {
        false
    }

    /// The plug-in's devices; called once, when there is an image that fits them.
    fn devices(&self) -> Vec<Box<dyn Device>>;
}

/// A device.
pub trait Device: Send + Sync + fmt::Debug {
    /// The type of the device: its vendor, its model, and then its properties, separated by
    /// semicolons (OpenMP 6.0 §35.1).
    fn description(&self) -> String;

    /// A name that no other device of the system has (`omp_get_uid_from_device`).
    fn uid(&self) -> &CStr;

    /// Whether kernels may use the host's memory at the host's addresses.
    fn shares_host_memory(&self) -> bool;

    /// The number of processors that a kernel may use.
    fn processors(&self) -> usize;

    /// The device's clock, in ticks of its own.
    fn time(&self) -> u64;

    /// The processor that does the operations of the calling thread; `None` if it is not known.
    fn current_processor(&self) -> Option<u32>;

    /// The time of the device's clock by the host's monotonic clock, in seconds. A later time is
    /// never translated to an earlier one.
    fn to_host_seconds(&self, time: u64) -> f64;

    /// Whether the device can be used in the child of a fork(2).
    fn survives_fork(&self) -> bool {
        true
    }

    /// Loads an image that fits, of a library with so many kernels and variables. The program calls
    /// the device by `number`. The image's constructors may use this library.
    fn load(
        &self,
        image: Image<'_>,
        number: i32,
        counts: [usize; 2],
    ) -> Result<Box<dyn Program>, DeviceError>;

    /// Allocates `bytes` of memory, at least 1, at a multiple of [`ALIGNMENT`]; `None` without so
    /// much memory.
    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Option<Address>;

    /// Frees memory.
    ///
    /// # Safety
    /// `allocate` of this device returned the address for this kind, and nobody uses the memory.
    unsafe fn free(&self, address: Address, kind: MemoryKind);

    /// A queue of operations that are executed in their order.
    fn queue(&'static self) -> Result<Box<dyn Queue>, DeviceError>;
}

/// An image that a device has loaded; dropped, the device unloads it.
pub trait Program: Send + Sync + fmt::Debug {
    /// The kernel of that name.
    fn kernel(&self, name: EntryName<'_>) -> Option<Kernel>;

    /// The address of the variable of that name, which has so many bytes.
    fn variable(&self, name: EntryName<'_>, bytes: usize) -> Result<Option<Address>, DeviceError>;

    /// Whether the code at `code`, an address of the calling process, is the program's. Lock order:
    /// the loader's lock is taken before the lock that the caller holds, so this function must not
    /// take the loader's lock.
    fn contains(&self, code: *const c_void) -> bool;

    /// Where the device has loaded the image; `None` if the plug-in does not know.
    fn address(&self) -> Option<Address>;
}

/// A kernel of a loaded program, as its plug-in knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(pub Address);

/// What a kernel is launched with.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The number of the device.
    pub device: u32,
    /// The kernel's arguments, a word each, without arguments that the device adds.
    pub arguments: &'a [u64],
    /// Whether the kernel takes a launch environment before the arguments.
    pub takes_environment: bool,
    /// The numbers of teams by dimension; 0 where the program demands no number, `u32::MAX` without
    /// a teams construct.
    pub num_teams: [u32; 3],
    /// The limits of threads by dimension; 0 where the program sets no limit.
    pub thread_limit: [u32; 3],
    /// The iterations of the loop that the kernel distributes; 0 if unknown.
    pub trip_count: u64,
    /// Bytes of memory that the threads of a team share.
    pub dynamic_memory: u32,
    /// The call of the construct in the program, if a tool listens.
    pub site: CallSite,
    /// What gcc passes to its plug-ins in place of the numbers: words up to one that is 0; null for
    /// none.
    pub words: *mut *mut c_void,
}

/// Operations of one construct, in order. Each function may return before the device has done its
/// operation.
pub trait Queue: Send + fmt::Debug {
    /// Whether operations may be done after the functions for them have returned.
    fn is_async(&self) -> bool;

    /// Copies from the host's memory.
    ///
    /// # Safety
    /// Both ranges are valid, and stay so until the operation is done.
    unsafe fn copy_to_device(
        &mut self,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DeviceError>;

    /// Copies to the host's memory.
    ///
    /// # Safety
    /// As for `copy_to_device`.
    unsafe fn copy_from_device(
        &mut self,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError>;

    /// Copies within the device's memory. The ranges may overlap.
    ///
    /// # Safety
    /// As for `copy_to_device`.
    unsafe fn copy_within_device(
        &mut self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), DeviceError>;

    /// Fills memory of the device.
    ///
    /// # Safety
    /// As for `copy_to_device`.
    unsafe fn fill(&mut self, to: Address, value: u8, bytes: usize) -> Result<(), DeviceError>;

    /// Executes a kernel. Returns how many teams execute it; 0 if the plug-in does not know.
    ///
    /// # Safety
    /// The kernel is of a program that stays loaded, and takes these arguments.
    unsafe fn launch(&mut self, kernel: Kernel, launch: &Launch<'_>) -> Result<u32, DeviceError>;

    /// An event that happens when all operations so far are done; `None` if they are done.
    fn record(&mut self) -> Result<Option<Arc<dyn Event>>, DeviceError>;

    /// Lets later operations begin only after the event, which a queue of the same device made.
    fn wait_for(&mut self, event: &Arc<dyn Event>) -> Result<(), DeviceError>;

    /// Whether all operations are done.
    fn is_done(&mut self) -> Result<bool, DeviceError>;

    /// Waits until all operations are done.
    fn finish(&mut self) -> Result<(), DeviceError>;
}

/// A point in a queue.
pub trait Event: Send + Sync + fmt::Debug {
    /// Whether the operations before the event are done.
    fn has_happened(&self) -> bool;

    /// The time of the device's clock at which the event happened; `None` if it has not happened.
    fn time(&self) -> Option<u64>;

    /// The event as the plug-in's own type, for its queues.
    fn as_any(&self) -> &dyn core::any::Any;
}
