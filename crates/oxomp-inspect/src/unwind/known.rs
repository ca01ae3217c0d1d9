//! The registers of a frame, as far as they are known.

use oxomp_ompd_layout::Memory;
use oxomp_ptrace::Registers;

/// DWARF's number of the frame pointer.
pub(super) const RBP: usize = 6;
/// DWARF's number of the stack pointer.
pub(super) const RSP: usize = 7;
/// DWARF's number of the return address's column.
pub(super) const RETURN_ADDRESS: u16 = 16;
/// The registers that a function leaves to its caller as they were, unless its table tells of
/// another place: rbx, rbp, r12 to r15.
pub(super) const PRESERVED: [usize; 6] = [3, RBP, 12, 13, 14, 15];

/// The registers of a frame; of an outer frame, only the registers that its callees preserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) pc: u64,
    /// By DWARF's numbers.
    pub(super) registers: [Option<u64>; 16],
}

impl Known {
    pub(super) fn all(registers: &Registers) -> Self {
        Self {
            pc: registers.pc(),
            registers: std::array::from_fn(|index| Some(registers.by_dwarf[index])),
        }
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
