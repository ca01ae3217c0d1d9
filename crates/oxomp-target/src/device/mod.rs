//! A device by its number: its locks, its mapping table, and the programs that it has loaded.

mod program;
mod variable;

use core::ffi::CStr;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Release};
use std::collections::HashMap;
use std::ffi::CString;

use once_cell::race::OnceBox;

use crate::mapping::Table;
use crate::plugin::{Address, Device, Kernel, MemoryKind};
use crate::sync::{
    AtomicPtr, AtomicU64, Mutex, MutexGuard, RwLock, RwLockWriteGuard, lock, read, write,
};
use crate::tool::{HeldTurnstile, HostTool, Turnstile};
use crate::trace::Tracer;

use program::Loaded;

pub(crate) use program::Arrival;

/// A device of the program.
#[derive(Debug)]
pub struct TargetDevice {
    /// Its number.
    pub number: i32,
    /// The plug-in's device.
    pub device: &'static dyn Device,
    /// The index of its plug-in.
    pub plugin: usize,
    table: Mutex<Table>,
    /// The kernels of the loaded programs, by their regions.
    kernels: RwLock<HashMap<usize, NamedKernel>>,
    programs: Mutex<Vec<Loaded>>,
    /// The generation of libraries that the device has seen; written inside of the turnstile.
    generation: AtomicU64,
    /// Admits one thread at a time to load programs and to announce the device.
    pub(crate) turnstile: Turnstile,
    /// The last tool that was told of the device.
    known_to: AtomicPtr<HostTool>,
    description: OnceBox<CString>,
    /// The trace that a tool may start.
    pub(crate) tracer: Tracer,
}

/// A kernel, and its name for messages.
#[derive(Clone, Debug)]
pub struct NamedKernel {
    /// The kernel.
    pub kernel: Kernel,
    /// Its name.
    pub name: String,
}

/// The locks of a device, in the order in which threads take several of them.
#[derive(Debug)]
pub(crate) struct DeviceLocks {
    pub(crate) turnstile: HeldTurnstile<'static>,
    _programs: MutexGuard<'static, Vec<Loaded>>,
    _kernels: RwLockWriteGuard<'static, HashMap<usize, NamedKernel>>,
    pub(crate) table: MutexGuard<'static, Table>,
}

impl TargetDevice {
    /// The device `number`.
    #[must_use]
    pub fn new(number: i32, device: &'static dyn Device, plugin: usize) -> Self {
        Self {
            number,
            device,
            plugin,
            table: Mutex::default(),
            kernels: RwLock::default(),
            programs: Mutex::default(),
            generation: AtomicU64::new(0),
            turnstile: Turnstile::default(),
            known_to: AtomicPtr::default(),
            description: OnceBox::new(),
            tracer: Tracer::new(number, device),
        }
    }

    /// The mapping table, locked.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// Takes all locks.
    pub(crate) fn locks(&'static self) -> DeviceLocks {
        let turnstile = self.turnstile.hold();
        let programs = lock(&self.programs);
        let kernels = write(&self.kernels);
        DeviceLocks { turnstile, _programs: programs, _kernels: kernels, table: self.table() }
    }

    /// Whether the device has seen all libraries of the generation.
    pub(crate) fn is_current(&self, generation: u64) -> bool {
        // Acquire: with the Release of `becomes_current`.
        self.generation.load(Acquire) == generation
    }

    /// The device has seen all libraries of the generation.
    pub(crate) fn becomes_current(&self, generation: u64) {
        // Release: with the Acquire of `is_current`.
        self.generation.store(generation, Release);
    }

    /// What the device is, for tools.
    pub(crate) fn description(&self) -> &CStr {
        let describe = || CString::new(self.device.description()).unwrap_or_default();
        self.description.get_or_init(|| Box::new(describe()))
    }

    /// The device has ended for the tool that was told of it.
    pub(crate) fn becomes_unknown(&self) {
        self.known_to.store(ptr::null_mut(), Release);
    }

    /// Whether the tool has been told of the device.
    pub(crate) fn is_known_to(&self, tool: &'static HostTool) -> bool {
        // Acquire: with the Release after the tool was told.
        ptr::eq(self.known_to.load(Acquire), tool)
    }

    /// The tool has been told of the device.
    pub(crate) fn becomes_known_to(&self, tool: &'static HostTool) {
        self.known_to.store(ptr::from_ref(tool).cast_mut(), Release);
    }

    /// The kernel of a target region.
    #[must_use]
    pub fn kernel(&self, region: usize) -> Option<Kernel> {
        read(&self.kernels).get(&region).map(|named| named.kernel)
    }

    /// The name of the kernel of a target region.
    #[must_use]
    pub fn kernel_name(&self, region: usize) -> Option<String> {
        read(&self.kernels).get(&region).map(|named| named.name.clone())
    }

    /// Frees an allocation of the mapping table.
    pub(crate) fn free_mapped(&self, allocation: Address) {
        // SAFETY: the entry that owned the allocation is gone, and its operations are done.
        unsafe { self.device.free(allocation, MemoryKind::Device) };
    }
}
