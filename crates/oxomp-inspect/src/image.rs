//! A process that stands still.

use std::cell::OnceCell;

use crate::live::Hold;
use crate::memory::ProcessMemory;
use crate::module::Module;
use crate::symbols::DynamicSymbols;
use crate::thread::NativeThread;
use crate::{Result, live};

/// A process that stands still: one that was stopped, or a core file.
///
/// A stopped process goes on when the image is dropped, as if nothing had been: signals that came
/// in between are delivered, and a process that `SIGSTOP` had stopped before stays stopped.
#[derive(Debug)]
pub struct Image {
    pub(crate) pid: i32,
    pub(crate) memory: ProcessMemory,
    pub(crate) modules: Vec<Module>,
    pub(crate) threads: Vec<NativeThread>,
    /// Ranges of mapped memory, for the stacks of threads.
    pub(crate) mapped: Vec<std::ops::Range<u64>>,
    pub(crate) warnings: Vec<String>,
    /// Dynamic symbols by module, as far as they were asked for.
    pub(crate) symbols: Vec<OnceCell<Option<DynamicSymbols>>>,
    /// Keeps a live process stopped.
    pub(crate) _hold: Option<Hold>,
}

/// A symbol of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Its address in the process.
    pub address: u64,
    /// Index in [`Image::modules`] of the module that defines it.
    pub module: usize,
}

impl Image {
    /// Stops the process `pid`, all threads of it.
    ///
    /// The image may be used and dropped by any thread. If the calling process is killed, the
    /// kernel lets the stopped one go on.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error) says why it cannot be stopped, and what helps.
    pub fn stop(pid: i32) -> Result<Self> {
        live::stop(pid)
    }

    /// The process's number; in a core file, the one that it had.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// The process's memory. What this returns can be read while the image lives; a copy that
    /// outlives it reads a process that runs.
    #[must_use]
    pub fn memory(&self) -> ProcessMemory {
        self.memory.clone()
    }

    /// The loaded binaries: the program, its libraries and the vdso, by address.
    #[must_use]
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The threads, by number; those that could not be stopped are there too, without registers.
    #[must_use]
    pub fn threads(&self) -> &[NativeThread] {
        &self.threads
    }

    /// What is missing or doubtful: a file that has changed since it was mapped, a thread that did
    /// not stop. Each is one sentence for people.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The address of the dynamic symbol `name`, of the first module that defines it.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.definitions(name).first().map(|definition| definition.address)
    }

    /// Every definition of the dynamic symbol `name`, in the order of the modules.
    #[must_use]
    pub fn definitions(&self, name: &str) -> Vec<Definition> {
        (0..self.modules.len())
            .filter_map(|module| {
                let address = self.dynamic_symbols(module)?.find(&self.memory, name)?;
                Some(Definition { address, module })
            })
            .collect()
    }

    /// The module that holds `address`.
    #[must_use]
    pub fn module_of(&self, address: u64) -> Option<usize> {
        self.modules.iter().position(|module| module.holds(address))
    }

    /// The thread on whose stack an address with these low 32 bits lies; `None` if there is none,
    /// or more than one.
    #[must_use]
    pub fn thread_of_stack(&self, low_bits: u32) -> Option<i32> {
        let mut holders = self.threads.iter().filter(|thread| {
            let stack = thread.registers.as_ref().and_then(|registers| {
                let sp = registers.sp();
                self.mapped.iter().find(|range| range.contains(&sp)).map(|range| (sp, range.end))
            });
            stack.is_some_and(|(sp, end)| {
                // The bytes below the stack pointer that a function may use without a frame.
                let from = sp.saturating_sub(RED_ZONE);
                u64::from(low_bits.wrapping_sub(from as u32)) < end - from
            })
        });
        let first = holders.next()?;
        holders.next().is_none().then_some(first.lwp)
    }

    pub(crate) fn dynamic_symbols(&self, module: usize) -> Option<&DynamicSymbols> {
        let elf = &self.modules.get(module)?.elf;
        self.symbols.get(module)?.get_or_init(|| DynamicSymbols::of(&self.memory, elf)).as_ref()
    }
}

/// Bytes below the stack pointer that code of x86_64 may use.
const RED_ZONE: u64 = 128;
