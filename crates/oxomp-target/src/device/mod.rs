//! A device by its number: its mapping table, and the programs that it has loaded.

use core::ffi::{CStr, c_void};
use core::ops::Range;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU64};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, OnceLock, RwLock, RwLockWriteGuard};

use crate::ending;
use crate::entry::Entry;
use crate::library::Library;
use crate::location::ItemName;
use crate::mapping::{POINTER_BYTES, Table};
use crate::plugin::{Address, Device, DeviceError, Kernel, MemoryKind, Plugin, Program};
use crate::sync::{lock, read, write};
use crate::tool::{self, HeldTurnstile, HostTool, Image, Scope, Turnstile};
use crate::trace::Tracer;
use crate::transfer::{Channel, Transfer};

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
    /// Before the device is made ready.
    pub(crate) turnstile: Turnstile,
    /// The last tool that was told of the device.
    known_to: AtomicPtr<HostTool>,
    description: OnceLock<CString>,
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

/// A program that the device has loaded, and what came with it.
#[derive(Debug)]
struct Loaded {
    descriptor: usize,
    /// None if no image of the library fits the device.
    program: Option<LoadedProgram>,
    regions: Vec<usize>,
    variables: Vec<usize>,
}

/// The locks of a device, in the order in which threads take several of them.
#[derive(Debug)]
pub(crate) struct DeviceLocks {
    pub(crate) turnstile: HeldTurnstile<'static>,
    _programs: MutexGuard<'static, Vec<Loaded>>,
    _kernels: RwLockWriteGuard<'static, HashMap<usize, NamedKernel>>,
    pub(crate) table: MutexGuard<'static, Table>,
}

/// A program, and the image of which it was made.
#[derive(Debug)]
struct LoadedProgram {
    program: Box<dyn Program>,
    image: Image,
}

/// A library whose program the device has just loaded.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) descriptor: usize,
    /// None if no image of the library fits the device.
    pub(crate) image: Option<Image>,
    variables: Vec<Variable>,
}

/// A variable of the host that has a counterpart in a program.
#[derive(Debug)]
struct Variable {
    host: Range<usize>,
    name: ItemName,
    /// What the program has under the variable's name.
    device: Address,
    reference: Reference,
}

/// What a program has under the name of a variable of the host.
#[derive(Clone, Copy, Debug)]
enum Reference {
    /// The counterpart.
    Direct,
    /// The counterpart of a reference pointer.
    Link,
    /// A pointer to the counterpart, a function.
    Function,
}

/// A number that no other loaded image has; 0 is none's.
fn next_module() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: only the difference counts.
    NEXT.fetch_add(1, Relaxed)
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
            description: OnceLock::new(),
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

    /// Loads the program of a library that the device has not seen; none if it has seen all. The
    /// program's variables have no counterparts before `enter_variables`.
    pub(crate) fn load_next(
        &self,
        plugin: &dyn Plugin,
        libraries: &[Library],
    ) -> Result<Option<Arrival>, DeviceError> {
        let mut programs = lock(&self.programs);
        let is_new = |library: &&Library| {
            programs.iter().all(|loaded| loaded.descriptor != library.descriptor)
        };
        let Some(library) = libraries.iter().find(is_new) else { return Ok(None) };
        let mut loaded = Loaded {
            descriptor: library.descriptor,
            program: None,
            regions: Vec::new(),
            variables: Vec::new(),
        };
        let mut arrival =
            Arrival { descriptor: library.descriptor, image: None, variables: Vec::new() };
        if let Some(image) = library.images.iter().find(|image| plugin.accepts(image)) {
            let program = self.device.load(image)?;
            for entry in &library.entries {
                self.enter(entry, &*program, &mut loaded, &mut arrival);
            }
            let image = Image { module: next_module(), bytes: image, device: program.address() };
            loaded.program = Some(LoadedProgram { program, image });
            arrival.image = Some(image);
        }
        programs.push(loaded);
        ending::watch();
        Ok(Some(arrival))
    }

    fn enter(
        &self,
        entry: &Entry<'static>,
        program: &dyn Program,
        loaded: &mut Loaded,
        arrival: &mut Arrival,
    ) {
        let (name, host, reference) = match *entry {
            Entry::Kernel { region, name } => {
                let Some(kernel) = program.kernel(name) else { return };
                let name = name.to_string_lossy().into_owned();
                write(&self.kernels).insert(region, NamedKernel { kernel, name });
                loaded.regions.push(region);
                return;
            }
            Entry::Variable { address, name, bytes, is_link } => {
                let reference = if is_link { Reference::Link } else { Reference::Direct };
                (name, address..address + bytes, reference)
            }
            Entry::IndirectFunction { address, name } => {
                (name, address..address + POINTER_BYTES, Reference::Function)
            }
            Entry::Requires(_) => return,
        };
        if let Some(device) = program.variable(name) {
            // SAFETY: a string of the library, whose unloading removes the entry.
            let name = unsafe { ItemName::new(name.as_ptr().cast()) };
            arrival.variables.push(Variable { host, name, device, reference });
        }
    }

    /// Gives the variables of a program that has just been loaded their counterparts.
    pub(crate) fn enter_variables(
        &'static self,
        arrival: &Arrival,
        is_memory_unified: bool,
        scope: &Scope,
    ) -> Result<(), DeviceError> {
        for variable in &arrival.variables {
            let device = match variable.reference {
                Reference::Function => self.read_pointer(variable, scope)?,
                Reference::Link if is_memory_unified => {
                    self.point_to_host(variable, scope)?;
                    variable.device
                }
                Reference::Link | Reference::Direct => variable.device,
            };
            let host = variable.host.clone();
            let is_entered = self.table().insert_permanent(host.clone(), device, variable.name);
            if !is_entered {
                continue;
            }
            let mut programs = lock(&self.programs);
            if let Some(it) = programs.iter_mut().find(|it| it.descriptor == arrival.descriptor) {
                it.variables.push(host.start);
            }
            drop(programs);
            scope.association(self, &host, device);
        }
        Ok(())
    }

    /// Has the reference pointer on the device point to what the host's points to.
    fn point_to_host(&'static self, at: &Variable, scope: &Scope) -> Result<(), DeviceError> {
        let mut queue = self.device.queue()?;
        let (host, bytes) = (at.host.start, POINTER_BYTES);
        let transfer = Transfer { host, device: at.device, bytes, name: at.name };
        let mut channel = Channel { device: self, queue: &mut *queue, scope };
        // SAFETY: both are reference pointers of one variable, which live as long as the library.
        unsafe { channel.send(&transfer, ptr::with_exposed_provenance(host))? };
        queue.finish()
    }

    fn read_pointer(&'static self, at: &Variable, scope: &Scope) -> Result<Address, DeviceError> {
        let (mut queue, mut value) = (self.device.queue()?, 0_usize);
        let place = (&raw mut value).cast::<c_void>();
        let (host, bytes) = (place.expose_provenance(), POINTER_BYTES);
        let transfer = Transfer { host, device: at.device, bytes, name: at.name };
        let mut channel = Channel { device: self, queue: &mut *queue, scope };
        // SAFETY: the variable is a pointer, and the value outlives the queue's operations.
        unsafe { channel.fetch(&transfer, place)? };
        queue.finish()?;
        Ok(Address(value))
    }

    /// The images that the device has loaded.
    pub(crate) fn images(&self) -> Vec<Image> {
        let programs = lock(&self.programs);
        programs.iter().filter_map(|it| it.program.as_ref()).map(|it| it.image).collect()
    }

    /// Unloads the program of a library.
    pub(crate) fn unload(&self, descriptor: usize) {
        let image = {
            let programs = lock(&self.programs);
            let loaded = programs.iter().find(|loaded| loaded.descriptor == descriptor);
            loaded.and_then(|loaded| loaded.program.as_ref()).map(|it| it.image)
        };
        if let Some(image) = image
            && let Some(tool) = tool::listener()
        {
            tool::unloading(tool, self, image.module);
        }
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

    /// What the device is, for tools.
    pub(crate) fn description(&self) -> &CStr {
        self.description.get_or_init(|| CString::new(self.device.description()).unwrap_or_default())
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

    /// Whether code of the calling process is of a program that the device has loaded.
    #[must_use]
    pub fn executes(&self, code: *const c_void) -> bool {
        let programs = lock(&self.programs);
        let mut programs = programs.iter().filter_map(|it| it.program.as_ref());
        programs.any(|it| it.program.contains(code))
    }

    /// Frees an allocation of the mapping table.
    pub(crate) fn free_mapped(&self, allocation: Address) {
        // SAFETY: the entry that owned the allocation is gone, and its operations are done.
        unsafe { self.device.free(allocation, MemoryKind::Device) };
    }
}
