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
use crate::plugin::{Device, DeviceError, EntryName, Image, OpaqueImage, Program};

/// The program of a library on its way to a device: a copy of what it needs of the library, which
/// may be closed meanwhile.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) library: u64,
    /// Where the library's descriptor stands, for messages.
    descriptor: usize,
    /// The index of the image that fits the device.
    pub(super) image: Option<usize>,
    code: Code,
    entries: Vec<OffloadEntry<'static>>,
    pub(super) program: Option<Box<dyn Program>>,
    pub(super) kernels: Vec<(usize, NamedKernel)>,
    pub(super) variables: VecDeque<Variable>,
}

/// What is loaded: a copy of the image, if it can be copied.
#[derive(Debug)]
enum Code {
    Bytes(Vec<u8>),
    Opaque(OpaqueImage),
}

impl Code {
    fn of(image: Image<'_>) -> Self {
        match image {
            Image::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Image::Opaque(image) => Self::Opaque(image),
        }
    }

    fn image(&self) -> Image<'_> {
        match self {
            Self::Bytes(bytes) => Image::Bytes(bytes),
            Self::Opaque(image) => Image::Opaque(*image),
        }
    }
}

impl Arrival {
    /// The program of the library for a device of the plug-in with that index.
    pub(super) fn new(library: &Library, plugin: usize) -> Self {
        let image = library.fitting.get(plugin).copied().flatten();
        Self {
            library: library.number,
            descriptor: library.descriptor,
            image,
            code: image.map_or(Code::Bytes(Vec::new()), |index| Code::of(library.images[index])),
            entries: library.entries.clone(),
            program: None,
            kernels: Vec::new(),
            variables: VecDeque::new(),
        }
    }

    /// Makes the device load the program, and finds the program's kernels and variables. The caller
    /// holds no lock.
    pub(crate) fn load(&mut self, device: &dyn Device, number: i32) -> Result<(), DeviceError> {
        if self.image.is_none() {
            return Ok(());
        }
        let descriptor = self.descriptor;
        let of_library = |error| DeviceError(format!("{}: {error}", file_of(descriptor)));
        let entries = mem::take(&mut self.entries);
        let is_kernel = |it: &&OffloadEntry<'_>| matches!(it, OffloadEntry::Kernel { .. });
        let kernels = entries.iter().filter(is_kernel).count();
        let code = mem::replace(&mut self.code, Code::Bytes(Vec::new()));
        let counts = [kernels, entries.len() - kernels];
        let program = device.load(code.image(), number, counts).map_err(of_library)?;
        let mut next = [0, 0];
        for entry in entries {
            let next = &mut next[usize::from(!is_kernel(&&entry))];
            self.find(&entry, *next, &*program).map_err(of_library)?;
            *next += 1;
        }
        self.program = Some(program);
        Ok(())
    }

    fn find(
        &mut self,
        entry: &OffloadEntry<'static>,
        index: usize,
        program: &dyn Program,
    ) -> Result<(), DeviceError> {
        let (name, host, reference) = match *entry {
            OffloadEntry::Kernel { region, name } => {
                if let Some(kernel) = program.kernel(EntryName { name, index }) {
                    let name = name.to_string_lossy().into_owned();
                    self.kernels.push((region, NamedKernel { kernel, name }));
                }
                return Ok(());
            }
            OffloadEntry::Variable { address, name, bytes, is_link } => {
                let reference = if is_link { Reference::Link } else { Reference::Direct };
                (name, address..address + bytes, reference)
            }
            OffloadEntry::LinkedVariable { address, bytes } => {
                (c"", address..address + bytes, Reference::Pointer)
            }
            OffloadEntry::IndirectFunction { address, name } => {
                (name, address..address + POINTER_BYTES, Reference::Function)
            }
            OffloadEntry::Requires(_) => return Ok(()),
        };
        let bytes = match reference {
            Reference::Pointer => POINTER_BYTES,
            _ => host.len(),
        };
        if let Some(device) = program.variable(EntryName { name, index }, bytes)? {
            // SAFETY: a string that is kept for the rest of the process.
            let name = unsafe { ItemName::new(name.as_ptr().cast()) };
            self.variables.push_back(Variable { host, name, device, reference });
        }
        Ok(())
    }
}
