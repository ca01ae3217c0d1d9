//! Paths of calls, from registers, memory and the modules' own unwinding tables.
//!
//! The tables (`.eh_frame` by way of `.eh_frame_hdr`) are read from the process's memory: they are
//! loaded with each binary, stripped or not, and need no file. Code without a table, as that which
//! a compiler made at run time, is left by its frame pointer.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::PathBuf;

use oxomp_arch::read::Registers;
use oxomp_ompd_layout::Memory;

use crate::binary::Elf;
use crate::memory::ProcessMemory;

mod expression;
mod frame_pointer;
mod known;
mod path_end;
mod table;

pub use path_end::PathEnd;

use known::Known;
use path_end::MOST_FRAMES;
use table::{Stepped, Table};

/// Walks stacks of one process. It keeps the tables that it has read, so that many walks of one
/// process cost little.
#[derive(Debug)]
pub struct Unwinder {
    /// Where the tables are read.
    tables: ProcessMemory,
    modules: Vec<(Elf, Option<PathBuf>, OnceCell<Option<Table>>)>,
    executable: Vec<Range<u64>>,
}

/// A frame of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawFrame {
    /// The next instruction of this frame: where the thread stands, or where a call returns to.
    pub pc: u64,
    /// Whether `pc` is a return address: the call itself lies before it.
    pub returns: bool,
    /// The canonical frame address: the stack pointer before the call of this function. `None`
    /// where the walk could not find it.
    pub frame_address: Option<u64>,
    /// Whether the kernel made this frame to call a signal's handler.
    pub signal: bool,
}

/// A walk's frames, the innermost first, and why it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// At least the frame in which the thread stands.
    pub frames: Vec<RawFrame>,
    /// Why the walk ends here.
    pub end: PathEnd,
}

impl Unwinder {
    /// An unwinder for the modules of a process whose tables are read from `tables`.
    pub(crate) fn new(
        tables: ProcessMemory,
        modules: impl Iterator<Item = (Elf, Option<PathBuf>)>,
        executable: Vec<Range<u64>>,
    ) -> Self {
        let modules = modules.map(|(elf, file)| (elf, file, OnceCell::new())).collect();
        Self { tables, modules, executable }
    }

    /// Walks the stack in `stack` from the frame of `registers` outwards.
    #[must_use]
    pub fn walk(&self, registers: &Registers, stack: &dyn Memory) -> Walk {
        let mut frames: Vec<RawFrame> = Vec::new();
        let mut known = Known::all(registers);
        let mut returns = false;
        loop {
            let pc = known.pc;
            let step = self.step(&known, returns, stack);
            let (address, signal) = match &step {
                Ok(stepped) => (Some(stepped.frame_address), stepped.signal),
                Err(_) => (None, false),
            };
            let previous = frames.last().copied();
            frames.push(RawFrame { pc, returns, frame_address: address, signal });
            let stepped = match step {
                Ok(stepped) => stepped,
                Err(end) => return Walk { frames, end },
            };
            let end = match stepped.caller {
                None => Some(PathEnd::Bottom),
                // A thread may be interrupted at address 0, but no function is called from there.
                Some(caller) if caller.pc == 0 && !stepped.signal => Some(PathEnd::Bottom),
                // Callers lie above, but a signal's handler may have another stack.
                Some(_) if !advances(previous, &stepped) => Some(PathEnd::Damaged),
                Some(caller) if !stepped.signal && !self.is_code(caller.pc) => {
                    Some(PathEnd::Damaged)
                }
                Some(_) if frames.len() >= MOST_FRAMES => Some(PathEnd::TooLong),
                Some(caller) => {
                    known = caller;
                    None
                }
            };
            if let Some(end) = end {
                return Walk { frames, end };
            }
            returns = !stepped.signal;
        }
    }

    fn step(&self, known: &Known, returns: bool, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
        // A call may be a function's last instruction: it returns to the next function's first.
        let address = known.pc.wrapping_sub(u64::from(returns));
        let by_table = self.modules.iter().find(|(elf, ..)| elf.holds(address)).and_then(
            |(elf, file, table)| {
                table
                    .get_or_init(|| Table::read(&self.tables, elf, file.as_deref()))
                    .as_ref()?
                    .row(address)
            },
        );
        match by_table {
            Some(row) => row.step(known, stack),
            None if !returns && !self.is_code(known.pc) => {
                frame_pointer::called_nowhere(known, stack)
            }
            None => frame_pointer::step(known, stack, |pc| self.is_code(pc)),
        }
    }

    fn is_code(&self, address: u64) -> bool {
        self.executable.iter().any(|range| range.contains(&address))
    }
}

/// Whether the frame lies above the previous one.
fn advances(previous: Option<RawFrame>, stepped: &Stepped) -> bool {
    match previous {
        Some(RawFrame { frame_address: Some(before), signal: false, .. }) if !stepped.signal => {
            stepped.frame_address > before
        }
        _ => true,
    }
}
