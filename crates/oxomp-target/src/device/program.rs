//! The programs that a device has loaded: one for each library, from its image.
//!
//! The loader of the process runs constructors, and a library is opened and closed, while the
//! loader's own lock is held: whoever holds that waits for the locks of this library. So no lock of
//! this library is held while a plug-in loads, searches or unloads a program. A library that is
//! closed while its program arrives takes its kernels and variables from the device at once, and
//! leaves the rest to the thread that loads.

use core::ffi::c_void;
use core::mem;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::VecDeque;

use super::variable::{Reference, Variable};
use super::{NamedKernel, TargetDevice};
use crate::ending;
use crate::entry::OffloadEntry;
use crate::library::{Library, file_of};
use crate::location::ItemName;
use crate::mapping::POINTER_BYTES;
use crate::plugin::{Device, DeviceError, Program};
use crate::sync::lock;
use crate::tool::{self, Image};

/// A program that the device has loaded, and what came with it.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) library: u64,
    /// None if no image of the library fits the device.
    program: Option<LoadedProgram>,
    regions: Vec<usize>,
    /// The host addresses of variables that have their counterparts.
    pub(super) variables: Vec<usize>,
    /// The variables that have none yet.
    pub(super) arriving: VecDeque<Variable>,
    /// Whether tools have been told of the image, or will be with the device.
    is_told: bool,
    stage: Stage,
}

/// How far a loaded program has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The variables get their counterparts.
    Arriving,
    /// The library has been closed before that, or the device has failed.
    Closed,
    /// The variables have their counterparts.
    Ready,
}

/// A program, and the image of which it was made.
#[derive(Debug)]
struct LoadedProgram {
    program: Box<dyn Program>,
    image: Image,
}

/// The program of a library on its way to a device: a copy of what it needs of the library, which
/// may be closed meanwhile.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) library: u64,
    /// Where the library's descriptor stands, for messages.
    descriptor: usize,
    /// The index of the image that fits the device.
    image: Option<usize>,
    bytes: Vec<u8>,
    entries: Vec<OffloadEntry<'static>>,
    program: Option<Box<dyn Program>>,
    kernels: Vec<(usize, NamedKernel)>,
    variables: VecDeque<Variable>,
}

/// A number that no other loaded image has; 0 is none's.
fn next_module() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: only the difference counts.
    NEXT.fetch_add(1, Relaxed)
}

impl Arrival {
    fn new(library: &Library, plugin: usize) -> Self {
        let image = library.fitting.get(plugin).copied().flatten();
        Self {
            library: library.number,
            descriptor: library.descriptor,
            image,
            bytes: image.map_or_else(Vec::new, |index| library.images[index].to_vec()),
            entries: library.entries.clone(),
            program: None,
            kernels: Vec::new(),
            variables: VecDeque::new(),
        }
    }

    /// Has the device load the program, and finds its kernels and variables. The caller holds no
    /// lock.
    pub(crate) fn load(&mut self, device: &dyn Device) -> Result<(), DeviceError> {
        if self.image.is_none() {
            return Ok(());
        }
        let of_library = |error| DeviceError(format!("{}: {error}", file_of(self.descriptor)));
        let program = device.load(&mem::take(&mut self.bytes)).map_err(of_library)?;
        for entry in mem::take(&mut self.entries) {
            self.find(&entry, &*program);
        }
        self.program = Some(program);
        Ok(())
    }

    fn find(&mut self, entry: &OffloadEntry<'static>, program: &dyn Program) {
        let (name, host, reference) = match *entry {
            OffloadEntry::Kernel { region, name } => {
                if let Some(kernel) = program.kernel(name) {
                    let name = name.to_string_lossy().into_owned();
                    self.kernels.push((region, NamedKernel { kernel, name }));
                }
                return;
            }
            OffloadEntry::Variable { address, name, bytes, is_link } => {
                let reference = if is_link { Reference::Link } else { Reference::Direct };
                (name, address..address + bytes, reference)
            }
            OffloadEntry::IndirectFunction { address, name } => {
                (name, address..address + POINTER_BYTES, Reference::Function)
            }
            OffloadEntry::Requires(_) => return,
        };
        if let Some(device) = program.variable(name) {
            // SAFETY: a string that is kept for the rest of the process.
            let name = unsafe { ItemName::new(name.as_ptr().cast()) };
            self.variables.push_back(Variable { host, name, device, reference });
        }
    }
}

impl TargetDevice {
    /// The program of a library that the device has not seen; none if it has seen all.
    pub(crate) fn unseen(&self, libraries: &[Library]) -> Option<Arrival> {
        let programs = lock(&self.programs);
        let is_new = |it: &&Library| programs.iter().all(|loaded| loaded.library != it.number);
        libraries.iter().find(is_new).map(|library| Arrival::new(library, self.plugin))
    }

    /// Adds a program that has been loaded; its variables have no counterparts before
    /// `enter_variables`. The caller holds the lock of the libraries, in which `library` is.
    pub(crate) fn add(&self, arrival: Arrival, library: &Library) {
        let Arrival { image, program, kernels, variables, .. } = arrival;
        let mut loaded = Loaded {
            library: library.number,
            program: None,
            regions: kernels.iter().map(|(region, _)| *region).collect(),
            variables: Vec::new(),
            arriving: variables,
            is_told: false,
            stage: Stage::Arriving,
        };
        if let (Some(index), Some(program)) = (image, program) {
            let (bytes, device) = (library.images[index], program.address());
            let image = Image { module: next_module(), bytes, device };
            loaded.program = Some(LoadedProgram { program, image });
        }
        let mut programs = lock(&self.programs);
        lock(&self.kernels).extend(kernels);
        programs.push(loaded);
        ending::watch();
    }

    /// A library whose program is not ready: it has just been added, or, in the child of a fork, by
    /// a thread that is gone.
    pub(crate) fn arriving(&self) -> Option<u64> {
        let programs = lock(&self.programs);
        let arriving = programs.iter().find(|loaded| loaded.stage != Stage::Ready);
        arriving.map(|loaded| loaded.library)
    }

    /// The image of an arriving program, if tools are to be told of it now.
    pub(crate) fn becomes_visible(&self, library: u64) -> Option<Image> {
        let mut programs = lock(&self.programs);
        let loaded = programs.iter_mut().find(|it| it.library == library)?;
        if loaded.stage == Stage::Closed || mem::replace(&mut loaded.is_told, true) {
            return None;
        }
        loaded.program.as_ref().map(|it| it.image)
    }

    /// Ends the arrival of a program: it is ready, or, if its library was closed meanwhile,
    /// unloaded.
    pub(crate) fn settle(&self, library: u64) {
        let mut programs = lock(&self.programs);
        let Some(loaded) = programs.iter_mut().find(|it| it.library == library) else { return };
        if loaded.stage != Stage::Closed {
            loaded.stage = Stage::Ready;
            return;
        }
        drop(programs);
        self.drop_program(library);
    }

    /// The images that tools may know.
    pub(crate) fn images(&self) -> Vec<Image> {
        let programs = lock(&self.programs);
        let known = programs.iter().filter(|it| it.is_told);
        known.filter_map(|it| it.program.as_ref()).map(|it| it.image).collect()
    }

    /// Unloads the program of a library. If it is still arriving, the thread that loads it does the
    /// rest.
    pub(crate) fn unload(&self, library: u64) {
        if self.close(library) {
            self.drop_program(library);
        }
    }

    /// Takes the kernels and variables of a library from the device. Returns whether the program is
    /// to be dropped now.
    pub(crate) fn close(&self, library: u64) -> bool {
        let mut programs = lock(&self.programs);
        let Some(loaded) = programs.iter_mut().find(|it| it.library == library) else {
            return false;
        };
        let is_ready = loaded.stage == Stage::Ready;
        if !is_ready {
            loaded.stage = Stage::Closed;
        }
        let (regions, variables) =
            (mem::take(&mut loaded.regions), mem::take(&mut loaded.variables));
        loaded.arriving.clear();
        drop(programs);
        let mut kernels = lock(&self.kernels);
        for region in &regions {
            kernels.remove(region);
        }
        drop(kernels);
        let mut table = self.table();
        for &variable in &variables {
            table.remove_permanent(variable);
        }
        is_ready
    }

    /// Drops the program of a library that is closed.
    fn drop_program(&self, library: u64) {
        let module = {
            let programs = lock(&self.programs);
            let loaded = programs.iter().find(|it| it.library == library && it.is_told);
            loaded.and_then(|it| it.program.as_ref()).map(|it| it.image.module)
        };
        if let (Some(module), Some(tool)) = (module, tool::listener()) {
            tool::unloading(tool, self, module);
        }
        let mut programs = lock(&self.programs);
        let Some(index) = programs.iter().position(|it| it.library == library) else { return };
        let loaded = programs.swap_remove(index);
        drop(programs);
        if ending::has_begun() {
            // Threads may run its kernels until the process is gone.
            mem::forget(loaded.program);
        }
    }

    /// Whether code of the calling process is of a program that the device has loaded.
    #[must_use]
    pub fn executes(&self, code: *const c_void) -> bool {
        let programs = lock(&self.programs);
        let mut programs = programs.iter().filter_map(|it| it.program.as_ref());
        programs.any(|it| it.program.contains(code))
    }
}
