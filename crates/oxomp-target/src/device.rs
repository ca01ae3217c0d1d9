//! A device by its number: its mapping table, and the programs that it has loaded.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Release};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, RwLock, RwLockWriteGuard};

use crate::ending;
use crate::entry::Entry;
use crate::info::{self, Direction};
use crate::library::Library;
use crate::location::ItemName;
use crate::mapping::{POINTER_BYTES, Table};
use crate::plugin::{Address, Device, DeviceError, Kernel, MemoryKind, Plugin, Program};
use crate::sync::{lock, read, write};

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
    /// The generation of libraries that the device has seen; written with `programs` locked.
    generation: AtomicU64,
}

/// A kernel, and its name for messages.
#[derive(Clone, Debug)]
pub struct NamedKernel {
    /// The kernel.
    pub kernel: Kernel,
    /// Its name.
    pub name: String,
}

/// A program that the device has loaded, and what came with it.
#[derive(Debug)]
struct Loaded {
    descriptor: usize,
    /// None if no image of the library fits the device.
    program: Option<Box<dyn Program>>,
    regions: Vec<usize>,
    variables: Vec<usize>,
}

/// The locks of a device, in the order in which threads take several of them.
#[derive(Debug)]
pub(crate) struct DeviceLocks {
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
        }
    }

    /// The mapping table, locked.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// Takes all locks.
    pub(crate) fn locks(&'static self) -> DeviceLocks {
        let programs = lock(&self.programs);
        let kernels = write(&self.kernels);
        DeviceLocks { _programs: programs, _kernels: kernels, table: self.table() }
    }

    /// Whether the device has seen all libraries of the generation.
    pub(crate) fn is_current(&self, generation: u64) -> bool {
        // Acquire: with the Release after the programs were loaded.
        self.generation.load(Acquire) == generation
    }

    /// Loads the programs of libraries that the device has not seen.
    pub(crate) fn load(
        &self,
        plugin: &dyn Plugin,
        libraries: &[Library],
        generation: u64,
        is_memory_unified: bool,
    ) -> Result<(), DeviceError> {
        let mut programs = lock(&self.programs);
        for library in libraries {
            if programs.iter().any(|loaded| loaded.descriptor == library.descriptor) {
                continue;
            }
            programs.push(self.load_library(plugin, library, is_memory_unified)?);
        }
        ending::watch();
        self.generation.store(generation, Release);
        Ok(())
    }

    fn load_library(
        &self,
        plugin: &dyn Plugin,
        library: &Library,
        is_memory_unified: bool,
    ) -> Result<Loaded, DeviceError> {
        let mut loaded = Loaded {
            descriptor: library.descriptor,
            program: None,
            regions: Vec::new(),
            variables: Vec::new(),
        };
        let Some(image) = library.images.iter().find(|image| plugin.accepts(image)) else {
            return Ok(loaded);
        };
        let program = self.device.load(image)?;
        for entry in &library.entries {
            match *entry {
                Entry::Kernel { region, name } => {
                    let Some(kernel) = program.kernel(name) else { continue };
                    let name = name.to_string_lossy().into_owned();
                    write(&self.kernels).insert(region, NamedKernel { kernel, name });
                    loaded.regions.push(region);
                }
                Entry::Variable { address, name, bytes, is_link } => {
                    let Some(device) = program.variable(name) else { continue };
                    if is_link && is_memory_unified {
                        self.point_to_host(device, address)?;
                    }
                    // SAFETY: a string of the library, whose unloading removes the entry.
                    let name = unsafe { ItemName::new(name.as_ptr().cast()) };
                    if self.table().insert_permanent(address..address + bytes, device, name) {
                        loaded.variables.push(address);
                    }
                }
                Entry::IndirectFunction { address, name } => {
                    let Some(variable) = program.variable(name) else { continue };
                    let device = self.read_pointer(variable)?;
                    let (range, name) = (address..address + POINTER_BYTES, ItemName::default());
                    if self.table().insert_permanent(range, device, name) {
                        loaded.variables.push(address);
                    }
                }
                Entry::Requires(_) => {}
            }
        }
        loaded.program = Some(program);
        Ok(loaded)
    }

    /// Has the reference pointer at `device` point to what the host's at `host` points to.
    fn point_to_host(&self, device: Address, host: usize) -> Result<(), DeviceError> {
        let mut queue = self.device.queue()?;
        let (way, name) = (Direction::ToDevice, ItemName::default());
        info::transfer(self.number, way, host, device, POINTER_BYTES, name);
        let pointer = ptr::with_exposed_provenance(host);
        // SAFETY: both are reference pointers of one variable, which live as long as the library.
        unsafe { queue.copy_to_device(device, pointer, POINTER_BYTES)? };
        queue.finish()
    }

    fn read_pointer(&self, variable: Address) -> Result<Address, DeviceError> {
        let (mut queue, mut value) = (self.device.queue()?, 0_usize);
        let (place, way) = (ptr::from_ref(&value).addr(), Direction::FromDevice);
        info::transfer(self.number, way, place, variable, POINTER_BYTES, ItemName::default());
        // SAFETY: the variable is a pointer, and the value outlives the queue's operations.
        unsafe { queue.copy_from_device((&raw mut value).cast(), variable, POINTER_BYTES)? };
        queue.finish()?;
        Ok(Address(value))
    }

    /// Unloads the program of a library.
    pub(crate) fn unload(&self, descriptor: usize) {
        let mut programs = lock(&self.programs);
        let Some(index) = programs.iter().position(|loaded| loaded.descriptor == descriptor) else {
            return;
        };
        let mut loaded = programs.swap_remove(index);
        drop(programs);
        let mut kernels = write(&self.kernels);
        for region in &loaded.regions {
            kernels.remove(region);
        }
        drop(kernels);
        let mut table = self.table();
        for &variable in &loaded.variables {
            table.remove_permanent(variable);
        }
        drop(table);
        if ending::has_begun() {
            // Threads may run its kernels until the process is gone.
            core::mem::forget(loaded.program.take());
        }
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

    /// Whether code of the calling process is of a program that the device has loaded.
    #[must_use]
    pub fn executes(&self, code: *const c_void) -> bool {
        let programs = lock(&self.programs);
        programs.iter().filter_map(|it| it.program.as_ref()).any(|it| it.contains(code))
    }

    /// Frees an allocation of the mapping table.
    pub(crate) fn free_mapped(&self, allocation: Address) {
        // SAFETY: the entry that owned the allocation is gone, and its operations are done.
        unsafe { self.device.free(allocation, MemoryKind::Device) };
    }
}
