//! Paths of calls, from registers, memory and the modules' own unwinding tables.
//!
//! The tables (`.eh_frame` by way of `.eh_frame_hdr`) are read from the process's memory: they are
//! loaded with each binary, stripped or not, and need no file. Code without a table, as that which
//! a compiler made at run time, is left by its frame pointer.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::PathBuf;

use oxomp_arch::read::dwarf::STACK_POINTER;
use oxomp_arch::read::{Machine, Registers};
use oxomp_ompd_layout::Memory;

use crate::binary::Elf;
use crate::memory::ProcessMemory;

mod expression;
mod frame_pointer;
mod known;
mod path_end;
mod signal_frame;
mod stepped;
mod table;
mod vendor;

pub use path_end::PathEnd;

use known::Known;
use path_end::MOST_FRAMES;
use stepped::Stepped;
use table::Table;

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
        let mut previous = None;
        loop {
            let pc = known.pc;
            let step = self.step(&known, returns, stack);
            let (frame_address, signal) = match &step {
                Ok(stepped) => (stepped.frame_address, stepped.signal),
                Err(_) => (None, false),
            };
            frames.push(RawFrame { pc, returns, frame_address, signal });
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
            previous = Some(stepped);
        }
    }

    fn step(&self, known: &Known, returns: bool, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
        if let Some(step) = signal_frame::step(known, &self.tables, stack) {
            return step;
        }
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
        let is_code = |pc| self.is_code(pc);
        match by_table.map(|row| row.step(known, stack)) {
            // Most tables tell a frame's place by the stack pointer, which a walk may lose in code
            // without a table.
            Some(Err(_)) if known.registers[STACK_POINTER].is_none() => {
                frame_pointer::step(known, stack, is_code)
            }
            Some(step) => step,
            None if returns => frame_pointer::step(known, stack, is_code),
            None if is_code(known.pc) => {
                frame_pointer::step_of_innermost(known, stack, is_code, || self.has_frame(known.pc))
            }
            None => frame_pointer::called_nowhere(known, stack),
        }
    }

    /// Whether the function that has `pc` has stored its return address there, as its code shows.
    fn has_frame(&self, pc: u64) -> bool {
        /// The bytes before an instruction in which its function begins, or as many as there are.
        const BEFORE: [u64; 3] = [1 << 12, 1 << 8, 1 << 4];
        let code = |count| self.tables.bytes(pc.checked_sub(count)?, count as usize);
        let calls = Machine::INSPECTED.calls();
        let (Some(calls), Some(code)) = (calls, BEFORE.into_iter().find_map(code)) else {
            return true;
        };
        calls.has_frame(&code)
    }

    fn is_code(&self, address: u64) -> bool {
        self.executable.iter().any(|range| range.contains(&address))
    }
}

/// Whether the frame lies above the previous one.
fn advances(previous: Option<Stepped>, stepped: &Stepped) -> bool {
    match previous {
        Some(Stepped { above, signal: false, .. }) if !stepped.signal => stepped.above > above,
        _ => true,
    }
}
