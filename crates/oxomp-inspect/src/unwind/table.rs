//! A module's unwinding table.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, EhFrameHdr, EhFrameOffset, EndianSlice,
    LittleEndian, Pointer, Register, RegisterRule, UnwindContext, UnwindExpression, UnwindSection,
    UnwindTableRow,
};
use object::{Object, ObjectSection, ReadCache};
use oxomp_arch::read::dwarf::{
    GENERAL, LINK, PRESERVED, RETURN_ADDRESS, STACK_POINTER, code_address,
};
use oxomp_ompd_layout::Memory;

use super::expression;
use super::known::{Known, word};
use super::path_end::PathEnd;
use super::stepped::Stepped;
use super::vendor::VENDOR;
use crate::binary::Elf;
use crate::memory::ProcessMemory;

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The largest table that is read.
const LARGEST_TABLE: u64 = 1 << 29;
/// The pieces in which a table is read: it ends before the first that cannot be.
const PIECE: u64 = 1 << 16;

/// The bytes of `.eh_frame`, and how entries are found in it.
#[derive(Debug)]
pub(super) struct Table {
    index: Index,
    frames: Vec<u8>,
    frames_at: u64,
    bases: BaseAddresses,
}

/// How the entry of an address is found.
#[derive(Debug)]
enum Index {
    /// The bytes of `.eh_frame_hdr`.
    Loaded(Vec<u8>),
    /// First address, and offset of the entry, by address: static programs have no other index.
    Made(Vec<(u64, usize)>),
}

/// The description of the code at one address.
#[derive(Debug)]
pub(super) struct Row<'a> {
    table: &'a Table,
    row: UnwindTableRow<usize>,
    signal: bool,
}

impl Table {
    /// The table of a module; `file` is where its file can be opened.
    pub(super) fn read(memory: &ProcessMemory, elf: &Elf, file: Option<&Path>) -> Option<Self> {
        match &elf.eh_frame_hdr {
            Some(at) => Self::with_index(memory, elf, at),
            None => Self::without_index(memory, elf, file?),
        }
    }

    fn with_index(memory: &ProcessMemory, elf: &Elf, at: &Range<u64>) -> Option<Self> {
        let index = readable(memory, at.start, at.end);
        let bases = BaseAddresses::default().set_eh_frame_hdr(at.start);
        let parsed = EhFrameHdr::new(&index, LittleEndian).parse(&bases, 8).ok()?;
        let Pointer::Direct(frames_at) = parsed.eh_frame_ptr() else { return None };
        let frames = readable(memory, frames_at, elf.segment_end(frames_at)?);
        let bases = bases.set_eh_frame(frames_at);
        Some(Self { frames, frames_at, bases, index: Index::Loaded(index) })
    }

    /// Finds the table by the file's section headers, and goes through it once.
    fn without_index(memory: &ProcessMemory, elf: &Elf, file: &Path) -> Option<Self> {
        let cache = ReadCache::new(File::open(file).ok()?);
        let object = object::File::parse(&cache).ok()?;
        let section = object.section_by_name(".eh_frame")?;
        let frames_at = elf.bias.wrapping_add(section.address());
        let frames = readable(memory, frames_at, frames_at.checked_add(section.size())?);
        let bases = BaseAddresses::default().set_eh_frame(frames_at);
        let mut table = Self { frames, frames_at, bases, index: Index::Made(Vec::new()) };
        let mut made = Vec::new();
        let section = table.section();
        let mut entries = section.entries(&table.bases);
        while let Ok(Some(entry)) = entries.next() {
            let CieOrFde::Fde(partial) = entry else { continue };
            if let Ok(entry) = partial.parse(EhFrame::cie_from_offset) {
                made.push((entry.initial_address(), entry.offset()));
            }
        }
        made.sort_unstable();
        table.index = Index::Made(made);
        Some(table)
    }

    /// How to leave the frame of the code at `address`; `None` if nothing describes that.
    pub(super) fn row(&self, address: u64) -> Option<Row<'_>> {
        let frames = self.section();
        let offset = EhFrameOffset(self.offset_of(address)?);
        let entry = frames.fde_from_offset(&self.bases, offset, EhFrame::cie_from_offset).ok()?;
        let mut context = UnwindContext::new();
        let row = entry
            .unwind_info_for_address(&frames, &self.bases, &mut context, address)
            .ok()?
            .clone();
        Some(Row { table: self, row, signal: entry.is_signal_trampoline() })
    }

    /// The offset of the last entry that does not begin behind `address`.
    fn offset_of(&self, address: u64) -> Option<usize> {
        match &self.index {
            Index::Loaded(index) => {
                let header = EhFrameHdr::new(index, LittleEndian).parse(&self.bases, 8).ok()?;
                let found = header.table()?.lookup(address, &self.bases).ok()?;
                let Pointer::Direct(entry) = found else { return None };
                usize::try_from(entry.checked_sub(self.frames_at)?).ok()
            }
            Index::Made(made) => {
                let next = made.partition_point(|(begin, _)| *begin <= address);
                Some(made[next.checked_sub(1)?].1)
            }
        }
    }

    fn section(&self) -> EhFrame<Slice<'_>> {
        let mut section = EhFrame::new(&self.frames, LittleEndian);
        section.set_address_size(8);
        section.set_vendor(VENDOR);
        section
    }
}

impl Row<'_> {
    pub(super) fn step(&self, known: &Known, stack: &dyn Memory) -> Result<Stepped, PathEnd> {
        let frame_address = self.frame_address(known, stack);
        let rule = self.row.register(Register(RETURN_ADDRESS));
        // A thread's first function says that nothing called it.
        if matches!(rule, Some(RegisterRule::Undefined)) || rule.is_none() && LINK.is_none() {
            let (frame_address, above) = (frame_address.ok(), u64::MAX);
            return Ok(Stepped { caller: None, frame_address, above, signal: self.signal });
        }
        let frame_address = frame_address?;
        let pc = match rule {
            // The function has not moved the address from where the call has left it.
            Some(RegisterRule::SameValue) | None => known.link().ok_or(PathEnd::NoTable)?,
            Some(_) => self.recover(RETURN_ADDRESS, frame_address, known, stack)?,
        };
        let mut registers: [Option<u64>; GENERAL] =
            std::array::from_fn(|register| match self.row.register(Register(register as u16)) {
                Some(_) => self.recover(register as u16, frame_address, known, stack).ok(),
                None if PRESERVED.contains(&register) => known.registers[register],
                None => None,
            });
        if self.row.register(Register(STACK_POINTER as u16)).is_none() {
            registers[STACK_POINTER] = Some(frame_address);
        }
        let mut caller = Known { pc: code_address(pc), registers };
        if !self.signal {
            caller.forget_link();
        }
        let (caller, above, signal) = (Some(caller), frame_address, self.signal);
        Ok(Stepped { caller, frame_address: Some(frame_address), above, signal })
    }

    fn frame_address(&self, known: &Known, stack: &dyn Memory) -> Result<u64, PathEnd> {
        match self.row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                let base = known.get(register.0).ok_or(PathEnd::Damaged)?;
                Ok(base.wrapping_add_signed(*offset))
            }
            CfaRule::Expression(expression) => {
                self.value(*expression, None, known, stack).ok_or(PathEnd::Damaged)
            }
        }
    }

    /// The caller's value of a register that has a rule.
    fn recover(
        &self,
        register: u16,
        frame_address: u64,
        known: &Known,
        stack: &dyn Memory,
    ) -> Result<u64, PathEnd> {
        let saved_at = |address: u64| word(stack, address).ok_or(PathEnd::Unreadable(address));
        let rule = self.row.register(Register(register)).ok_or(PathEnd::Damaged)?;
        match rule {
            RegisterRule::SameValue => known.get(register),
            RegisterRule::Offset(offset) => {
                return saved_at(frame_address.wrapping_add_signed(offset));
            }
            RegisterRule::ValOffset(offset) => Some(frame_address.wrapping_add_signed(offset)),
            RegisterRule::Register(other) => known.get(other.0),
            RegisterRule::Expression(expression) => {
                let address = self.value(expression, Some(frame_address), known, stack);
                return saved_at(address.ok_or(PathEnd::Damaged)?);
            }
            RegisterRule::ValExpression(expression) => {
                self.value(expression, Some(frame_address), known, stack)
            }
            RegisterRule::Constant(value) => Some(value),
            _ => None,
        }
        .ok_or(PathEnd::Damaged)
    }

    fn value(
        &self,
        expression: UnwindExpression<usize>,
        initial: Option<u64>,
        known: &Known,
        stack: &dyn Memory,
    ) -> Option<u64> {
        let expression = expression.get(&self.table.section()).ok()?;
        expression::value(expression, initial, known, stack)
    }
}

/// The bytes from `start` to `end`, or to the first piece that cannot be read.
fn readable(memory: &ProcessMemory, start: u64, end: u64) -> Vec<u8> {
    let end = end.min(start.saturating_add(LARGEST_TABLE));
    let mut bytes = Vec::new();
    let mut at = start;
    while at < end {
        let next = end.min((at / PIECE + 1) * PIECE);
        let Some(piece) = memory.bytes(at, (next - at) as usize) else { break };
        bytes.extend(piece);
        at = next;
    }
    bytes
}
