//! The program of a library on its way to a device.

use core::mem;
use std::collections::VecDeque;

use crate::device::NamedKernel;
use crate::device::loaded::{Reference, Variable};
use crate::entry::OffloadEntry;
use crate::library::Library;
use crate::loader::file_of;
use crate::location::ItemName;
use crate::mapping::POINTER_BYTES;
use crate::plugin::{Device, DeviceError, Program};

/// The program of a library on its way to a device: a copy of what it needs of the library, which
/// may be closed meanwhile.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) library: u64,
    /// Where the library's descriptor stands, for messages.
    descriptor: usize,
    /// The index of the image that fits the device.
    pub(super) image: Option<usize>,
    bytes: Vec<u8>,
    entries: Vec<OffloadEntry<'static>>,
    pub(super) program: Option<Box<dyn Program>>,
    pub(super) kernels: Vec<(usize, NamedKernel)>,
    pub(super) variables: VecDeque<Variable>,
}

impl Arrival {
    /// The program of the library for a device of the plug-in with that index.
    pub(super) fn new(library: &Library, plugin: usize) -> Self {
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

    /// Makes the device load the program, and finds the program's kernels and variables. The caller
    /// holds no lock.
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
