//! A process that stands still.

use std::cell::{OnceCell, RefCell};
use std::fs;
use std::ops::Range;

use crate::binary::{DynamicSymbols, Module};
use crate::memory::ProcessMemory;
use crate::names::Names;
use crate::pages::Pages;
use crate::stop::Hold;
use crate::thread::NativeThread;
use crate::unwind::Unwinder;

/// A process that stands still: one that was stopped, or a core file.
///
/// A stopped process goes on when the image is dropped, as if nothing had been: signals that came
/// in between are delivered, and a process that `SIGSTOP` had stopped before stays stopped.
#[derive(Debug)]
pub struct Image {
    pub(crate) pid: i32,
    pub(crate) memory: ProcessMemory,
    /// What is known of memory that was never written; `None` for a core file.
    pub(crate) pages: Option<Pages>,
    pub(crate) modules: Vec<Module>,
    pub(crate) threads: Vec<NativeThread>,
    /// Ranges of mapped memory, for the stacks of threads.
    pub(crate) mapped: Vec<Range<u64>>,
    pub(crate) warnings: Vec<String>,
    /// Dynamic symbols by module, as far as they were asked for.
    pub(crate) symbols: Vec<OnceCell<Option<DynamicSymbols>>>,
    pub(crate) unwinder: Unwinder,
    pub(crate) names: RefCell<Names>,
    /// Keeps a live process stopped.
    pub(crate) _hold: Option<Hold>,
}

/// What an image is made of.
pub(crate) struct Parts {
    pub(crate) pid: i32,
    pub(crate) memory: ProcessMemory,
    pub(crate) pages: Option<Pages>,
    pub(crate) modules: Vec<Module>,
    pub(crate) threads: Vec<NativeThread>,
    pub(crate) mapped: Vec<Mapped>,
    pub(crate) warnings: Vec<String>,
}

/// A range of memory of the process.
pub(crate) struct Mapped {
    pub(crate) range: Range<u64>,
    pub(crate) executable: bool,
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
    /// The process's number; in a core file, the one that it had.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Whether it is a stopped process, which goes on, rather than a core file.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.memory.is_live()
    }

    /// What the process has opened as this file descriptor: a path, or a name as `pipe:[1234]`.
    /// `None` for a core file, which does not have this.
    #[must_use]
    pub fn descriptor(&self, number: i32) -> Option<String> {
        let link = format!("/proc/{}/fd/{number}", self.pid);
        let opened = self.is_live().then(|| fs::read_link(link).ok()).flatten()?;
        Some(opened.to_string_lossy().into_owned())
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

    /// What is missing, doubtful or unusual: a file that has changed since it was mapped, a thread
    /// that did not stop, a process that a signal had stopped. Each is one sentence for people.
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

    /// The threads on whose stacks a frame may lie, or may have lain, at an address with these low
    /// 32 bits, by number.
    ///
    /// The whole mapping counts in which a thread's stack pointer is: the frame at the address may
    /// have been left since. Stacks are mappings of their own, for guard pages lie between them. In
    /// a live process a place that was never written does not count: the stack of another thread
    /// may lie a multiple of 4 GiB away, and has memory there that it has not come to.
    #[must_use]
    pub fn stacks_of(&self, low_bits: u32) -> Vec<i32> {
        let may_hold = |range: &Range<u64>| {
            let offset = u64::from(low_bits.wrapping_sub(range.start as u32));
            offset < range.end - range.start && self.may_be_written(range.start + offset)
        };
        self.threads
            .iter()
            .filter(|thread| {
                let sp = thread.registers.map(|registers| registers.sp());
                let stack = sp.and_then(|sp| self.mapped.iter().find(|range| range.contains(&sp)));
                stack.is_some_and(may_hold)
            })
            .map(|thread| thread.lwp)
            .collect()
    }

    fn may_be_written(&self, address: u64) -> bool {
        self.pages.as_ref().is_none_or(|pages| pages.may_be_written(address))
    }

    /// Walks stacks of this process from other registers or copies of its memory.
    #[must_use]
    pub fn unwinder(&self) -> &Unwinder {
        &self.unwinder
    }

    /// An image of what was read so far.
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { pid, memory, pages, modules, threads, mapped, warnings } = parts;
        let executable =
            mapped.iter().filter(|mapped| mapped.executable).map(|mapped| mapped.range.clone());
        let elves = modules.iter().map(|module| (module.elf.clone(), module.file.clone()));
        Self {
            pid,
            unwinder: Unwinder::new(memory.clone(), elves, executable.collect()),
            memory,
            pages,
            symbols: modules.iter().map(|_| OnceCell::new()).collect(),
            modules,
            threads,
            mapped: mapped.into_iter().map(|mapped| mapped.range).collect(),
            warnings,
            names: RefCell::default(),
            _hold: None,
        }
    }

    pub(crate) fn dynamic_symbols(&self, module: usize) -> Option<&DynamicSymbols> {
        let elf = &self.modules.get(module)?.elf;
        self.symbols.get(module)?.get_or_init(|| DynamicSymbols::of(&self.memory, elf)).as_ref()
    }
}
