//! A device by its number: its locks, its mapping table, and the programs that it has loaded.

mod load;
mod loaded;
mod turnstile;

use core::ffi::{CStr, c_void};
use core::ops::ControlFlow;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::collections::HashMap;
use std::ffi::CString;

use once_cell::race::OnceBox;

use crate::mapping::Table;
use crate::plugin::{Address, Device, Kernel, MemoryKind};
use crate::report;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Child, Mutex, MutexGuard, Visit, lock};
use crate::tool::HostTool;
use crate::trace::Tracer;

use loaded::Loaded;

pub(crate) use load::Arrival;
pub(crate) use loaded::Image;
pub(crate) use turnstile::Turnstile;

/// A device of the program.
#[derive(Debug)]
pub struct TargetDevice {
    /// The device's number in the program.
    pub number: i32,
    /// The plug-in's device.
    pub device: &'static dyn Device,
    /// The index of the device's plug-in.
    pub plugin: usize,
    table: Mutex<Table>,
    /// The kernels of the loaded programs, by their regions.
    kernels: Mutex<HashMap<usize, NamedKernel>>,
    programs: Mutex<Vec<Loaded>>,
    /// Whether a thread that is gone was changing the device, in a child of fork(2).
    is_lost: AtomicBool,
    /// Whether a warning has told the user that the device is lost.
    is_warned_of: AtomicBool,
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
    pub kernel: Kernel,
    /// The kernel's name.
    pub name: String,
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
            kernels: Mutex::default(),
            programs: Mutex::default(),
            is_lost: AtomicBool::new(false),
            is_warned_of: AtomicBool::new(false),
            generation: AtomicU64::new(0),
            turnstile: Turnstile::default(),
            known_to: AtomicPtr::default(),
            description: OnceBox::new(),
            tracer: Tracer::new(number, device),
        }
    }

    /// The mapping table, locked.
    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// Calls `visit` with each lock of the device, except those of its trace (`fork`).
    pub(crate) fn each_lock(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.turnstile.each_lock(visit)?;
        visit(&self.programs)?;
        visit(&self.kernels)?;
        visit(&self.table)
    }

    /// In the child of a fork: takes back what threads that are gone had begun. The device is lost
    /// if one of these threads was changing it, or if `is_known` is false: such a thread was
    /// changing the lists of devices or libraries.
    pub(crate) fn after_fork(&self, child: &Child, is_known: bool) {
        self.turnstile.after_fork(child);
        let has_programs = self.programs.after_fork(child, Vec::new).is_whole();
        let has_kernels = self.kernels.after_fork(child, HashMap::new).is_whole();
        let table = self.table.after_fork(child, Table::default);
        let survives = self.device.survives_fork();
        if !(survives && is_known && has_programs && has_kernels && table.is_whole()) {
            // Relaxed: the process has no other thread yet.
            self.is_lost.store(true, Relaxed);
        }
        if let Some(mut table) = table.guard() {
            table.forget_turns();
        }
        self.tracer.after_fork(child);
    }

    /// Whether the device is lost to this child of fork(2), which gets a warning at the first use.
    pub(crate) fn is_lost(&self) -> bool {
        let is_lost = self.is_lost.load(Relaxed);
        if is_lost && !self.is_warned_of.swap(true, Relaxed) {
            let number = self.number;
            report::warn(&if self.device.survives_fork() {
                format!(
                    "device {number} is lost to this child of fork(2), and the host executes its \
                     constructs: a thread that the child does not have was changing what the \
                     device holds; remedy: fork before the program uses devices, or while no other \
                     thread does"
                )
            } else {
                format!(
                    "device {number} is lost to this child of fork(2), and the host executes its \
                     constructs: its driver serves the process that has begun to use it alone; \
                     remedy: fork before the program uses devices"
                )
            });
        }
        is_lost
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
        lock(&self.kernels).get(&region).map(|named| named.kernel)
    }

    /// The name of the kernel of a target region.
    #[must_use]
    pub fn kernel_name(&self, region: usize) -> Option<String> {
        lock(&self.kernels).get(&region).map(|named| named.name.clone())
    }

    /// The images that tools may know.
    pub(crate) fn images(&self) -> Vec<Image> {
        let programs = lock(&self.programs);
        let known = programs.iter().filter(|it| it.is_told);
        known.filter_map(|it| it.program.as_ref()).map(|it| it.image).collect()
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
