//! The registers of a frame, as far as they are known.

use oxomp_arch::read::Registers;
use oxomp_arch::read::dwarf::{GENERAL, RETURN_ADDRESS};
use oxomp_ompd_layout::Memory;

/// The registers of a frame; of an outer frame, only the registers that its callees preserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) pc: u64,
    /// By DWARF's numbers.
    pub(super) registers: [Option<u64>; GENERAL],
}

impl Known {
    pub(super) fn all(registers: &Registers) -> Self {
        Self { pc: registers.pc, registers: registers.general.map(Some) }
    }

    pub(super) fn get(&self, register: u16) -> Option<u64> {
        if register == RETURN_ADDRESS {
            return Some(self.pc);
        }
        *self.registers.get(usize::from(register))?
    }
}

/// The word of eight bytes at `address`.
pub(super) fn word(stack: &dyn Memory, address: u64) -> Option<u64> {
    let mut buffer = [0; 8];
    stack.read(address, &mut buffer).then(|| u64::from_le_bytes(buffer))
}
